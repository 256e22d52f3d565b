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
  const drawn = await Promise.all(
    NATIVES.map(async (native) => {
      const draw = (size: Parameters<typeof nativePage>[4]) =>
        nativePage(native, path, page, password, size, scratch);
      const own = await draw({ dpi });
      if (own === undefined) return [];
      if (!isSizeLike(ours, own)) {
        const sizes = `${own.width} × ${own.height}, ours ${ours.width} × ${ours.height}`;
        return [{ native, likeness: 0, detail: `${native} ${sizes}` }];
      }
      const { width, height } = ours;
      const isSame = width === own.width && height === own.height;
      const again = isSame ? own : await draw({ width, height });
      const likeness = again === undefined ? 0 : ssim(ours, again);
      return [{ native, likeness, detail: `${native} ${likeness.toFixed(3)}` }];
    }),
  );
  const all = drawn.flat();
  return {
    drawnBy: all.map(({ native }) => native),
    likeness: Math.max(0, ...all.map(({ likeness }) => likeness)),
    detail: `page ${page}: ${all.map(({ detail }) => detail).join(", ")}`,
  };
}

function isSizeLike(one: GrayPicture, other: GrayPicture): boolean {
  return (
    Math.abs(one.width - other.width) <= SIZE_TOLERANCE &&
    Math.abs(one.height - other.height) <= SIZE_TOLERANCE
  );
}
