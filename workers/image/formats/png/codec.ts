import wasmUrl from "@jsquash/png/codec/pkg/squoosh_png_bg.wasm?url";
import { outOfMemory } from "../../../../src/shared/failure.ts";
import { isOutOfMemory } from "../../../../src/shared/job-failure.ts";
import { bytesOf } from "../../../io/file-bytes.ts";
import { bufferSource } from "../../../io/source.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import { canvasReadback } from "../../browser/canvas-readback.ts";
import { cannotBeDecoded, decodeNatively } from "../../browser/decode-natively.ts";
import { calibratedProfile } from "../../color/calibrated-profile.ts";
import { decodingColors } from "../../color/color-management-probe.ts";
import { convertToSrgb, inPolicyColors } from "../../color/convert-picture.ts";
import { type ColorDecision, statedProfile } from "../../color/decide-colors.ts";
import { type ColorRecord, hasMetadata } from "../../metadata/metadata.ts";
import { bitmapPicture, pixelPicture, pixelsOf } from "../../picture/convert-layout.ts";
import { decodedPicture, type Picture, type PixelPicture } from "../../picture/picture.ts";
import { uprightBitmap, uprightPixels, uprightSize } from "../../picture/upright.ts";
import type { Codec, DecodeOptions } from "../codec.ts";
import { encodeNatively } from "../encode-natively.ts";
import { unsupportedKind } from "../rare-kind.ts";
import { hasIntactPixels, plainPng, withPngMetadata } from "./chunks.ts";
import { colorOf, isUsual } from "./colors.ts";
import { mayBeTransparent, type Png, readPng } from "./read-png.ts";
import { decodePng, encodePng } from "./wasm/png.ts";

const TYPE = "image/png";

/**
 * PNG, decoded to 8 bits per value, as browsers do. Browsers decode a copy without the chunks on which they disagree.
 * The orientation in EXIF is applied here.
 */
export const codec: Codec = {
  decoder: {
    async open(file) {
      const bytes = await bytesOf(file);
      const png = readPng(bufferSource(bytes));
      const { width, height, resolution, exif, xmp, isTooLong } = png;
      return [
        {
          ...{ width, height, resolution, hasAlpha: mayBeTransparent(png) },
          shown: uprightSize(png, png.orientation),
          layouts: ["bitmap", "rgba"],
          decode: (options) => decode({ png, bytes, plain: plainPng(file, bytes, png) }, options),
          metadata: async () => ({ exif, xmp, isTooLong }),
        },
      ];
    },
  },
  encoder: {
    lossy: false,
    alpha: true,
    colorLabels: "icc and records",
    accepts: () => ({ layouts: ["bitmap", "rgba"], fidelity: "exact" }),
    async encode(picture, { metadata }) {
      const encoded = await encodePicture(decodedPicture(picture));
      return hasMetadata(metadata) ? withPngMetadata(await bytesOf(encoded), metadata) : encoded;
    },
  },
};

/** Encodes with the browser where that keeps every value. Otherwise uses the WebAssembly encoder. */
async function encodePicture(picture: Picture): Promise<Blob> {
  const isExact = picture.layout !== "rgba" || (!picture.hasAlpha && (await canvasReadback("exactly")));
  const native = isExact ? await encodeNatively(picture, TYPE) : undefined;
  if (native !== undefined) return native;
  const { width, height } = picture;
  const bytes = await encodePng(await wasmModule(wasmUrl), pixelsOf(picture), width, height);
  return new Blob([bytes], { type: TYPE });
}

interface OpenPng {
  readonly png: Png;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The copy that the browser decodes. */
  readonly plain: Blob;
}

/**
 * Decodes a PNG with the browser. Uses the WebAssembly decoder where the browser would change values or alpha that must
 * stay, and where its canvas cannot be read.
 *
 * @throws {ServiceError} `damaged_file`; `unsupported_conversion` for Apple's variant
 */
