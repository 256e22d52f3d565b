import wasmUrl from "@jsquash/png/codec/pkg/squoosh_png_bg.wasm?url";
import { ServiceError } from "../../../src/errors.ts";
import { bufferSource } from "../../pdf/bytes/source.ts";
import {
  bitmapPicture,
  canKeepValues,
  decodeNatively,
  encodeNatively,
  ownBytes,
  pixelPicture,
  pixelsOf,
  release,
  uprightBitmap,
  uprightPixels,
} from "../canvas.ts";
import type { Codec, DecodeOptions } from "../codec.ts";
import { calibratedProfile } from "../containers/calibrated-profile.ts";
import { profileComponents } from "../containers/icc.ts";
import { mayBeTransparent, type Png, type PngChunk, readPng } from "../containers/png.ts";
import { endsBehindPixels, hasPngEnd } from "../containers/png-ending.ts";
import { plainPng, withPngMetadata } from "../containers/png-metadata.ts";
import { isIntact, repairedPng } from "../containers/repaired-png.ts";
import { recompressedPng } from "../damaged-png.ts";
import { bytesOf, headOf, tailOf } from "../file-bytes.ts";
import { overlooksDamage } from "../overlooked-damage.ts";
import type { Picture } from "../picture.ts";
import { wasmModule } from "../wasm-module.ts";
import { notWritten } from "./not-written.ts";

const TYPE = "image/png";
/** The exponent of sRGB, and how far from it nobody sees a difference. */
const SRGB_GAMMA = 1 / 2.2;
const SAME_GAMMA = 0.01;
/** Code points of ITU-T H.273 for sRGB. */
const SRGB = { primaries: 1, transfer: 13 };

/**
 * PNG, with 8 bits for each value: browsers give no more. Browsers do not agree on whether its EXIF turns the
 * picture: it is taken away from them, and the picture turned here.
 */
export const codec: Codec = {
  decoder: {
    async inspect(file) {
      const png = (await headerOf(file)) ?? (await open(file)).png;
      return { images: [{ width: png.width, height: png.height, hasAlpha: mayBeTransparent(png) }] };
    },
    async decode(file, options) {
      const early = await decodingEarly(file, options);
      const plain = early && (await decodedUnread(file, early));
      if (plain !== undefined) return plain;
      const opened = await open(file);
      const bytes = await bytesOf(file);
      const isOverlooked = (await overlooksDamage()) && !isIntact(bytes);
      try {
        if (!isOverlooked) return await decode(opened, options, early);
        (await early?.bitmap)?.close();
      } catch (thrown) {
        if (!(thrown instanceof ServiceError) || repairedPng(opened.bytes) === undefined) throw thrown;
      }
      return decodeRepaired(opened.bytes, { isCutOff: !hasPngEnd(bytes), isOverlooked }, options);
    },
    async metadata(file) {
      const { exif, xmp } = (await open(file)).png;
      return { exif, xmp };
    },
  },
  encoder: {
    lossy: false,
    alpha: true,
    pngColors: true,
    keepsValues: () => true,
    async encode(picture) {
      if (picture.kind !== "pixels" || !picture.hasAlpha)
        return (await encodeNatively(picture, TYPE)) ?? notWritten("PNG");
      const { encodePng } = await import("../wasm/png.ts");
      const bytes = await encodePng(await wasmModule(wasmUrl), picture.pixels, picture.width, picture.height);
      return new Blob([new Uint8Array(bytes)], { type: TYPE });
    },
    async withMetadata(encoded, metadata) {
      return withPngMetadata(await bytesOf(encoded), metadata);
    },
  },
};

interface OpenPng {
  readonly png: Png;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What the browser decodes. */
  readonly plain: Blob;
}

interface EarlyBitmap {
  readonly file: Blob;
  readonly hasAlpha: boolean;
  /** Undefined where decoding fails. */
  readonly bitmap: Promise<ImageBitmap | undefined>;
}

