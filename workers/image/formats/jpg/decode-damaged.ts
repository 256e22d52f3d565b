import jpegUrl from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm?url";
import { concatBytes } from "../../../io/concat-bytes.ts";
import { wasmModule } from "../../wasm/wasm-module.ts";
import type { JpegScans } from "./scans.ts";
import { damagedJpeg, MARKER } from "./segments.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const END = Uint8Array.of(0xff, MARKER.EOI);

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
