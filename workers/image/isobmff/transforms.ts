import type { Orientation } from "../metadata/exif.ts";
import type { Size } from "../picture/size.ts";
import { damagedHeif } from "./cursor.ts";
import type { Transform } from "./properties.ts";

/**
 * The shown part of a picture: its size, and its place in the picture that is rotated and mirrored, but not cropped.
 */
export interface ShownPart extends Size {
  readonly left: number;
  readonly top: number;
  /** The size of the picture that is rotated and mirrored, but not cropped. */
  readonly whole: Size;
}

/** Applies the transforms of a picture in their order. */
export function shownPart({ width, height }: Size, transforms: readonly Transform[]): ShownPart {
  const start: ShownPart = { left: 0, top: 0, width, height, whole: { width, height } };
  return transforms.reduce(transformed, start);
}

/** Returns the rotation and mirroring of transforms as an EXIF orientation. */
export function orientationBy(transforms: readonly Transform[]): Orientation {
  // Any sequence of transforms is at most one mirroring, then quarter turns to the left.
  let isMirrored = false;
  let turns = 0;
  for (const transform of transforms) {
    if (transform.kind === "rotate") turns += transform.quarterTurns;
    if (transform.kind !== "mirror") continue;
    isMirrored = !isMirrored;
    turns = (transform.exchanges === "left and right" ? 4 : 6) - (turns & 3);
  }
  return ORIENTATIONS[isMirrored ? "mirrored" : "plain"][turns & 3] ?? 1;
}

/** EXIF orientations by the number of quarter turns to the left. For `mirrored`, left and right are exchanged first. */
const ORIENTATIONS: Readonly<Record<"plain" | "mirrored", readonly Orientation[]>> = {
  plain: [1, 8, 3, 6],
  mirrored: [2, 5, 4, 7],
};

function transformed(part: ShownPart, transform: Transform): ShownPart {
  if (transform.kind === "crop") return cropped(part, transform);
  if (transform.kind === "mirror") return mirrored(part, transform.exchanges);
  let turned = part;
  for (let turn = 0; turn < transform.quarterTurns; turn++) turned = turnedLeft(turned);
  return turned;
}

/** Rounds as libheif does, so that both crop the same pixels. */
function cropped(part: ShownPart, crop: Transform & { kind: "crop" }): ShownPart {
  const left = Math.floor(crop.right + (part.width - 1) / 2 - (crop.width - 1) / 2);
  const top = Math.floor(crop.down + (part.height - 1) / 2 - (crop.height - 1) / 2);
  const right = Math.min(left + Math.round(crop.width), part.width);
  const bottom = Math.min(top + Math.round(crop.height), part.height);
  const width = right - Math.max(0, left);
  const height = bottom - Math.max(0, top);
  if (width < 1 || height < 1) throw damagedHeif("its crop leaves nothing");
  return {
    left: part.left + Math.max(0, left),
    top: part.top + Math.max(0, top),
    width,
    height,
    whole: part.whole,
  };
}

function mirrored(part: ShownPart, exchanges: "top and bottom" | "left and right"): ShownPart {
  return exchanges === "left and right"
    ? { ...part, left: part.whole.width - part.left - part.width }
    : { ...part, top: part.whole.height - part.top - part.height };
}

function turnedLeft({ left, top, width, height, whole }: ShownPart): ShownPart {
  return {
    left: top,
    top: whole.width - left - width,
    width: height,
    height: width,
    whole: { width: whole.height, height: whole.width },
  };
}
