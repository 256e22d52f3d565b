import type { Color } from "./color/color.ts";
import { conversionToSrgb, rgbProfile } from "./color/color-description.ts";
import { profileComponents } from "./color/icc.ts";
import type { Decoders, EncoderTraits, SourceImage } from "./formats/codec.ts";
import { type Bounds, fittingSize, type Size } from "./picture/size.ts";

/** The parts of a request that decide how an image is converted. */
export interface DecisionOptions extends Bounds {
  readonly from: string;
  readonly to: string;
  readonly quality?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly keepMetadata?: boolean | undefined;
}

/** What a browser can do. See `thisBrowser` in browser-traits.ts. */
export interface BrowserTraits {
  /** How a canvas returns the values that were drawn on it. Some browsers change them against fingerprinting. */
  readonly readback: "exact" | "close" | "noise";
  /** Whether it can decode without converting colors. */
  readonly canKeepValues: boolean;
  /** Whether it converts to sRGB. Firefox converts to the colors of the screen or, with some settings, not at all. */
  readonly convertsToSrgb: boolean;
}

/** How one image is converted. */
export interface Decision {
  /**
   * Whether the output gets the coded data of the file, unless the file is damaged. The image is still decoded, as a
   * check.
   */
  readonly copies: boolean;
  /** How the image is decoded. The next way is taken when a decoder returns nothing. */
  readonly decodings: readonly Decoding[];
  /** The size of the output, if the picture must become smaller. */
  readonly smaller: Size | undefined;
  /** Whether a smaller picture stays in planes, which the encoder takes. Otherwise it becomes pixels with full chroma. */
  readonly keepsPlanes: boolean;
  /** Whether transparent pixels get a background. */
  readonly flattensAlpha: boolean;
}

/** A way to decode an image. */
export interface Decoding {
  readonly decoder: keyof Decoders;
  readonly colors: ColorDecision;
}

/**
 * What happens to the values of an image.
 *
 * - `keep`: they stay as stored. The output states their profile. Without a profile, they are sRGB.
 * - `convert`: Stayput converts them to sRGB.
 * - `decoder converts`: the browser, or the decoder of CMYK, converts them to sRGB.
 */
export type ColorDecision =
  | { readonly kind: "keep"; readonly icc: Uint8Array | undefined }
  | { readonly kind: "convert"; readonly from: Color }
  | { readonly kind: "decoder converts" };

/** The transfer functions of high dynamic range, PQ and HLG (ITU-T H.273, table 3). */
const BRIGHT_CURVES: readonly number[] = [16, 18];

/** Decides how one image is converted. Depends on nothing but its parameters. */
export function decide(
  image: Omit<SourceImage, "metadata" | "resolution">,
  encoder: EncoderTraits,
  { from, to, quality, maxBytes, keepMetadata = false, ...bounds }: DecisionOptions,
  browser: BrowserTraits,
): Decision {
  const { shown, hasAlpha, isLossless = false, decoders } = image;
  const fitting = fittingSize(shown, bounds);
  const smaller = fitting === shown ? undefined : fitting;
  const changesPixels = smaller !== undefined || (encoder.lossy && quality !== undefined);
  const copies = from === to && image.coded !== undefined && !changesPixels;
  const accepted = encoder.accepts({ hasAlpha, ...fitting }, quality);
  // An image whose coded data is copied is decoded as a check, and encoded if it exceeds `max_bytes`.
  const fidelity = copies && maxBytes === undefined ? "display" : accepted.fidelity;
  const takesPlanes = accepted.planes && (fidelity !== "exact" || decoders.browser === undefined);
  const needs: Needs = {
    keepMetadata,
    statesProfile: encoder.metadata,
    // A picture is scaled in any layout, and planes take half the time of pixels. For exact values, planes become pixels,
    // which browsers make faster.
    planes: takesPlanes || smaller !== undefined,
    // Of a smaller picture, no value is that of the file.
    exactValues: isLossless && fidelity === "exact" && smaller === undefined,
    exactAlpha: hasAlpha && fidelity !== "display" && decoders.pixels !== undefined,
  };
  return {
    copies,
    decodings: decideDecodings(image, needs, browser),
    smaller,
    keepsPlanes: accepted.planes,
    flattensAlpha: !encoder.alpha,
  };
}

