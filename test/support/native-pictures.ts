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

/** The first page of a PDF, drawn by poppler in the given size. */
export async function popplerDraws(path: string, width: number, height: number): Promise<NativePicture> {
  return pixmap("pdftoppm", [
    "-scale-to-x",
    String(width),
    "-scale-to-y",
    String(height),
    "-f",
    "1",
    "-l",
    "1",
    path,
  ]);
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
  const out = await mustRun(tool, args);
  const head = /^P([56])\s+(?:#.*\n)*(\d+)\s+(\d+)\s+255\s/.exec(out.subarray(0, 200).toString("latin1"));
  if (!head) throw new OracleFailure(`${tool} gave no pixmap`);
  const body = new Uint8Array(out.subarray(head[0].length));
  const rgb =
    head[1] === "6"
      ? body
      : Uint8Array.from({ length: 3 * body.length }, (_, at) => body[Math.floor(at / 3)] ?? 0);
  return { width: Number(head[2]), height: Number(head[3]), rgb };
}
