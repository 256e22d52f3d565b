import type { Tool } from "./native-tools.ts";
import { mustRun, OracleFailure } from "./oracles.ts";

/** A picture as a native program gives it: red, green and blue of each pixel, eight bits each. */
export interface NativePicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** How far two pictures are apart, in steps of 255; infinitely when their sizes differ. */
export function largestDifference(one: NativePicture, other: NativePicture): number {
  if (one.width !== other.width || one.height !== other.height) return Number.POSITIVE_INFINITY;
  return one.rgb.reduce(
    (most, value, index) => Math.max(most, Math.abs(value - (other.rgb[index] ?? -1e9))),
    0,
  );
}

/** A page drawn by mutool, so large. */
export async function mutoolDraws(path: string, width: number, height: number): Promise<NativePicture> {
  const size = ["-w", String(width), "-h", String(height), "-A", "0"];
  return pixmap("mutool", ["draw", "-q", ...size, "-F", "ppm", "-o", "-", path, "1"]);
}

/** A page drawn by poppler, so large. */
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

/** An image decoded by libvips and turned upright, without regard to its profile. */
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

/** Makes a file by libvips: an operation and its arguments. */
export async function vips(...args: readonly string[]): Promise<void> {
  await mustRun("vips", args);
}

/** A portable pixmap or graymap that a program prints. */
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
