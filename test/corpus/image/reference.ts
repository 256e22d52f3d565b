import { readFile } from "node:fs/promises";
import type { Scratch } from "../../support/native-tools.ts";
import { OracleFailure } from "../../support/oracles.ts";
import { type NativePicture, vipsDecode } from "./native-decode.ts";
import type { Raster } from "./raster.ts";

/** What native programs decode from an image file. */
export type NativeView =
  | { readonly kind: "pictures"; readonly pictures: readonly NativePicture[] }
  | { readonly kind: "unopenable"; readonly why: string };

/** Decodes a file by libvips and libheif. */
export async function nativeView(path: string, scratch: Scratch): Promise<NativeView> {
  try {
    return { kind: "pictures", pictures: await vipsDecode(path, scratch) };
  } catch (error) {
    if (error instanceof OracleFailure) return { kind: "unopenable", why: error.message };
    throw error;
  }
}

/** How often native programs must open a file that we refuse. They open some damaged files only sometimes. */
const TIMES = 4;

/** Whether native programs open a file each time and find a picture in it. */
export async function opensForCertain(path: string, scratch: Scratch): Promise<boolean> {
  for (let time = 0; time < TIMES; time += 1) {
    const view = await nativeView(path, scratch);
    if (view.kind === "unopenable" || view.pictures.every(({ stored }) => isBlank(stored))) return false;
  }
  return true;
}

/** Whether a picture is all black. libvips returns that when it could read no pixels. */
function isBlank({ rgba }: Raster): boolean {
  return rgba.every((value, at) => value === 0 || at % 4 === 3);
}

/** Properties of a PNG beyond its pixels. */
export interface PngTraits {
  readonly sixteenBit: boolean;
  /** Its gamma, if it has one. libvips does not apply it. */
  readonly gamma: number | undefined;
}

const PNG_HEAD_BYTES = 33;

/** The properties of a PNG. Undefined for other files. */
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