/** What the output needs of the decoded picture. */
interface Needs {
  readonly keepMetadata: boolean;
  /** Whether the output can state an ICC profile. */
  readonly statesProfile: boolean;
  /** Whether the picture may be in planes. */
  readonly planes: boolean;
  /** Whether every value must be that of the file. */
  readonly exactValues: boolean;
  /** Whether colors under partial transparency must be exact. A canvas multiplies them by alpha and rounds them. */
  readonly exactAlpha: boolean;
}

/** An image, as far as its decoding is decided. */
type Decodable = Pick<SourceImage, "color" | "decoders">;

/** Decides which decoders are used, in their order, and what happens to colors. */
function decideDecodings(image: Decodable, needs: Needs, browser: BrowserTraits): readonly Decoding[] {
  const { color, decoders } = image;
  const usesBrowser = decoders.browser !== undefined && browser.readback !== "noise";
  const icc = keptProfile(color, needs, usesBrowser);
  const colorsBy = (decoder: keyof Decoders) => decideColors(decoder, color, icc, browser);

  const isOurs = decoders.browser === undefined;
  const mayUsePlanes = needs.planes && (usesBrowser || isOurs) && colorsBy("planes").kind === "keep";
  const isExactInBrowser =
    usesBrowser &&
    !needs.exactAlpha &&
    (!needs.exactValues || browser.readback === "exact") &&
    (icc === undefined || browser.canKeepValues) &&
    !isCmyk(color);
  const mayUsePixels = icc !== undefined || isCmyk(color) || isConvertible(color) || !usesBrowser;

  const order: readonly (keyof Decoders)[] = [
    ...(decoders.planes && mayUsePlanes ? (["planes"] as const) : []),
    ...(decoders.pixels && mayUsePixels && !isExactInBrowser ? (["pixels"] as const) : []),
    ...(decoders.browser ? (["browser"] as const) : []),
  ];
  return order.map((decoder) => ({ decoder, colors: colorsBy(decoder) }));
}

/**
 * Returns the profile that values stay in, if they do not become sRGB.
 *
 * They stay where the output can state their color space and a conversion would lose something: when exact values are
 * needed, or when our own codecs decode the picture. So a HEIC in Display P3 stays in Display P3. Browsers convert while
 * they decode, and every viewer shows sRGB.
 */
function keptProfile(
  color: Color | undefined,
  { keepMetadata, statesProfile, exactValues, exactAlpha }: Needs,
  usesBrowser: boolean,
): Uint8Array | undefined {
  const isSrgb = conversionToSrgb(color) === "none";
  const stays = keepMetadata || (!isSrgb && (exactValues || exactAlpha || !usesBrowser));
  return statesProfile && stays ? rgbProfile(color) : undefined;
}

/**
 * Decides what happens to the values that a decoder gives.
 *
 * @param icc the profile that they stay in, if they do not become sRGB
 */
function decideColors(
  decoder: keyof Decoders,
  color: Color | undefined,
  icc: Uint8Array | undefined,
  { canKeepValues, convertsToSrgb }: BrowserTraits,
): ColorDecision {
  if (icc !== undefined && (decoder !== "browser" || canKeepValues)) return { kind: "keep", icc };
  // Of an image without a color space, there is nothing that a browser could convert.
  const browserConverts = color === undefined || convertsToSrgb || !canKeepValues || !isConvertible(color);
  if (isCmyk(color) || (decoder === "browser" && browserConverts)) return { kind: "decoder converts" };
  const isSrgb = color === undefined || conversionToSrgb(color) === "none";
  return isSrgb ? { kind: "keep", icc: undefined } : { kind: "convert", from: color };
}

/** Whether Stayput converts what a browser can decode. Lookup tables, PQ and HLG are left to the browser. */
function isConvertible(color: Color | undefined): boolean {
  if (color?.kind === "nclx") return !BRIGHT_CURVES.includes(color.transfer);
  return conversionToSrgb(color) !== "tables";
}

/** Whether the values are CMYK with a profile. Our decoder converts them, because browsers convert CMYK inexactly. */
function isCmyk(color: Color | undefined): boolean {
  return color?.kind === "icc" && profileComponents(color.profile) === 4;
}
