import { runTool, type Tool } from "../support/native-tools.ts";
import { OracleFailure } from "../support/oracles.ts";

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
  await mustRun("vips", ["colorspace", `${scratch}.v`, `${scratch}-rgb.v`, "srgb"]);
  return pixmap("vips", ["copy", `${scratch}-rgb.v`, ".ppm"]);
}

/** Makes a file by libvips: an operation and its arguments. */
export async function vips(...args: readonly string[]): Promise<void> {
  await mustRun("vips", args);
}

async function mustRun(tool: Tool, args: readonly string[]): Promise<Buffer> {
  const run = await runTool(tool, args);
  if (run.code === 0) return run.stdout;
  throw new OracleFailure(`${tool}: ${run.timedOut ? "did not end in time" : run.stderr}`);
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
