import type { ShownSize } from "../../../src/shared/protocol.ts";
import { arrayOf, numberOf, type PdfObject, resolved } from "../syntax/objects.ts";
import type { Page } from "./page-tree.ts";
import { quarterTurnsOf } from "./rotation.ts";

/** A rectangle (ISO 32000-2, 7.9.5). */
interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** US Letter: what readers assume for a page without a `MediaBox`. */
const LETTER: Box = { left: 0, bottom: 0, right: 612, top: 792 };

/**
 * Returns the size of a page as readers show it, in points: its `CropBox` within its `MediaBox`, rotated, times its
 * `UserUnit` (ISO 32000-2, 14.11.2 and Table 31).
 */
export function shownSize({ dict, inherited }: Page): ShownSize {
  const attribute = (key: string) => dict.value(key) ?? resolved(inherited.get(key));
  const box = (key: string) => boxOf(attribute(key));
  const media = box("MediaBox") ?? LETTER;
  const { left, bottom, right, top } = intersection(box("CropBox") ?? media, media) ?? media;
  const unit = dict.number("UserUnit") ?? 1;
  const scale = unit > 0 ? unit : 1;
  const width = inThousandths((right - left) * scale);
  const height = inThousandths((top - bottom) * scale);
  return quarterTurnsOf(attribute("Rotate")) % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** Returns a rectangle with its corners in order; undefined when it is empty or no rectangle. */
function boxOf(object: PdfObject): Box | undefined {
  const [x1, y1, x2, y2] = arrayOf(object).slice(0, 4).map(numberOf);
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return undefined;
  const [left, right] = x1 < x2 ? [x1, x2] : [x2, x1];
  const [bottom, top] = y1 < y2 ? [y1, y2] : [y2, y1];
  return left < right && bottom < top ? { left, bottom, right, top } : undefined;
}

function intersection(one: Box, other: Box): Box | undefined {
  const left = Math.max(one.left, other.left);
  const bottom = Math.max(one.bottom, other.bottom);
  const right = Math.min(one.right, other.right);
  const top = Math.min(one.top, other.top);
  return left < right && bottom < top ? { left, bottom, right, top } : undefined;
}

/** Rounds, because differences of decimal numbers end in many digits. */
function inThousandths(points: number): number {
  return Math.round(points * 1000) / 1000;
}
