import { describe, expect, test } from "vitest";
import {
  type Color,
  type ProfilePolicy,
  profileColor,
  SRGB_COLOR,
} from "../../../../../workers/image/color/color.ts";
import {
  type BrowserColors,
  type ColorDecision,
  decideColors,
  keptProfile,
  statedProfile,
} from "../../../../../workers/image/color/decide-colors.ts";
import { displayP3 } from "../../../../support/fixtures/image/icc.ts";

const P3 = displayP3();
const BY_PROFILE = profileColor(P3);
const codePoints = (primaries: number, transfer: number): Color => ({
  ...{ kind: "nclx", primaries, transfer, matrix: 6, fullRange: true },
});

const CHROMIUM: BrowserColors = { canKeepValues: true, convertsToSrgb: true };
const FIREFOX: BrowserColors = { canKeepValues: true, convertsToSrgb: false };
const OLD_WEBKIT: BrowserColors = { canKeepValues: false, convertsToSrgb: true };

const BY_BROWSER: ColorDecision = { keepValues: false, stays: false, convertFrom: undefined };
const STAYS: ColorDecision = { keepValues: true, stays: true, convertFrom: undefined };
const HERE: ColorDecision = { keepValues: true, stays: false, convertFrom: BY_PROFILE };

describe("a browser decodes an image", () => {
  test.each<[string, Color | undefined, boolean, BrowserColors, ColorDecision]>([
    ["a profile, by a browser that converts", BY_PROFILE, false, CHROMIUM, BY_BROWSER],
    ["a profile that may stay", BY_PROFILE, true, CHROMIUM, STAYS],
    ["a profile, by a browser that converts to the screen", BY_PROFILE, false, FIREFOX, HERE],
    ["a profile that may stay, by such a browser", BY_PROFILE, true, FIREFOX, STAYS],
    ["a profile that may stay, by a browser that always converts", BY_PROFILE, true, OLD_WEBKIT, BY_BROWSER],
    ["no color space", undefined, false, FIREFOX, BY_BROWSER],
    ["records that may stay", undefined, true, CHROMIUM, STAYS],
    ["sRGB", SRGB_COLOR, false, FIREFOX, { ...HERE, convertFrom: SRGB_COLOR }],
    ["PQ, which only browsers convert", codePoints(9, 16), false, FIREFOX, BY_BROWSER],
    ["HLG, which only browsers convert", codePoints(9, 18), false, FIREFOX, BY_BROWSER],
  ])("with %s", (_, color, mayStay, browser, expected) => {
    expect(decideColors(color, mayStay, browser)).toEqual(expected);
  });
});

describe("the profile of values that Stayput decodes", () => {
  const gray = P3.slice();
  gray.set(new TextEncoder().encode("GRAY"), 16);
  const longer = new Uint8Array(P3.length + 4);
  longer.set(P3);

  test.each<[string, Color | undefined, ProfilePolicy, Uint8Array | undefined]>([
    ["is dropped when all colors are converted", BY_PROFILE, "convert", undefined],
    ["stays", BY_PROFILE, "allow", P3],
    ["stays with the metadata", BY_PROFILE, "keep", P3],
    ["is dropped when it is for gray", profileColor(gray), "keep", undefined],
    ["ends where it says", profileColor(longer), "keep", P3],
    ["is none without a color space", undefined, "keep", undefined],
    ["is none for code points of sRGB", SRGB_COLOR, "keep", undefined],
    ["is none for code points that are converted", codePoints(12, 13), "convert", undefined],
  ])("%s", (_, color, policy, expected) => {
    expect(keptProfile(color, policy)).toEqual(expected);
  });

  test("is built for the code points of Display P3", () => {
    const made = keptProfile(codePoints(12, 13), "allow");
    expect(made && statedProfile(made, "keep")).toBe(made);
  });
});