async function open(file: Blob): Promise<OpenPng> {
  const bytes = await bytesOf(file);
  try {
    const png = readPng(bufferSource(bytes));
    const isPlain = png.exif === undefined && !png.hasIdleProfile;
    return { png, bytes, plain: isPlain ? file : plainPng(bytes, png) };
  } catch (thrown) {
    const repaired = repairedPng(bytes);
    if (repaired === undefined) throw thrown;
    return openMended(repaired);
  }
}

function openMended(bytes: Uint8Array<ArrayBuffer>): OpenPng {
  const png = readPng(bufferSource(bytes));
  return { png, bytes, plain: plainPng(bytes, png) };
}

async function decode(
  { png, bytes, plain }: OpenPng,
  options: DecodeOptions,
  early?: EarlyBitmap,
): Promise<Picture> {
  const hasAlpha = mayBeTransparent(png);
  const ready = await early?.bitmap;
  if (ready !== undefined && early?.file === plain && png.colors.kind === "unknown")
    return bitmapPicture(ready, hasAlpha, undefined, true);
  ready?.close();
  const tag = tagOf(png, options);
  const { isExact, isTagged } = tag;
  const isAlphaExact = options.exactAlpha && hasAlpha && (isTagged || isSrgb(png));
  const stays = isExact || (isTagged && (options.exactValues === true || options.profile === "keep"));
  const staysNatively = stays && !isAlphaExact && (await canKeepValues());
  if (!staysNatively && (isExact || isAlphaExact || (isTagged && options.exactValues))) {
    const exactly = await decodeExactly(bytes, png, tag);
    if (exactly !== undefined) return exactly;
  }
  const bitmap = uprightBitmap(await decodeNatively(plain, TYPE, staysNatively), png.orientation);
  const isAsStored = png.orientation === 1 && png.colors.kind === "unknown";
  const picture = bitmapPicture(bitmap, hasAlpha, staysNatively ? tag.icc : undefined, isAsStored);
  return staysNatively ? { ...picture, pngColors: tag.pngColors } : picture;
}

/** What stands before the pixels, where the file's beginning tells. */
async function headerOf(file: Blob): Promise<Png | undefined> {
  const head = bufferSource(await headOf(file));
  try {
    return readPng(head, "pixels");
  } catch {
    return undefined;
  }
}

/** The browser's decoding, begun before all of the file is read here, for files that nothing speaks against. */
async function decodingEarly(file: Blob, options: DecodeOptions): Promise<EarlyBitmap | undefined> {
  const header = await headerOf(file);
  if (header === undefined || header.exif !== undefined || header.colors.kind !== "unknown") return;
  if (header.hasIdleProfile) return;
  const hasAlpha = mayBeTransparent(header);
  if (options.profile === "keep" || (options.exactAlpha && hasAlpha)) return;
  return { file, hasAlpha, bitmap: decodeNatively(file, TYPE).catch(() => undefined) };
}

/**
 * The browser's picture of a file that says all it has to say before its pixels, which is then not read here: that would
 * take as long again as the browser takes to read it, at the same time. Nothing where anything is wrong with the file.
 */
async function decodedUnread(file: Blob, { bitmap, hasAlpha }: EarlyBitmap): Promise<Picture | undefined> {
  if ((await overlooksDamage()) || !endsBehindPixels(await tailOf(file))) return undefined;
  const decoded = await bitmap;
  return decoded && bitmapPicture(decoded, hasAlpha, undefined, true);
}

/** What is known of the damage. */
interface Damage {
  readonly isCutOff: boolean;
  /** Whether the browser would make what it can of it, and not tell. */
  readonly isOverlooked: boolean;
}

/** Decodes what damaged pixels still give, where mending what is around them does not help. */
async function decodeRepaired(
  bytes: Uint8Array<ArrayBuffer>,
  { isCutOff, isOverlooked }: Damage,
  options: DecodeOptions,
): Promise<Picture> {
  const repaired = repairedPng(bytes) ?? bytes;
  try {
    if (!isOverlooked) return await decode(openMended(repaired), options);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.code !== "damaged_file") throw thrown;
  }
  const recompressed = await recompressedPng(repaired, isCutOff ? "refused" : "blank");
  const mended = openMended(recompressed.bytes);
  return withBlankRows(await decode(mended, options), mended.png, recompressed.blankRows);
}

