import jpegUrl from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm?url";
import { ServiceError } from "../../src/errors.ts";
import { bufferSource } from "../pdf/bytes/source.ts";
import { ownBytes, pixelPicture } from "./canvas.ts";
import { type Jpeg, jpegScans, MARKER } from "./containers/jpeg.ts";
import type { Picture } from "./picture.ts";
import { wasmModule } from "./wasm-module.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Each takes as long as the picture does. */
const MOST_ATTEMPTS = 8;
/** No encoder writes nearly as many: each costs a pass over all the pixels. */
const MOST_SCANS = 200;
const END = Uint8Array.of(0xff, MARKER.EOI);

/**
 * A JPEG that browsers refuse, decoded by libjpeg: what is damaged within the coded data comes out grey or shifted.
 * Where libjpeg gives up on what stands behind a scan, the picture ends with that scan.
 *
 * @returns the picture as it is stored, in the colours of its own profile; nothing when libjpeg cannot read it
 */
export async function decodeDamagedJpeg(
  bytes: Bytes,
  jpeg: Jpeg,
): Promise<Extract<Picture, { kind: "pixels" }> | undefined> {
  const { decodeJpeg } = await import("./wasm/jpeg-decoder.ts");
  const module = await wasmModule(jpegUrl);
  const ends = scanEnds(bytes, jpeg);
  if (ends.length > MOST_SCANS) return undefined;
  const shorter = ends.reverse().slice(0, MOST_ATTEMPTS - 1);
  for (const end of [bytes.length, ...shorter]) {
    // What libjpeg dies of may leave it in any state: each attempt is a new one.
    const image = await decodeJpeg(module, endingAt(bytes, end)).catch(() => null);
    if (image === null || image.width !== jpeg.width || image.height !== jpeg.height) continue;
    return pixelPicture(ownBytes(image.data), image.width, image.height);
  }
  return undefined;
}

/** Where the coded data of each scan ends, as far as the file can be followed. */
function scanEnds(bytes: Bytes, jpeg: Jpeg): number[] {
  const ends: number[] = [];
  try {
    for (const { marker, end } of jpegScans(bufferSource(bytes), jpeg)) {
      if (marker === MARKER.SOS) ends.push(end);
    }
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
  }
  return ends;
}

function endingAt(bytes: Bytes, end: number): Bytes {
  if (end === bytes.length) return bytes;
  const shorter = new Uint8Array(end + END.length);
  shorter.set(bytes.subarray(0, end));
  shorter.set(END, end);
  return shorter;
}
