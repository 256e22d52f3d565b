import type { Tool } from "./native-tools.ts";
import { mustRun, OracleFailure } from "./oracles.ts";

/** A picture that a native program has decoded, as RGB with 8 bits per component. */
export interface NativePicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** The largest difference between components of two pictures, from 0 to 255. Infinity when their sizes differ. */
export function largestDifference(one: NativePicture, other: NativePicture): number {
  if (one.width !== other.width || one.height !== other.height) return Number.POSITIVE_INFINITY;
  return one.rgb.reduce(
    (most, value, index) => Math.max(most, Math.abs(value - (other.rgb[index] ?? -1e9))),
    0,
  );
}

/** The first page of a PDF, drawn by mutool in the given size. */
export async function mutoolDraws(path: string, width: number, height: number): Promise<NativePicture> {
  const size = ["-w", String(width), "-h", String(height), "-A", "0"];
  return pixmap("mutool", ["draw", "-q", ...size, "-F", "ppm", "-o", "-", path, "1"]);
}

/** A page of a PDF, drawn by poppler in the given size. */
export async function popplerDraws(
  path: string,
  width: number,
  height: number,
  page = 1,
): Promise<NativePicture> {
  return pixmap("pdftoppm", [
    "-scale-to-x",
    String(width),
    "-scale-to-y",
    String(height),
    "-f",
    String(page),
    "-l",
    String(page),
    path,
  ]);
}

/** The RGB values of all pages of a PDF, drawn by poppler at 72 pixels per inch. */
export async function popplerDrawsAll(path: string): Promise<readonly Uint8Array[]> {
  let file: Uint8Array = await mustRun("pdftoppm", ["-q", "-r", "72", path]);
  const pages: Uint8Array[] = [];
  while (file.length > 0) {
    const page = readPixmap(file);
    const length = page.channels * page.width * page.height;
    pages.push(page.values.subarray(0, length));
    file = page.values.subarray(length);
  }
  return pages;
}

/** An image decoded by libvips, rotated upright, without color conversion. */
export async function vipsDecodes(path: string, scratch: string): Promise<NativePicture> {
  await mustRun("vips", ["autorot", path, `${scratch}.v`]);
  await mustRun("vips", ["colourspace", `${scratch}.v`, `${scratch}-rgb.v`, "srgb"]);
  return pixmap("vips", ["copy", `${scratch}-rgb.v`, ".ppm"]);
}

/** An image decoded by libvips into sRGB: by its profile, or as sRGB when it has none. */
export async function vipsShows(path: string, scratch: string): Promise<NativePicture> {
  const inSrgb = `${scratch}.png`;
  await vips("icc_transform", path, inSrgb, "srgb", "--embedded", "--input-profile", "srgb");
  return vipsDecodes(inSrgb, scratch);
}

/** Runs an operation of libvips. */
export async function vips(...args: readonly string[]): Promise<void> {
  await mustRun("vips", args);
}

/** Reads the portable pixmap or graymap that a program prints. */
async function pixmap(tool: Tool, args: readonly string[]): Promise<NativePicture> {
  const { width, height, channels, values } = readPixmap(await mustRun(tool, args));
  if (channels === 3) return { width, height, rgb: new Uint8Array(values) };
  const rgb = Uint8Array.from({ length: 3 * values.length }, (_, at) => values[Math.floor(at / 3)] ?? 0);
  return { width, height, rgb };
}

/** A portable pixmap (P6) or graymap (P5) with 8 bits per component. */
export interface Pixmap {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly values: Uint8Array;
}

/** @throws {OracleFailure} when the file is none, or cut off */
export function readPixmap(file: Uint8Array): Pixmap {
  const start = Buffer.from(file.subarray(0, 200)).toString("latin1");
  const head = /^P([56])\s+(?:#.*\n)*(\d+)\s+(\d+)\s+255\s/.exec(start);
  if (head === null) throw new OracleFailure("a native program gave no pixmap");
  const [width, height] = [Number(head[2]), Number(head[3])];
  const channels = head[1] === "6" ? 3 : 1;
  const values = file.subarray(head[0].length);
  if (values.length < channels * width * height) throw new OracleFailure("a pixmap is cut off");
  return { width, height, channels, values };
}
