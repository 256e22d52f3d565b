import { readFileSync, writeFileSync } from "node:fs";
import type { Scratch } from "./native-tools.ts";
import { mustRun } from "./oracles.ts";

/** Returns samples as a JPEG 2000 image of libvips: of this quality of 100, or lossless. */
export async function jpxOf(
  scratch: Scratch,
  samples: Uint8Array,
  { width, height, quality }: { readonly width: number; readonly height: number; readonly quality?: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const kind = samples.length === width * height ? "P5" : "P6";
  const [from, to] = [scratch.path("samples.ppm"), scratch.path("image.jp2")];
  writeFileSync(from, Buffer.concat([Buffer.from(`${kind}\n${width} ${height}\n255\n`), samples]));
  const how = quality === undefined ? ["--lossless"] : ["--Q", String(quality)];
  await mustRun("vips", ["jp2ksave", from, to, ...how, "--subsample-mode", "off"]);
  return new Uint8Array(readFileSync(to));
}