/** Makes rows black, or transparent where the picture may be: decoded, they are what the value 0 stands for. */
function withBlankRows(picture: Picture, png: Png, rows: readonly number[]): Picture {
  if (rows.length === 0 || png.orientation !== 1) return picture;
  const { width, height, icc, pngColors } = picture;
  const pixels = pixelsOf(picture);
  release(picture);
  const blank = mayBeTransparent(png) ? [0, 0, 0, 0] : [0, 0, 0, 255];
  for (const row of rows) {
    for (let at = 4 * width * row; at < 4 * width * (row + 1); at += 4) pixels.set(blank, at);
  }
  return { ...pixelPicture(pixels, width, height, icc), pngColors };
}

/** What goes along with values that stay as they are in the file, and says which colours they are. */
interface Tag {
  readonly icc?: Uint8Array;
  readonly pngColors?: readonly PngChunk[];
  /** Whether there is either. */
  readonly isTagged: boolean;
  /** Whether they have to stay. */
  readonly isExact: boolean;
}

/**
 * How values decoded as red, green and blue may stay. Those with an exponent of their own always stay: other programs
 * that read them do not look at the exponent.
 */
function tagOf(png: Png, { profile = "convert", pngColors = false }: DecodeOptions): Tag {
  const untagged = { isTagged: false, isExact: false };
  if (profile === "convert") return untagged;
  const { colors, colorChunks } = png;
  switch (colors.kind) {
    case "srgb":
    case "unknown":
      return untagged;
    case "icc": {
      return profileComponents(colors.profile) === 3
        ? { icc: colors.profile, isTagged: true, isExact: false }
        : untagged;
    }
    case "cicp":
      return pngColors ? { pngColors: colorChunks, isTagged: true, isExact: false } : untagged;
    case "calibrated": {
      const { gamma, chromaticities } = colors;
      const isOwn = gamma !== undefined && !isUsual(gamma);
      if (pngColors) return { pngColors: colorChunks, isTagged: true, isExact: isOwn };
      const icc = isOwn ? calibratedProfile({ gamma, chromaticities }) : undefined;
      return icc === undefined ? untagged : { icc, isTagged: true, isExact: true };
    }
  }
}

/** Whether the values are sRGB as they are: what says nothing of its colours is taken for sRGB. */
function isSrgb({ colors }: Png): boolean {
  switch (colors.kind) {
    case "srgb":
    case "unknown":
      return true;
    case "cicp":
      return colors.primaries === SRGB.primaries && colors.transfer === SRGB.transfer;
    case "calibrated":
      return colors.gamma === undefined || isUsual(colors.gamma);
    case "icc":
      return false;
  }
}

function isUsual(gamma: number): boolean {
  return Math.abs(gamma - SRGB_GAMMA) < SAME_GAMMA;
}

/** Nothing where the decoder fails: it is stricter than browsers, which may still get a picture out of the file. */
async function decodeExactly(
  bytes: Uint8Array<ArrayBuffer>,
  png: Png,
  { icc, pngColors }: Tag,
): Promise<Picture | undefined> {
  const { decodePng } = await import("../wasm/png.ts");
  const module = await wasmModule(wasmUrl);
  // It gives up at a profile that makes no sense, too.
  const decodeValues = () => decodePng(module, repairedPng(bytes, "values") ?? bytes);
  const image = await decodePng(module, bytes)
    .catch(decodeValues)
    .catch(() => undefined);
  if (image === undefined) return undefined;
  const { width, height } = image;
  const picture = pixelPicture(ownBytes(image.data), width, height, icc);
  return uprightPixels({ ...picture, pngColors }, png.orientation);
}
