import jpegUrl from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm?url";
import { concatBytes } from "../../../io/concat-bytes.ts";
import { cannotBeDecoded, onlyForTheBrowser } from "../../browser/decode-natively.ts";
import { profileColor } from "../../color/color.ts";
import { inPolicyColors } from "../../color/convert-picture.ts";
import { profileComponents } from "../../color/icc.ts";
import { ownBytes } from "../../picture/convert-layout.ts";
import type { PixelPicture } from "../../picture/picture.ts";
import { uprightPixels } from "../../picture/upright.ts";
import { wasmModule } from "../../wasm/wasm-module.ts";
import type { ColorPolicy } from "../codec.ts";
import { decodeCmyk } from "./decode-cmyk.ts";
import type { Jpeg } from "./read-jpeg.ts";
import type { JpegScans } from "./scans.ts";
import { damagedJpeg, MARKER } from "./segments.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const END = Uint8Array.of(0xff, MARKER.EOI);

/**
 * Decodes a JPEG with libjpeg, for browsers whose canvas cannot be read. The result is upright, and in sRGB unless it
 * names its profile.
 *
 * @throws {ServiceError} `damaged_file`; `unsupported_conversion` for a CMYK JPEG without a profile
 */
export async function decodeJpegHere(
  bytes: Bytes,
  jpeg: Jpeg,
  scans: JpegScans,
  policy: ColorPolicy["profile"],
): Promise<PixelPicture> {
  const isWhole = scans.ending === "whole";
  if (jpeg.frame.components.length === 4) {
    const fromCmyk = isWhole ? await decodeCmyk(bytes, jpeg) : undefined;
    if (fromCmyk === undefined) throw onlyForTheBrowser("CMYK JPEG");
    return fromCmyk;
  }
  const values = await storedValues(isWhole ? bytes : await mendedJpeg(bytes, scans));
  if (values === undefined) throw cannotBeDecoded("JPEG");
  const { icc, frame } = jpeg;
  const fits = icc !== undefined && profileComponents(icc) === frame.components.length;
  const color = fits ? profileColor(icc) : undefined;
  return uprightPixels(inPolicyColors(values, color, policy), jpeg.orientation);
}

/** Returns the values as stored, or `undefined` when libjpeg cannot decode the file. */
export async function storedValues(bytes: Bytes): Promise<PixelPicture | undefined> {
  const { decodeJpeg } = await import("./wasm/jpeg-decoder.ts");
  const image = (await decodeJpeg(await wasmModule(jpegUrl), bytes))?.image;
  if (image === undefined) return undefined;
  const { width, height, data } = image;
  return { layout: "rgba", width, height, pixels: ownBytes(data), hasAlpha: false };
}

/**
 * Returns a damaged JPEG up to its damage, with an end marker. Decoders show the missing part gray.
 *
 * A file that lacks pixels at its end is refused, because browsers decode it without an error.
 *
 * @throws {ServiceError} `damaged_file`
 */
export async function mendedJpeg(bytes: Bytes, { segments, ending }: JpegScans): Promise<Bytes> {
  const lastScan = segments.findLast(({ marker }) => marker === MARKER.SOS);
  if (lastScan === undefined || ending === "cut off") throw damagedJpeg("it breaks off");
  const mended = concatBytes([bytes.subarray(0, lastScan.end), END]);
  if (ending === "no end marker" && !(await hasAllPixels(mended))) throw damagedJpeg("it breaks off");
  return mended;
}

/** Whether libjpeg finds coded data up to the last pixel. False for CMYK, which it does not decode here. */
async function hasAllPixels(jpeg: Bytes): Promise<boolean> {
  const { decodeJpeg } = await import("./wasm/jpeg-decoder.ts");
  const decoded = await decodeJpeg(await wasmModule(jpegUrl), jpeg);
  return decoded !== undefined && !decoded.warnings.some((warning) => warning.includes("premature end"));
}
