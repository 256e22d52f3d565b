import { describe, expect, test, vi } from "vitest";
import type { FormatId } from "../../../../src/shared/formats.ts";
import { type Color, profileColor, SRGB_COLOR } from "../../../../workers/image/color/color.ts";
import { rgbProfile } from "../../../../workers/image/color/color-description.ts";
import {
  type BrowserTraits,
  type ColorDecision,
  type Decision,
  type DecisionOptions,
  decide,
} from "../../../../workers/image/decide.ts";
import type { Decoders, SourceImage } from "../../../../workers/image/formats/codec.ts";
import { encoderOf } from "../../../../workers/image/formats/codecs.ts";
import { PDF_TRAITS } from "../../../../workers/image/to-pdf/embed-decoded.ts";
import { displayP3, grayProfile, makeProfile, srgbProfile } from "../../../support/fixtures/image/icc.ts";
import { inkProfile } from "../../../support/fixtures/image/ink-profile.ts";

vi.mock("../../../../workers/wasm/simd-support.ts", () => ({ supportsSimd: () => true }));

const CHROMIUM: BrowserTraits = { readback: "exact", canKeepValues: true, convertsToSrgb: true };
const FIREFOX: BrowserTraits = { readback: "exact", canKeepValues: true, convertsToSrgb: false };
const OLD_WEBKIT: BrowserTraits = { readback: "exact", canKeepValues: false, convertsToSrgb: true };
const BRAVE: BrowserTraits = { ...CHROMIUM, readback: "close" };
const TOR: BrowserTraits = { ...FIREFOX, readback: "noise" };

const codePoints = (primaries: number, transfer: number): Color => ({
  ...{ kind: "nclx", primaries, transfer, matrix: 6, fullRange: true },
});
const P3 = profileColor(displayP3());
const P3_BY_CODE_POINTS = codePoints(12, 13);
const SRGB_PROFILE = profileColor(srgbProfile());
const GRAY = profileColor(grayProfile(1.8));
const TABLES = profileColor(makeProfile({ kind: "mntrRGB XYZ ", version: 4 }, [["A2B0", new Uint8Array(4)]]));
const CMYK = profileColor(inkProfile());
const PQ = codePoints(9, 16);

const never = () => Promise.reject(new Error("nothing is decoded to decide"));

/** The decoders of a usual file of each format, and whether its coded data can be copied. */
const FORMATS: Readonly<Record<string, Pick<SourceImage, "decoders" | "isLossless" | "coded" | "color">>> = {
  jpg: { decoders: { planes: never, pixels: never, browser: never }, coded: never },
  "jpg that is turned": { decoders: { pixels: never, browser: never } },
  "jpg without profile in CMYK": { decoders: { browser: never } },
  png: { decoders: { pixels: never, browser: never }, coded: never, isLossless: true },
  "png that is turned": { decoders: { pixels: never, browser: never }, isLossless: true },
  webp: { decoders: { planes: never, pixels: never, browser: never }, coded: never },
  "lossless webp": { decoders: { pixels: never, browser: never }, coded: never, isLossless: true },
  "moving webp": { decoders: { browser: never } },
  heic: { decoders: { planes: never, pixels: never } },
  "heic that is cropped": { decoders: { pixels: never } },
  avif: { decoders: { browser: never }, color: SRGB_COLOR },
  gif: { decoders: { browser: never } },
  bmp: { decoders: { browser: never }, color: SRGB_COLOR },
  tiff: { decoders: { pixels: never }, isLossless: true },
  jxl: { decoders: { pixels: never, browser: never }, color: SRGB_COLOR },
  "jxl that only we decode": { decoders: { pixels: never }, color: SRGB_COLOR },
};

interface Case extends Omit<DecisionOptions, "from" | "to"> {
  readonly color?: Color;
  readonly hasAlpha?: boolean;
  readonly browser?: BrowserTraits;
  readonly size?: readonly [width: number, height: number];
}

function decided(kind: string, to: FormatId, options: Case = {}): Decision {
  const { hasAlpha = false, browser = CHROMIUM, size = [4000, 3000], color, ...others } = options;
  const [width, height] = size;
  const facts = FORMATS[kind];
  if (facts === undefined) throw new Error(kind);
  const stated = color ?? facts.color;
  const image = { width, height, shown: { width, height }, hasAlpha, ...facts, color: stated };
  const from = (["jpg", "png", "webp", "heic", "avif", "gif", "bmp", "tiff", "jxl"] as const).find((one) =>
    kind.split(" ").includes(one),
  );
  return decide(
    image,
    to === "pdf" ? PDF_TRAITS : encoderOf(to),
    { from: from ?? "", to, ...others },
    browser,
  );
}

