/** A picture of gray values, row after row. */
export interface GrayPicture {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** The windows that are compared, and how far they are apart. */
const WINDOW = 8;
const STEP = 4;
/** The constants of the original paper, for values up to 255. */
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** The luma of each pixel (ITU-R BT.601). */
export function grayOf(width: number, height: number, rgb: Uint8Array): GrayPicture {
  const gray = new Float32Array(width * height);
  for (let pixel = 0, at = 0; pixel < gray.length; pixel += 1, at += 3) {
    gray[pixel] = 0.299 * (rgb[at] ?? 0) + 0.587 * (rgb[at + 1] ?? 0) + 0.114 * (rgb[at + 2] ?? 0);
  }
  return { width, height, values: gray };
}

/**
 * How alike two pictures of one size are: 1 for equal ones (Wang, Bovik, Sheikh, Simoncelli: Image Quality Assessment:
 * From Error Visibility to Structural Similarity, 2004; plain windows in place of the Gaussian).
 */
export function ssim(one: GrayPicture, other: GrayPicture): number {
  if (one.width !== other.width || one.height !== other.height) return 0;
  const { width, height } = one;
  const across = Math.min(WINDOW, width);
  const down = Math.min(WINDOW, height);
  let sum = 0;
  let windows = 0;
  for (let top = 0; top + down <= height; top += STEP) {
    for (let left = 0; left + across <= width; left += STEP) {
      sum += windowSsim(one, other, left, top, across, down);
      windows += 1;
    }
  }
  return sum / windows;
}

function windowSsim(
  { values: one, width }: GrayPicture,
  { values: other }: GrayPicture,
  left: number,
  top: number,
  across: number,
  down: number,
): number {
  let [x, y, xx, yy, xy] = [0, 0, 0, 0, 0];
  for (let row = top; row < top + down; row += 1) {
    for (let at = row * width + left; at < row * width + left + across; at += 1) {
      const a = one[at] ?? 0;
      const b = other[at] ?? 0;
      x += a;
      y += b;
      xx += a * a;
      yy += b * b;
      xy += a * b;
    }
  }
  const count = across * down;
  const [meanX, meanY] = [x / count, y / count];
  const varianceX = Math.max(0, xx / count - meanX * meanX);
  const varianceY = Math.max(0, yy / count - meanY * meanY);
  const covariance = xy / count - meanX * meanY;
  return (
    ((2 * meanX * meanY + C1) * (2 * covariance + C2)) /
    ((meanX * meanX + meanY * meanY + C1) * (varianceX + varianceY + C2))
  );
}
