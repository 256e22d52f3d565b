import type { Scratch } from "../../support/native-tools.ts";
import { NATIVES, type Native, nativePage } from "./native-pages.ts";
import { type GrayPicture, ssim } from "./ssim.ts";

/** Sizes are rounded in one way or another. */
const SIZE_TOLERANCE = 1;

/** How one page compares. */
export interface PageComparison {
  /** Which natives draw the page. */
  readonly drawnBy: readonly Native[];
  /** How like it is to the native that it is most like, where that gives it the same size. */
  readonly likeness: number;
  /** What says how like it is to each. */
  readonly detail: string;
}

/** Compares a page of ours with what native programs draw, who draw it again in our size where sizes are rounded. */
export async function comparePage(
  ours: GrayPicture,
  path: string,
  page: number,
  password: string | undefined,
  dpi: number,
  scratch: Scratch,
): Promise<PageComparison> {
  const drawnBy: Native[] = [];
  const details: string[] = [];
  let likeness = 0;
  for (const native of NATIVES) {
    const own = await nativePage(native, path, page, password, { dpi }, scratch);
    if (own === undefined) continue;
    drawnBy.push(native);
    if (!isSizeLike(ours, own)) {
      details.push(`${native} ${own.width} × ${own.height}, ours ${ours.width} × ${ours.height}`);
      continue;
    }
    const isSame = ours.width === own.width && ours.height === own.height;
    const again = isSame
      ? own
      : await nativePage(native, path, page, password, { width: ours.width, height: ours.height }, scratch);
    const found = again === undefined ? 0 : ssim(ours, again);
    details.push(`${native} ${found.toFixed(3)}`);
    likeness = Math.max(likeness, found);
  }
  return { drawnBy, likeness, detail: `page ${page}: ${details.join(", ")}` };
}

function isSizeLike(one: GrayPicture, other: GrayPicture): boolean {
  return (
    Math.abs(one.width - other.width) <= SIZE_TOLERANCE &&
    Math.abs(one.height - other.height) <= SIZE_TOLERANCE
  );
}
