import { concatBytes } from "../../../io/concat-bytes.ts";
import { bytesOf } from "../../../io/file-bytes.ts";
import { bufferSource } from "../../../io/source.ts";
import { supportsSimd } from "../../../wasm/simd-support.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import { cannotBeDecoded, decodeNatively } from "../../browser/decode-natively.ts";
import { memoizeAsync } from "../../browser/memoize-async.ts";
import { cmykToSrgb } from "../../color/cmyk.ts";
import { conversionToSrgb } from "../../color/color-description.ts";
import { bitmapPicture } from "../../picture/convert-layout.ts";
import type {
  BitmapPicture,
  FramePicture,
  GrayPicture,
  Picture,
  PixelPicture,
} from "../../picture/picture.ts";
import type { Size } from "../../picture/size.ts";
import { uprightPixels } from "../../picture/upright.ts";
import type { CodedImage, Decoders, SourceImage } from "../codec.ts";
import { decodingKind } from "../image-errors.ts";
import { colorOf, isCommonlyCoded, isShownAsStored, jpegContent } from "./content.ts";
import { decodeFrame } from "./decode-planes.ts";
import { type Jpeg, rareKind } from "./read-jpeg.ts";
import { checkScans, type JpegScans, readScans } from "./scans.ts";
import { damagedJpeg, MARKER } from "./segments.ts";
import { type DecodedJpeg, decodeJpeg, type JpegDecoding } from "./wasm/mozjpeg-decoder.ts";
import decoderUrl from "./wasm/mozjpeg-decoder.wasm?url";

type Bytes = Uint8Array<ArrayBuffer>;

const TYPE = "image/jpeg";
const END = Uint8Array.of(0xff, MARKER.EOI);
/** 4:4:4, 4:2:2 and 4:2:0, as horizontal and vertical sampling factors of luma. */
const LUMA_SAMPLINGS: readonly number[] = [0x11, 0x21, 0x22];
/** Decoding CMYK takes about 20 bytes per pixel. The browser decodes larger pictures. */
const MOST_CMYK_PIXELS = 50_000_000;

/** A JPEG in memory. */
interface LoadedJpeg {
  readonly file: Blob;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly jpeg: Jpeg;
  readonly scans: JpegScans;
}

/**
 * Reads a JPEG as a whole. Checks its scans, because a browser cannot stop decoding once it has begun.
 *
 * @throws {ServiceError} `input_too_large` when decoding the scans would take minutes
 */
async function load(file: Blob, jpeg: Jpeg): Promise<LoadedJpeg> {
  const bytes = await bytesOf(file);
  const scans = readScans(bufferSource(bytes), jpeg);
  checkScans(jpeg, scans);
  return { file, bytes, jpeg, scans };
}

/** Returns the decoders of a JPEG, and its coded data if viewers show it as they show the JPEG. */
export function decodersOf(file: Blob, jpeg: Jpeg): Pick<SourceImage, "decoders" | "coded"> {
  const loaded = memoizeAsync(() => load(file, jpeg));
  const decodes = <Decoded extends Picture | undefined>(
    decode: (loaded: LoadedJpeg) => Promise<Decoded>,
  ): Promise<Decoded> => decodingKind("JPEG", rareKind(jpeg), async () => decode(await loaded()));
  const decodePixels = jpeg.frame.components.length === 4 ? decodeCmyk : decodeByLibjpeg;
  const decoders: Decoders = {
    ...(isInPlanes(jpeg) && { planes: () => decodes(decodePlanes) }),
    ...(supportsSimd() && { pixels: () => decodes<PixelPicture | undefined>(decodePixels) }),
    browser: (keepsValues) => decodes((one) => decodeInBrowser(one, keepsValues)),
  };
  return {
    decoders,
    ...(isShownAsStored(jpeg) && { coded: async () => codedImage(await loaded()) }),
  };
}

/** Decodes to planes, if the file is whole. */
async function decodePlanes({ bytes, jpeg, scans }: LoadedJpeg): Promise<FramePicture | undefined> {
  const frame = scans.ending === "whole" ? await decodeFrame(bytes, jpeg) : undefined;
  const { width, height } = jpeg;
  return frame && { layout: "frame", width, height, frame, hasAlpha: false };
}

/**
 * Decodes CMYK by its profile to sRGB, exactly, if the file is whole. Chromium converts with a coarse table. Firefox and
 * WebKit ignore the profile.
 */
async function decodeCmyk({ bytes, jpeg, scans }: LoadedJpeg): Promise<PixelPicture | undefined> {
  const profile = colorOf(jpeg)?.profile;
  if (scans.ending !== "whole" || !isCommonlyCoded(jpeg) || profile === undefined) return undefined;
  if (jpeg.width * jpeg.height > MOST_CMYK_PIXELS) return undefined;
  const { storedInks } = await import("./wasm/jpeg-cmyk.ts");
  const inks = storedInks(bytes);
  if (inks === undefined || inks.width !== jpeg.width || inks.height !== jpeg.height) return undefined;
  const { width, height, samples } = inks;
  const pixels = await cmykToSrgb(profile, samples);
  if (pixels === undefined) return undefined;
  return uprightPixels({ layout: "rgba", width, height, pixels, hasAlpha: false }, jpeg.orientation);
}

