import jpegUrl from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm?url";
import { concatBytes } from "../../../io/concat-bytes.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import type { PixelPicture } from "../../picture/picture.ts";
import type { JpegScans } from "./scans.ts";
import { damagedJpeg, MARKER } from "./segments.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const END = Uint8Array.of(0xff, MARKER.EOI);

/** Decodes a JPEG with libjpeg. Returns the values as stored, or `undefined` when libjpeg cannot decode the file. */
export async function storedValues(bytes: Bytes): Promise<PixelPicture | undefined> {
  const decoded = await decodeByLibjpeg(bytes);
  if (decoded === undefined) return undefined;
  const { width, height, data: pixels } = decoded.image;
  return { layout: "rgba", width, height, pixels, hasAlpha: false };
}

/**
 * Returns a damaged JPEG up to its damage, with an end marker. Decoders show the missing part gray.
 *
 * A file that lacks pixels at its end is refused, because browsers decode it without an error. So is a CMYK file without
 * an end marker, which libjpeg does not decode here.
 *
 * @throws {ServiceError} `damaged_file`
 */
export async function mendedJpeg(bytes: Bytes, { segments, ending }: JpegScans): Promise<Bytes> {
  const lastScan = segments.findLast(({ marker }) => marker === MARKER.SOS);
  if (lastScan === undefined || ending === "cut off") throw damagedJpeg("it breaks off");
  const mended = concatBytes([bytes.subarray(0, lastScan.end), END]);
  if (ending !== "no end marker") return mended;
  const decoded = await decodeByLibjpeg(mended);
  const hasAllPixels = decoded?.warnings.every((warning) => !warning.includes("premature end"));
  if (!hasAllPixels) throw damagedJpeg("it breaks off");
  return mended;
}

async function decodeByLibjpeg(bytes: Bytes) {
  const { decodeJpeg } = await import("./wasm/jpeg-decoder.ts");
  return decodeJpeg(await wasmModule(jpegUrl), bytes);
}
