import type { Scratch } from "../../support/native-tools.ts";
import { NATIVES, type Native, nativePage } from "./native-pages.ts";
import { type GrayPicture, ssim } from "./ssim.ts";

/** Sizes are rounded differently. */
const SIZE_TOLERANCE = 1;

/** The comparison of one page. */
export interface PageComparison {
  /** The native programs that draw the page. */
  readonly drawnBy: readonly Native[];
  /** The largest similarity to a native program that gives the page the same size. */
  readonly likeness: number;
  /** The similarities in words. */
  readonly detail: string;
}

/** Compares our page with native programs. When sizes differ by rounding, they draw it again in our size. */
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
