import { describe, expect, test } from "vitest";
import { rgbProfile } from "../../../../../workers/image/color/color-description.ts";
import { toSrgb } from "../../../../../workers/image/color/to-srgb.ts";

type Rgb = readonly [number, number, number];

const color = (primaries: number, transfer: number) =>
  ({ kind: "nclx", primaries, transfer, matrix: 6, fullRange: true }) as const;
const BT2020 = 9;
const PQ = 16;
const HLG = 18;

function mapped(transfer: number, [red, green, blue]: Rgb, primaries = BT2020): number[] {
  const pixels = Uint8ClampedArray.of(red, green, blue, 77);
  toSrgb(color(primaries, transfer))(pixels);
  expect(pixels[3]).toBe(77);
  return [...pixels.subarray(0, 3)];
}

const gray = (value: number): Rgb => [value, value, value];

describe("values of high dynamic range become sRGB", () => {
  // AVIFs with these values and code points, decoded by Chromium 156 and read from a canvas.
  test.each<[string, number, Rgb, Rgb]>([
    ["PQ: black", PQ, gray(0), gray(0)],
    ["PQ: shadows", PQ, gray(64), gray(30)],
    ["PQ: mid tones", PQ, gray(112), gray(98)],
    ["PQ: reference white, 203 cd/m²", PQ, gray(148), gray(187)],
    ["PQ: highlights", PQ, gray(176), gray(237)],
    ["PQ: 1,000 cd/m² and more", PQ, gray(192), gray(255)],
    ["PQ: 10,000 cd/m²", PQ, gray(255), gray(255)],
    ["PQ: a color outside sRGB", PQ, [42, 128, 64], [0, 140, 0]],
    ["PQ: red", PQ, [128, 0, 0], [167, 0, 0]],
    ["HLG: shadows", HLG, gray(32), gray(14)],
    ["HLG: mid tones", HLG, gray(128), gray(99)],
    ["HLG: reference white, 75 %", HLG, gray(192), gray(189)],
    ["HLG: highlights", HLG, gray(224), gray(228)],
    ["HLG: peak", HLG, gray(255), gray(255)],
    ["HLG: orange, by the luminance of the scene", HLG, [128, 64, 32], [112, 34, 8]],
    ["HLG: blue, which is darker", HLG, [0, 0, 128], [0, 0, 80]],
  ])("%s", (_, transfer, value, wanted) => {
    const differences = mapped(transfer, value).map((one, channel) => Math.abs(one - (wanted[channel] ?? 0)));
    expect(Math.max(...differences)).toBeLessThanOrEqual(2);
  });

  test.each([PQ, HLG])("brighter values stay brighter, transfer %i", (transfer) => {
    const ramp = Array.from({ length: 256 }, (_, value) => mapped(transfer, gray(value))[0] ?? 0);
    expect(ramp).toEqual([...ramp].sort((one, other) => one - other));
  });

  test("also in the primaries of sRGB and Display P3, and without known primaries", () => {
    for (const primaries of [1, 2, 12]) expect(mapped(PQ, gray(148), primaries)).toEqual(gray(187));
  });

  test("and no profile states them", () => {
    for (const primaries of [BT2020, 12])
      for (const transfer of [PQ, HLG]) expect(rgbProfile(color(primaries, transfer))).toBeUndefined();
  });
});
