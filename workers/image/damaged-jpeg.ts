import jpegUrl from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm?url";
import { ServiceError } from "../../src/errors.ts";
import { bufferSource } from "../pdf/bytes/source.ts";
import { decodeNatively } from "./canvas.ts";
import type { Jpeg } from "./containers/jpeg.ts";
import type { JpegScans } from "./containers/jpeg-scans.ts";
import { mendedJpegs } from "./containers/mended-jpeg.ts";
import { wasmModule } from "./wasm-module.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Each takes as long as the picture does. */
const MOST_ATTEMPTS = 8;

/**
 * A JPEG that browsers refuse, or make nothing of, decoded as far as it can be read, as libjpeg would: what is damaged
 * within the coded data comes out grey or shifted. One whose pixels are not all there is not decoded.
 *
 * @throws {ServiceError} `damaged_file`
 */
export async function decodeDamagedJpeg(
  bytes: Bytes,
  jpeg: Jpeg,
  scans: JpegScans,
  keepValues: boolean,
): Promise<ImageBitmap> {
  const candidates = (most: number) => mendedJpegs(bufferSource(bytes), jpeg, scans, most);
  if (scans.ending === "no end marker" && (await breaksOff([...candidates(2)]))) throw cutOff();
  let failure: unknown = cutOff();
  for (const mended of candidates(MOST_ATTEMPTS)) {
    try {
      return await decodeNatively(new Blob([mended]), "image/jpeg", keepValues);
    } catch (thrown) {
      if (!(thrown instanceof ServiceError) || thrown.code !== "damaged_file") throw thrown;
      failure = thrown;
    }
  }
  throw failure;
}

/**
 * Whether the last scan ends before its last pixel. Browsers do not tell: what is missing comes out grey. Damage in
 * the scans before it may be all that libjpeg tells of, and is no reason to refuse the file.
 */
async function breaksOff([whole, withoutLast]: readonly Bytes[]): Promise<boolean> {
  return whole !== undefined && (await hasGap(whole)) && !(withoutLast && (await hasGap(withoutLast)));
}

async function hasGap(mended: Bytes): Promise<boolean> {
  const { jpegWarnings } = await import("./wasm/jpeg-decoder.ts");
  const warnings = await jpegWarnings(await wasmModule(jpegUrl), mended);
  return warnings === undefined || warnings.some((warning) => warning.includes("premature end"));
}

function cutOff(): ServiceError {
  return new ServiceError(
    "damaged_file",
    "The JPEG image cannot be read: it breaks off. Try another copy of it.",
  );
}
