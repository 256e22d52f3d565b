import { describe, expect, test } from "vitest";
import { calibratedProfile } from "../../../../../workers/image/color/calibrated-profile.ts";
import { type Color, profileColor } from "../../../../../workers/image/color/color.ts";
import { conversionToSrgb, rgbProfile } from "../../../../../workers/image/color/color-description.ts";
import { profileComponents } from "../../../../../workers/image/color/icc.ts";
import { toSrgb } from "../../../../../workers/image/color/to-srgb.ts";
import { concatBytes } from "../../../../support/fixtures/image/bytes.ts";
import { displayP3, grayProfile, makeProfile, srgbProfile } from "../../../../support/fixtures/image/icc.ts";

type Rgb = readonly [number, number, number];

const codePoints = (primaries: number, transfer: number): Color => ({
  kind: "nclx",
  primaries,
  transfer,
  matrix: 6,
  fullRange: true,
});
const DISPLAY_P3 = codePoints(12, 13);

function converted(color: Color, [red, green, blue]: Rgb): number[] {
  const pixels = Uint8ClampedArray.of(0, 0, 0, 0, red, green, blue, 77, red, green, blue, 200);
  toSrgb(color)(pixels);
  expect([...pixels.subarray(0, 4), pixels[7], pixels[11]]).toEqual([0, 0, 0, 0, 77, 200]);
  expect([...pixels.subarray(4, 7)]).toEqual([...pixels.subarray(8, 11)]);
  return [...pixels.subarray(4, 7)];
}

/** Within one step: the values on the left are themselves rounded. */
function expectNear(values: readonly number[], wanted: Rgb) {
  for (const [index, value] of values.entries())
    expect(Math.abs(value - (wanted[index] ?? 0))).toBeLessThanOrEqual(1);
}

describe("the transform to sRGB", () => {
  // By the matrices that CSS Color 4 prints.
  test.each<{ p3: Rgb; srgb: Rgb }>([
    { p3: [200, 100, 50], srgb: [215, 93, 31] },
    { p3: [30, 60, 200], srgb: [17, 61, 208] },
    { p3: [255, 255, 255], srgb: [255, 255, 255] },
    { p3: [3, 3, 3], srgb: [3, 3, 3] },
    // More than sRGB can say.
    { p3: [60, 160, 90], srgb: [0, 163, 82] },
    { p3: [255, 0, 0], srgb: [255, 0, 0] },
  ])("by code points or a profile: $p3 is $srgb", ({ p3, srgb }) => {
    for (const color of [DISPLAY_P3, profileColor(displayP3())]) expectNear(converted(color, p3), srgb);
  });
});

test("of a profile of Display P3 equals that of its code points", () => {
  const said = (primaries: number, transfer: number) =>
    rgbProfile({ kind: "nclx", primaries, transfer, matrix: 6, fullRange: true });
  const profile = said(12, 13);
  if (profile === undefined) throw new Error("there is no profile");
  expect(profileComponents(profile)).toBe(3);
  const color: Color = { kind: "icc", profile: Uint8Array.from(profile) };
  for (const value of [3, 50, 200, 255]) {
    const [red = 0, green = 0, blue = 0] = converted(DISPLAY_P3, [60, value, 90]);
    expectNear(converted(color, [60, value, 90]), [red, green, blue]);
  }
  // sRGB needs none; light itself, and what no phone writes, is converted.
  expect([said(1, 13), said(12, 8), said(9, 13)]).toEqual([undefined, undefined, undefined]);
});

test.each([
  ["a curve alone", profileColor(Uint8Array.from(calibratedProfile({ gamma: 1 / 1.8 }) ?? []))],
  ["a gray profile", profileColor(grayProfile(1.8))],
])("applies %s", (_, color) => {
  // Half the light: 0.5^(1/1.8) in, 0.7354 out.
  expectNear(converted(color, [173, 173, 173]), [187, 187, 187]);
});

describe("no transform", () => {
  test.each<[string, Color | undefined]>([
    ["no color", undefined],
    ["sRGB by code points", codePoints(1, 13)],
    ["video's curve", codePoints(1, 1)],
    ["unspecified", codePoints(2, 2)],
    ["sRGB by a profile", profileColor(srgbProfile())],
    ["no profile at all", profileColor(new Uint8Array(12))],
    ["a profile that breaks off", profileColor(displayP3().subarray(0, 130))],
  ])("%s", (_, color) => expect(conversionToSrgb(color)).toBe("none"));

  test("a profile of tables", () => {
    const profile = makeProfile({ kind: "mntrRGB XYZ ", version: 4 }, [["A2B0", new Uint8Array(4)]]);
    expect(conversionToSrgb(profileColor(profile))).toBe("tables");
  });
});

test.each<[string, Color | undefined, Uint8Array | undefined]>([
  ["is that of the file", profileColor(displayP3()), displayP3()],
  ["ends where it says", profileColor(concatBytes([displayP3(), new Uint8Array(4)])), displayP3()],
  ["is none for gray", profileColor(grayProfile(1.8)), undefined],
  ["is none without a color space", undefined, undefined],
])("the profile of RGB values %s", (_, color, expected) => expect(rgbProfile(color)).toEqual(expected));