/** Decodes with libjpeg: a damaged file up to its damage. */
async function decodeByLibjpeg({ bytes, jpeg, scans }: LoadedJpeg): Promise<PixelPicture> {
  const values = await storedValues(scans.ending === "whole" ? bytes : await mendedJpeg(bytes, scans));
  if (values === undefined) throw cannotBeDecoded("JPEG");
  return uprightPixels(values, jpeg.orientation);
}

/** Decodes with the browser: a damaged file up to its damage. */
async function decodeInBrowser(
  { file, bytes, jpeg, scans }: LoadedJpeg,
  keepsValues: boolean,
): Promise<BitmapPicture> {
  const sound = scans.ending === "whole" ? file : new Blob([await mendedJpeg(bytes, scans)]);
  return bitmapPicture(await decodeNatively(sound, TYPE, keepsValues), false, isAsStored(jpeg));
}

/**
 * Whether viewers show the stored planes unchanged, in a usual sampling. Phones and editors write the profile of sRGB
 * into many JPEGs. Of other profiles, browsers give no planes.
 */
function isInPlanes(jpeg: Jpeg): boolean {
  const [luma = 0, ...chroma] = jpeg.frame.samplings;
  const isUsual = LUMA_SAMPLINGS.includes(luma) && chroma.every((sampling) => sampling === 0x11);
  return (
    isUsual && chroma.length === 2 && isShownAsStored(jpeg) && conversionToSrgb(colorOf(jpeg)) === "none"
  );
}

/** Whether decoding with the browser neither rotates the picture nor converts its colors. */
function isAsStored({ orientation, icc, frame }: Jpeg): boolean {
  return orientation === 1 && icc === undefined && frame.components.length === 3;
}

/** Returns the coded data, if the file is whole. */
function codedImage({ bytes, jpeg, scans }: LoadedJpeg): CodedImage | undefined {
  if (scans.ending !== "whole") return undefined;
  const pieces = jpegContent(bufferSource(bytes), jpeg, false, scans);
  const parts = pieces.map((piece) =>
    piece.kind === "range" ? bytes.subarray(piece.start, piece.end) : piece.bytes,
  );
  return { data: concatBytes(parts), icc: jpeg.icc };
}

/**
 * Decodes a JPEG as readers of PDF do: its values as stored, neither rotated nor converted by its profile. Planes where the
 * browser gives them, and gray for one component.
 *
 * @param atLeast the size that is needed. The picture has its own size, or half of it
 * @returns `undefined` for a kind of JPEG that PDF does not know, for CMYK and for damaged data
 * @throws {ServiceError} `damaged_file` when it is no JPEG, `input_too_large` when decoding it would take minutes
 */
export async function decodeStored(
  bytes: Bytes,
  jpeg: Jpeg,
  atLeast: Size,
): Promise<FramePicture | PixelPicture | GrayPicture | undefined> {
  const scans = readScans(bufferSource(bytes), jpeg);
  checkScans(jpeg, scans);
  if (scans.ending !== "whole" || !isCommonlyCoded(jpeg)) return undefined;
  const isHalfEnough = 2 * atLeast.width <= jpeg.width + 1 && 2 * atLeast.height <= jpeg.height + 1;
  const eighths = isHalfEnough ? 4 : 8;
  if (jpeg.frame.components.length === 1) {
    const decoded = await libjpegDecodes(bytes, { colors: "gray", eighths });
    return decoded && { layout: "gray", ...decoded };
  }
  const frame = eighths === 8 && isInPlanes(jpeg) ? await decodeFrame(bytes, jpeg) : undefined;
  if (frame === undefined) return storedValues(bytes, eighths);
  return { layout: "frame", width: jpeg.width, height: jpeg.height, frame, hasAlpha: false };
}

/** Decodes a JPEG with libjpeg. Returns the values as stored, or `undefined` when libjpeg cannot decode the file. */
export async function storedValues(
  bytes: Bytes,
  eighths: JpegDecoding["eighths"] = 8,
): Promise<PixelPicture | undefined> {
  const decoded = await libjpegDecodes(bytes, { colors: "rgba", eighths });
  if (decoded === undefined) return undefined;
  const { width, height, samples } = decoded;
  const pixels = new Uint8ClampedArray(samples.buffer, samples.byteOffset, samples.length);
  return { layout: "rgba", width, height, pixels, hasAlpha: false };
}

/**
 * Returns a damaged JPEG up to its damage, with an end marker. Decoders show the missing part gray.
 *
 * A file that lacks pixels at its end is refused, because browsers decode it without an error. So is a CMYK file without
 * an end marker, which libjpeg does not decode to pixels.
 *
 * @throws {ServiceError} `damaged_file`
 */
export async function mendedJpeg(bytes: Bytes, { segments, ending }: JpegScans): Promise<Bytes> {
  const lastScan = segments.findLast(({ marker }) => marker === MARKER.SOS);
  if (lastScan === undefined || ending === "cut off") throw damagedJpeg("it breaks off");
  const mended = concatBytes([bytes.subarray(0, lastScan.end), END]);
  if (ending !== "no end marker") return mended;
  const decoded = await libjpegDecodes(mended, { colors: "rgba", eighths: 8 });
  if (decoded === undefined || decoded.lacksData) throw damagedJpeg("it breaks off");
  return mended;
}

/** Returns `undefined` when libjpeg cannot decode the file, and in a browser without WebAssembly SIMD. */
async function libjpegDecodes(bytes: Bytes, decoding: JpegDecoding): Promise<DecodedJpeg | undefined> {
  return supportsSimd() ? decodeJpeg(await wasmModule(decoderUrl), bytes, decoding) : undefined;
}
