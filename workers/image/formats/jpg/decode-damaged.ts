import jpegUrl from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm?url";
import { ServiceError } from "../../../../src/shared/errors.ts";
import { bufferSource } from "../../../io/source.ts";
import { wasmModule } from "../../wasm/wasm-module.ts";
import { holdsAllValues } from "./completeness.ts";
import type { Jpeg } from "./read-jpeg.ts";
import { repairedJpegs } from "./repaired-copies.ts";
import type { JpegScans } from "./scans.ts";
import { MARKER } from "./segments.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Each attempt takes as long as decoding the picture. */
const MOST_ATTEMPTS = 8;

/**
 * Decodes a JPEG that browsers refuse or misread, as far as libjpeg would read it. Damaged parts come out gray or
 * shifted. A file that lacks pixels at its end is refused.
 *
 * @param decode throws `damaged_file` for data that it cannot decode
 * @throws {ServiceError} `damaged_file`
 */
export async function decodeDamagedJpeg<Decoded>(
  bytes: Bytes,
  jpeg: Jpeg,
  scans: JpegScans,
  decode: (repaired: Bytes) => Promise<Decoded>,
): Promise<Decoded> {
  const source = bufferSource(bytes);
  const candidates = (most: number) => repairedJpegs(source, jpeg, scans, most);
  if (lacksEnd(bytes, jpeg, scans)) {
    const isAllThere = holdsAllValues(source, jpeg, scans) && !(await breaksOff([...candidates(2)]));
    if (!isAllThere) throw cutOff();
  }
  let failure: unknown = cutOff();
  for (const repaired of candidates(MOST_ATTEMPTS)) {
    try {
      return await decode(repaired);
    } catch (thrown) {
      if (!(thrown instanceof ServiceError) || thrown.code !== "damaged_file") throw thrown;
      failure = thrown;
    }
  }
  throw failure;
}

/** Whether the end of the file is missing. A wrong length may hide the end marker. */
function lacksEnd(bytes: Bytes, jpeg: Jpeg, { ending, segments }: JpegScans): boolean {
  if (ending === "no end marker") return true;
  if (ending !== "cut off") return false;
  const from = segments.at(-1)?.end ?? jpeg.scans;
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] === MARKER.EOI) return false;
  }
  return true;
}

/**
 * Whether the last scan ends before its last pixel. Browsers decode the missing pixels as gray, without an error.
 * Damage in earlier scans is no reason to refuse the file.
 */
async function breaksOff([whole, withoutLast]: readonly Bytes[]): Promise<boolean> {
  return whole !== undefined && (await hasGap(whole)) && !(withoutLast && (await hasGap(withoutLast)));
}

async function hasGap(repaired: Bytes): Promise<boolean> {
  const { decodeJpeg } = await import("./wasm/jpeg-decoder.ts");
  const decoded = await decodeJpeg(await wasmModule(jpegUrl), repaired);
  if (decoded !== undefined) return decoded.warnings.some((warning) => warning.includes("premature end"));
  const { isSoundlyCoded } = await import("./wasm/jpeg-cmyk.ts");
  return !isSoundlyCoded(repaired);
}

function cutOff(): ServiceError {
  return new ServiceError(
    "damaged_file",
    "The JPEG image cannot be read: it breaks off. Try another copy of it.",
  );
}
