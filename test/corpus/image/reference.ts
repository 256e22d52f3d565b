import { readFile } from "node:fs/promises";
import type { Scratch } from "../../support/native-tools.ts";
import { OracleFailure } from "../../support/oracles.ts";
import { type NativePicture, vipsDecode } from "./native-decode.ts";
import type { Raster } from "./raster.ts";

/** What native programs see in an image file. */
export type NativeView =
  | { readonly kind: "pictures"; readonly pictures: readonly NativePicture[] }
  | { readonly kind: "unopenable"; readonly why: string };

/** What libvips and libheif make of a file. */
export async function nativeView(path: string, scratch: Scratch): Promise<NativeView> {
  try {
    return { kind: "pictures", pictures: await vipsDecode(path, scratch) };
  } catch (error) {
    if (error instanceof OracleFailure) return { kind: "unopenable", why: error.message };
    throw error;
  }
}

/** How often native programs have to open a file that we refuse: some damaged ones they open only now and then. */
const TIMES = 4;

/** Whether native programs open a file whenever they are asked to, and see something in it. */
export async function opensForCertain(path: string, scratch: Scratch): Promise<boolean> {
  for (let time = 0; time < TIMES; time += 1) {
    const view = await nativeView(path, scratch);
    if (view.kind === "unopenable" || view.pictures.every(({ stored }) => isBlank(stored))) return false;
  }
  return true;
}

/** Whether a picture is black all over: libvips gives that for pixels of which it could read none. */
function isBlank({ rgba }: Raster): boolean {
  return rgba.every((value, at) => value === 0 || at % 4 === 3);
}

/** What matters of a PNG beyond its pixels. */
export interface PngTraits {
  readonly sixteenBit: boolean;
  /** The exponent of its encoding, where it has one of its own; libvips does not apply it. */
  readonly gamma: number | undefined;
}

const PNG_HEAD_BYTES = 33;

/** Undefined for what is no PNG. */
export async function pngTraits(path: string): Promise<PngTraits | undefined> {
  const bytes = await readFile(path);
  if (bytes.length < PNG_HEAD_BYTES || bytes.toString("latin1", 1, 4) !== "PNG") return undefined;
  let gamma: number | undefined;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const kind = bytes.toString("latin1", at + 4, at + 8);
    if (kind === "IDAT") break;
    if (kind === "sRGB" || kind === "iCCP") return { sixteenBit: bytes[24] === 16, gamma: undefined };
    if (kind === "gAMA" && at + 12 <= bytes.length) gamma = bytes.readUInt32BE(at + 8) / 100_000;
    at += 12 + bytes.readUInt32BE(at);
  }
  return { sixteenBit: bytes[24] === 16, gamma };
}