/** A decoding in words: the decoder, and what happens to colors. */
type Words = `${keyof Decoders} ${"keeps" | "keeps profile" | "then convert" | "converts"}`;

function inWords({ decodings }: Decision): readonly Words[] {
  const what = (colors: ColorDecision) => {
    if (colors.kind === "keep") return colors.icc === undefined ? "keeps" : "keeps profile";
    return colors.kind === "convert" ? "then convert" : "converts";
  };
  return decodings.map(({ decoder, colors }) => `${decoder} ${what(colors)}` as const);
}

const BROWSER: readonly Words[] = ["browser converts"];

describe("how an image is decoded", () => {
  test.each<[kind: string, to: FormatId, options: Case, words: readonly Words[]]>([
    // sRGB, as most files.
    ["jpg", "jpg", {}, ["planes keeps", "browser converts"]],
    ["jpg", "jpg", { quality: 0.8 }, ["planes keeps", "browser converts"]],
    ["jpg", "jpg", { quality: 1 }, BROWSER],
    ["jpg", "jpg", { size: [40, 30] }, BROWSER],
    ["jpg", "png", {}, BROWSER],
    ["jpg", "webp", {}, BROWSER],
    ["jpg", "avif", {}, BROWSER],
    ["jpg", "pdf", {}, BROWSER],
    ["jpg", "pdf", { quality: 0.8 }, ["planes keeps", "browser converts"]],
    ["jpg that is turned", "jpg", {}, BROWSER],
    ["jpg without profile in CMYK", "png", {}, BROWSER],
    ["png", "jpg", {}, BROWSER],
    ["png", "png", {}, BROWSER],
    ["png", "webp", {}, BROWSER],
    ["png", "pdf", {}, BROWSER],
    ["webp", "jpg", {}, ["planes keeps", "browser converts"]],
    ["webp", "webp", {}, BROWSER],
    ["webp", "pdf", {}, BROWSER],
    ["webp", "pdf", { quality: 0.8 }, ["planes keeps", "browser converts"]],
    ["heic", "pdf", {}, ["planes keeps", "pixels keeps"]],
    ["lossless webp", "png", {}, BROWSER],
    ["moving webp", "png", {}, BROWSER],
    ["heic", "jpg", {}, ["planes keeps", "pixels keeps"]],
    ["heic", "jpg", { size: [40, 30] }, ["pixels keeps"]],
    ["heic", "jpg", { size: [40, 30], quality: 0.8 }, ["planes keeps", "pixels keeps"]],
    ["heic", "png", {}, ["pixels keeps"]],
    ["heic that is cropped", "jpg", {}, ["pixels keeps"]],
    ["avif", "png", {}, BROWSER],
    ["gif", "png", {}, BROWSER],
    ["tiff", "jpg", {}, ["pixels keeps"]],
    ["tiff", "jpg", { color: P3 }, ["pixels keeps profile"]],
    ["tiff", "avif", { color: P3 }, ["pixels then convert"]],
    ["tiff", "pdf", { color: CMYK }, ["pixels converts"]],
    ["bmp", "webp", {}, BROWSER],
    ["jxl", "png", {}, BROWSER],
    ["jxl", "webp", { hasAlpha: true }, ["pixels keeps", "browser converts"]],
    ["jxl that only we decode", "png", {}, ["pixels keeps"]],
    ["jxl that only we decode", "jpg", { color: P3_BY_CODE_POINTS }, ["pixels keeps profile"]],
    ["jxl that only we decode", "avif", { color: P3_BY_CODE_POINTS }, ["pixels then convert"]],
    ["jxl that only we decode", "png", { color: PQ }, ["pixels then convert"]],
    // A smaller picture, of any layout.
    ["jpg", "png", { maxWidth: 1600 }, ["planes keeps", "browser converts"]],
    ["webp", "png", { maxWidth: 1600 }, ["planes keeps", "browser converts"]],
    ["heic", "jpg", { maxWidth: 40 }, ["planes keeps", "pixels keeps"]],
    ["png", "png", { maxWidth: 1600, color: P3 }, BROWSER],
    // Transparency.
    ["png", "png", { hasAlpha: true }, BROWSER],
    ["png", "png", { hasAlpha: true, maxBytes: 99 }, ["pixels keeps", "browser converts"]],
    ["png that is turned", "png", { hasAlpha: true }, ["pixels keeps", "browser converts"]],
    ["png", "webp", { hasAlpha: true, quality: 0.5 }, ["pixels keeps", "browser converts"]],
    ["png", "avif", { hasAlpha: true }, ["pixels keeps", "browser converts"]],
    ["png", "pdf", { hasAlpha: true, quality: 0.5 }, ["pixels keeps", "browser converts"]],
    ["png", "jpg", { hasAlpha: true }, BROWSER],
    ["moving webp", "png", { hasAlpha: true }, BROWSER],
    ["gif", "png", { hasAlpha: true }, BROWSER],
    // Display P3.
    ["heic", "jpg", { color: P3 }, ["planes keeps profile", "pixels keeps profile"]],
    ["heic", "jpg", { color: P3_BY_CODE_POINTS }, ["planes keeps profile", "pixels keeps profile"]],
    ["heic", "png", { color: P3_BY_CODE_POINTS }, ["pixels keeps profile"]],
    ["heic", "pdf", { color: P3_BY_CODE_POINTS }, ["planes keeps profile", "pixels keeps profile"]],
    ["heic", "avif", { color: P3 }, ["pixels then convert"]],
    ["heic", "avif", { color: P3, maxWidth: 1600 }, ["pixels then convert"]],
    ["jpg that is turned", "jpg", { color: P3 }, BROWSER],
    ["jpg that is turned", "png", { color: P3 }, BROWSER],
    ["jpg that is turned", "png", { color: P3, keepMetadata: true }, ["browser keeps profile"]],
    ["png", "jpg", { color: P3 }, BROWSER],
    ["png", "webp", { color: P3 }, BROWSER],
    ["png", "webp", { color: P3, quality: 1 }, ["browser keeps profile"]],
    ["png", "pdf", { color: P3_BY_CODE_POINTS }, ["browser keeps profile"]],
    ["png that is turned", "png", { color: P3 }, ["browser keeps profile"]],
    ["png", "webp", { color: P3, hasAlpha: true }, ["pixels keeps profile", "browser keeps profile"]],
    ["png", "avif", { color: P3, hasAlpha: true }, ["pixels then convert", "browser converts"]],
    ["webp", "png", { color: P3 }, BROWSER],
    ["lossless webp", "png", { color: P3 }, ["browser keeps profile"]],
    ["avif", "png", { color: P3 }, BROWSER],
    ["avif", "png", { color: P3, keepMetadata: true }, ["browser keeps profile"]],
    // sRGB by a profile, which stays with the other metadata only.
    ["jpg", "jpg", { color: SRGB_PROFILE, quality: 0.8 }, ["planes keeps", "browser converts"]],
    [
      "jpg",
      "jpg",
      { color: SRGB_PROFILE, keepMetadata: true },
      ["planes keeps profile", "browser keeps profile"],
    ],
    ["png", "webp", { color: SRGB_PROFILE, hasAlpha: true }, ["pixels keeps", "browser converts"]],
    ["heic", "jpg", { color: SRGB_PROFILE }, ["planes keeps", "pixels keeps"]],
    // Profiles that fit no RGB output, and those that only browsers or our CMYK decoder convert.
    ["png", "webp", { color: GRAY, hasAlpha: true }, ["pixels then convert", "browser converts"]],
    ["png that is turned", "png", { color: GRAY }, BROWSER],
    ["png", "avif", { color: TABLES, hasAlpha: true }, BROWSER],
    ["png", "webp", { color: TABLES, hasAlpha: true }, ["pixels keeps profile", "browser keeps profile"]],
    ["png", "webp", { color: PQ, hasAlpha: true }, BROWSER],
    ["jpg that is turned", "png", { color: CMYK }, ["pixels converts", "browser converts"]],
    [
      "jpg that is turned",
      "png",
      { color: CMYK, keepMetadata: true },
      ["pixels converts", "browser converts"],
    ],
    // A browser that converts to the colors of the screen.
    ["jpg that is turned", "png", { color: P3, browser: FIREFOX }, ["browser then convert"]],
    ["avif", "png", { browser: FIREFOX }, ["browser keeps"]],
    ["bmp", "png", { browser: FIREFOX }, ["browser keeps"]],
    ["gif", "png", { browser: FIREFOX }, BROWSER],
    ["avif", "png", { color: PQ, browser: FIREFOX }, BROWSER],
    ["jpg that is turned", "png", { color: TABLES, browser: FIREFOX }, BROWSER],
    [
      "jpg that is turned",
      "png",
      { color: P3, keepMetadata: true, browser: FIREFOX },
      ["browser keeps profile"],
    ],
    // A browser that always converts.
    ["avif", "png", { color: P3, keepMetadata: true, browser: OLD_WEBKIT }, BROWSER],
    [
      ...(["jpg that is turned", "png", { color: P3, keepMetadata: true, browser: OLD_WEBKIT }] as const),
      ["pixels keeps profile", "browser converts"],
    ],
    // Browsers that change the values of a canvas.
    ["png", "png", { browser: BRAVE }, BROWSER],
    ["png that is turned", "png", { browser: BRAVE }, ["pixels keeps", "browser converts"]],
    ["png", "jpg", { browser: BRAVE }, BROWSER],
    ["lossless webp", "png", { browser: BRAVE }, ["pixels keeps", "browser converts"]],
    ["webp", "png", { browser: BRAVE }, BROWSER],
    ["jpg", "jpg", { browser: TOR }, ["pixels keeps", "browser converts"]],
    ["jpg", "jpg", { color: P3, browser: TOR }, ["pixels keeps profile", "browser keeps profile"]],
    ["jpg", "avif", { color: P3, browser: TOR }, ["pixels then convert", "browser then convert"]],
    ["heic", "jpg", { browser: TOR }, ["planes keeps", "pixels keeps"]],
    ["gif", "png", { browser: TOR }, BROWSER],
    ["jxl", "png", { browser: TOR }, ["pixels keeps", "browser keeps"]],
  ])("%s to %s with %o", (kind, to, options, words) => {
    expect(inWords(decided(kind, to, options))).toEqual(words);
  });

  test("keeps the profile of the file, or one that says the same as its code points", () => {
    const iccOf = (color: Color) => {
      const [first] = decided("heic", "jpg", { color }).decodings;
      return first?.colors.kind === "keep" ? first.colors.icc : undefined;
    };
    expect(iccOf(P3)).toEqual(displayP3());
    expect(iccOf(P3_BY_CODE_POINTS)).toEqual(rgbProfile(P3_BY_CODE_POINTS));
  });
});