async function decode(opened: OpenPng, options: DecodeOptions): Promise<Picture> {
  const { png } = opened;
  if (png.isCgbi) throw unsupportedKind("PNG", "CgBI");
  const { fidelity, colors: policy } = options;
  const stated = statedColors(png, options);
  const { mustStay, isStated } = stated;
  const needsExactValues = mustStay || (isStated && fidelity === "exact");
  const needsExactAlpha = fidelity !== "display" && mayBeTransparent(png) && (isStated || isPlainSrgb(png));
  const mayStay = needsExactValues || (isStated && policy.profile === "keep");
  const canReadBack = await canvasReadback(fidelity === "exact" ? "exactly" : "closely");
  const color = colorOf(png.colors);
  const decision = await decodingColors(color, mayStay && !needsExactAlpha && canReadBack);
  if (!decision.stays && (needsExactValues || needsExactAlpha)) {
    const exact = await decodeExactly(opened, stated);
    if (exact !== undefined) return exact;
  }
  if (!canReadBack) {
    const values = await decodeExactly(opened, NOT_STATED);
    if (values !== undefined) return inPolicyColors(values, color, policy.profile);
    if (!(await canvasReadback("closely"))) throw cannotBeDecoded("PNG");
  }
  return decodeInBrowser(opened, decision, stated);
}

async function decodeInBrowser(
  { png, bytes, plain }: OpenPng,
  { keepValues, stays, convertFrom }: ColorDecision,
  { icc, colorRecords }: StatedColors,
): Promise<Picture> {
  // Some browsers decode damaged pixels without an error.
  if (!hasIntactPixels(bytes)) throw cannotBeDecoded("PNG");
  const bitmap = uprightBitmap(await decodeNatively(plain, TYPE, keepValues), png.orientation);
  const picture = bitmapPicture(bitmap, mayBeTransparent(png), stays ? icc : undefined, isPlain(png));
  return stays ? { ...picture, colorRecords } : convertToSrgb(picture, convertFrom);
}

/** How the output states the color space of values that are not converted. */
interface StatedColors {
  readonly icc?: Uint8Array;
  readonly colorRecords?: readonly ColorRecord[];
  /** Whether there is a profile or records. */
  readonly isStated: boolean;
  /** Whether the values must not be converted. */
  readonly mustStay: boolean;
}

const NOT_STATED: StatedColors = { isStated: false, mustStay: false };

/**
 * Returns how values may stay unconverted. Values with a gamma of their own always stay, because other programs ignore
 * the gamma.
 */
function statedColors(png: Png, { colors: { profile, records } }: DecodeOptions): StatedColors {
  if (profile === "convert") return NOT_STATED;
  const { colors, colorChunks } = png;
  switch (colors.kind) {
    case "srgb":
    case "unknown":
      return NOT_STATED;
    case "icc": {
      const icc = statedProfile(colors.profile, profile);
      return icc === undefined ? NOT_STATED : { icc, isStated: true, mustStay: false };
    }
    case "cicp":
      return records ? { colorRecords: colorChunks, isStated: true, mustStay: false } : NOT_STATED;
    case "calibrated": {
      const { gamma, chromaticities } = colors;
      const own = isUsual(gamma) ? undefined : gamma;
      if (records) return { colorRecords: colorChunks, isStated: true, mustStay: own !== undefined };
      const icc = own === undefined ? undefined : calibratedProfile({ gamma: own, chromaticities });
      return icc === undefined ? NOT_STATED : { icc, isStated: true, mustStay: true };
    }
  }
}

/** Whether the picture is its values: not rotated and not converted. */
function isPlain(png: Png): boolean {
  return png.orientation === 1 && isPlainSrgb(png);
}

/** Whether the values are sRGB. This is the default. */
function isPlainSrgb({ colors }: Png): boolean {
  return colors.kind === "srgb" || colors.kind === "unknown";
}

/**
 * Decodes exact values. Returns `undefined` when the decoder fails. It is stricter than browsers, which may still
 * decode the file.
 */
async function decodeExactly(
  { png, plain }: OpenPng,
  { icc, colorRecords }: StatedColors,
): Promise<PixelPicture | undefined> {
  // The plain file has no invalid profile, at which the decoder would fail.
  const bytes = await bytesOf(plain);
  const module = await wasmModule(wasmUrl);
  const image = await decodePng(module, bytes).catch((thrown: unknown) => {
    if (isOutOfMemory(thrown)) throw outOfMemory();
    return undefined;
  });
  if (image === undefined) return undefined;
  const { width, height } = image;
  const picture = pixelPicture(image.data, width, height, icc);
  return uprightPixels({ ...picture, colorRecords }, png.orientation);
}
