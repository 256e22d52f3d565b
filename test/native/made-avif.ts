import { readFileSync } from "node:fs";
import { clap, imir, irot, ispe, join, makeHeif, text } from "../support/fixtures/heif.ts";
import { vips } from "../support/native-pictures.ts";
import type { Scratch } from "../support/native-tools.ts";

/** Transformations of a stored picture of 48 × 32, in the order of their application. */
export const AVIF_TRANSFORMS = {
  turned: [irot(1)],
  mirrored: [imir(1)],
  "turned, then mirrored": [irot(1), imir(1)],
  "mirrored, then turned": [imir(1), irot(1)],
  "turned around, and mirrored": [irot(2), imir(0)],
  cropped: [clap(20, 1, 16, 1, -4 >>> 0, 1, 2, 1)],
  "cropped, then turned": [clap(20, 1, 16, 1, -4 >>> 0, 1, 2, 1), irot(3)],
} as const;

/**
 * A picture of 48 × 32 that vips codes as AVIF, in a file with those properties, which are to be understood.
 *
 * @param color another property, which may be overlooked
 */
export async function makeAvif(
  scratch: Scratch,
  png: string,
  transforms: readonly Uint8Array[],
  color: readonly Uint8Array[] = [],
): Promise<Uint8Array<ArrayBuffer>> {
  const plain = scratch.path("plain.avif");
  await vips("heifsave", png, plain, "--compression", "av1", "--Q", "95", "--subsample-mode", "off");
  const bytes = new Uint8Array(readFileSync(plain));
  const boxes = ["av1C", "pixi", "mdat"].map((name) => boxIn(bytes, name));
  const [configuration, depths, data] = boxes;
  if (configuration === undefined || depths === undefined || data === undefined) throw new Error("no AVIF");
  const properties = [configuration, ispe(48, 32), depths, ...color, ...transforms];
  const essential = [configuration, ...transforms];
  const item = { id: 1, type: "av01", properties, essential, data: data.subarray(8) };
  const made = makeHeif({ primary: 1, items: [item] });
  return join(made.subarray(0, 8), text("avif"), made.subarray(12, 20), text("avif"), made.subarray(24));
}

/** The first box of that type, with its header. */
function boxIn(bytes: Uint8Array, name: string): Uint8Array {
  const nameAt = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(name);
  const start = nameAt - 4;
  return bytes.subarray(start, start + new DataView(bytes.buffer, bytes.byteOffset + start).getUint32(0));
}
