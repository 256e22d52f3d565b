import { describe, expect, test } from "vitest";
import type { Color } from "../../../../../workers/image/color/color.ts";
import { planColor, profileOfCodePoints } from "../../../../../workers/image/color/color-description.ts";
import { profileComponents } from "../../../../../workers/image/color/icc.ts";
import { toSrgb } from "../../../../../workers/image/color/to-srgb.ts";
import { fullBox, join, text, u16, u32 } from "../../../../support/fixtures/heif.ts";

type Rgb = readonly [number, number, number];

const codePoints = (primaries: number, transfer: number): Color => ({
  kind: "nclx",
  primaries,
  transfer,
  matrix: 6,
  fullRange: true,
});
const DISPLAY_P3 = codePoints(12, 13);

/** Adapted to D50, as profiles have them: of Display P3 as Apple's profile says it, and of sRGB as HP's does. */
const P3_COLUMNS = [
  [0.51512, 0.2412, -0.00105],
  [0.29198, 0.69225, 0.04189],
  [0.1571, 0.06657, 0.78407],
] as const;
const SRGB_COLUMNS = [
  [0.43607, 0.22249, 0.01392],
  [0.38515, 0.71687, 0.09708],
  [0.14307, 0.06061, 0.7141],
] as const;

const fixed = (value: number) => u32(Math.round(value * 65536));
const xyz = (values: Rgb) => join(text("XYZ "), u32(0), ...values.map(fixed));
const srgbCurve = join(
  text("para"),
  u32(0),
  u16(3),
  u16(0),
  ...[2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].map(fixed),
);
const gamma = (value: number) => join(text("curv"), u32(0), u32(1), u16(Math.round(value * 256)), u16(0));

function profile(space: string, tags: Readonly<Record<string, Uint8Array>>): Uint8Array<ArrayBuffer> {
  const names = Object.keys(tags);
  let at = 132 + 12 * names.length;
  const table = names.map((name) => {
    const length = tags[name]?.length ?? 0;
    at += length;
    return join(text(name), u32(at - length), u32(length));
  });
  const body = join(u32(names.length), ...table, ...Object.values(tags));
  const header = join(u32(128 + body.length), new Uint8Array(4), u32(0x04000000), text("mntr"), text(space));
  return join(header, text("XYZ "), new Uint8Array(12), text("acsp"), new Uint8Array(88), body);
}

function matrixProfile([red, green, blue]: readonly [Rgb, Rgb, Rgb], curve: Uint8Array): Color {
  const columns = { rXYZ: xyz(red), gXYZ: xyz(green), bXYZ: xyz(blue) };
  return { kind: "icc", profile: profile("RGB ", { ...columns, rTRC: curve, gTRC: curve, bTRC: curve }) };
}

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
    for (const color of [DISPLAY_P3, matrixProfile(P3_COLUMNS, srgbCurve)])
      expectNear(converted(color, p3), srgb);
  });
});

test("of a profile of Display P3 equals that of its code points", () => {
  const said = (primaries: number, transfer: number) =>
    profileOfCodePoints({ kind: "nclx", primaries, transfer, matrix: 6, fullRange: true });
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

test("applies a curve alone", () => {
  // Half the light: 0.5^(1/1.8) in, 0.7354 out.
  expectNear(converted(matrixProfile(SRGB_COLUMNS, gamma(1.8)), [173, 173, 173]), [187, 187, 187]);
});

test("applies a gray profile", () => {
  const gray: Color = { kind: "icc", profile: profile("GRAY", { kTRC: gamma(1.8) }) };
  expectNear(converted(gray, [173, 173, 173]), [187, 187, 187]);
});

describe("no transform", () => {
  test.each<[string, Color | undefined]>([
    ["no color", undefined],
    ["sRGB by code points", codePoints(1, 13)],
    ["video's curve", codePoints(1, 1)],
    ["unspecified", codePoints(2, 2)],
    ["sRGB by a profile", matrixProfile(SRGB_COLUMNS, srgbCurve)],
    ["no profile at all", { kind: "icc", profile: fullBox("what", 0, 0) }],
    ["a profile that breaks off", { kind: "icc", profile: profile("RGB ", {}).subarray(0, 130) }],
  ])("%s", (_, color) => expect(planColor(color)).toBe("none"));

  test("a profile of tables", () => {
    const color: Color = { kind: "icc", profile: profile("RGB ", { A2B0: text("mft2") }) };
    expect(planColor(color)).toBe("tables");
  });
});