test.each<[kind: string, to: FormatId, options: Case, copies: boolean]>([
  ["jpg", "jpg", {}, true],
  ["png", "png", {}, true],
  ["webp", "webp", {}, true],
  ["png", "png", { keepMetadata: true, color: P3, hasAlpha: true }, true],
  ["png", "png", { maxWidth: 4000, maxHeight: 5000 }, true],
  ["png", "png", { quality: 0.5 }, true],
  ["jpg", "jpg", { quality: 0 }, false],
  ["webp", "webp", { quality: 0.8 }, false],
  ["jpg", "jpg", { maxWidth: 1600 }, false],
  ["png", "png", { maxHeight: 30 }, false],
  ["jpg that is turned", "jpg", {}, false],
  ["png that is turned", "png", {}, false],
  ["moving webp", "webp", {}, false],
  ["avif", "avif", {}, false],
  ["png", "webp", {}, false],
  ["jpg", "pdf", {}, false],
])("%s to %s with %o: the coded data is copied: %s", (kind, to, options, copies) => {
  expect(decided(kind, to, options).copies).toBe(copies);
});

test.each<[to: FormatId, options: Case, expected: Partial<Decision>]>([
  ["jpg", {}, { smaller: undefined, keepsPlanes: true }],
  ["jpg", { maxWidth: 1600 }, { smaller: { width: 1600, height: 1200 }, keepsPlanes: true }],
  ["jpg", { maxWidth: 1600, maxHeight: 300 }, { smaller: { width: 400, height: 300 }, keepsPlanes: false }],
  ["png", { maxWidth: 1600 }, { smaller: { width: 1600, height: 1200 }, keepsPlanes: false }],
  ["jpg", { maxWidth: 4000, maxHeight: 5000 }, { smaller: undefined }],
])("to %s with %o: the size, and whether planes stay planes", (to, options, expected) => {
  expect(decided("heic", to, options)).toMatchObject(expected);
});

test.each<[to: FormatId, flattensAlpha: boolean]>([
  ["jpg", true],
  ["png", false],
  ["webp", false],
  ["avif", false],
  ["pdf", false],
])("transparent pixels of a %s get a background: %s", (to, flattensAlpha) => {
  expect(decided("png", to, { hasAlpha: true }).flattensAlpha).toBe(flattensAlpha);
});
