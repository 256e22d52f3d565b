import { expect, test } from "vitest";
import { calibratedProfile } from "../../../../../workers/image/color/calibrated-profile.ts";
import { type Color, profileColor } from "../../../../../workers/image/color/color.ts";
import { rgbProfile } from "../../../../../workers/image/color/color-description.ts";
import { type ColorSpace, codedSpace } from "../../../../../workers/image/to-pdf/color-space.ts";
import { displayP3, grayProfile } from "../../../../support/fixtures/image/icc.ts";

const codePoints = (primaries: number, transfer: number): Color => ({
  ...{ kind: "nclx", primaries, transfer, matrix: 0, fullRange: true },
});
const P3_BY_CODE_POINTS = codePoints(12, 13);
const LINEAR = calibratedProfile({ gamma: 1 }) ?? new Uint8Array();

const icc = (components: 1 | 3, profile: Uint8Array | undefined): ColorSpace => {
  if (profile === undefined) throw new Error("there is no profile");
  return { kind: "icc", components, profile };
};

// The same profiles as of a decoded picture. Where there is none for the samples, the image is decoded.
test.each<[string, 1 | 3, Color | undefined, ColorSpace | undefined]>([
  ["sRGB", 3, undefined, { kind: "device", components: 3 }],
  ["sRGB in gray", 1, undefined, { kind: "device", components: 1 }],
  ["a profile", 3, profileColor(displayP3()), icc(3, displayP3())],
  ["a gray profile", 1, profileColor(grayProfile(1.8)), icc(1, grayProfile(1.8))],
  ["an exponent", 3, profileColor(LINEAR), icc(3, LINEAR)],
  ["an exponent in gray", 1, profileColor(LINEAR), undefined],
  ["code points of Display P3", 3, P3_BY_CODE_POINTS, icc(3, rgbProfile(P3_BY_CODE_POINTS))],
  ["code points of Display P3 in gray", 1, P3_BY_CODE_POINTS, undefined],
  ["code points of PQ", 3, codePoints(9, 16), undefined],
])("the color space of samples in %s", (_, components, color, expected) => {
  expect(codedSpace(components, color)).toEqual(expected);
});
