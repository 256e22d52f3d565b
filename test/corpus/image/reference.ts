import { readFile } from "node:fs/promises";
import { OracleFailure } from "../../native/oracles.ts";
import type { Scratch } from "../../native/tools.ts";
import { type NativePicture, vipsDecode } from "./native-decode.ts";

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
