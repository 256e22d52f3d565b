import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inksToSrgb } from "../../../../../../workers/image/color/wasm/little-cms.ts";
import { inkProfile } from "../../../../../support/fixtures/image/ink-profile.ts";

const module = new WebAssembly.Module(
  readFileSync(new URL("../../../../../../workers/image/color/wasm/little-cms.wasm", import.meta.url)),
);

describe("CMYK by its profile", () => {
  const samples = Uint8ClampedArray.of(255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 0, 0, 255, 255, 255);

  test("maps paper to white, black to black, and each ink to less light", async () => {
    const pixels = inksToSrgb(module, inkProfile(), samples) ?? new Uint8ClampedArray();
    const color = (index: number) => [...pixels.subarray(4 * index, 4 * index + 4)];
    const isNear = (found: readonly number[], gray: number) =>
      found.slice(0, 3).every((value) => Math.abs(value - gray) <= 2) && found[3] === 255;
    expect(
      [color(0), color(1), color(2)].map((found, index) => isNear(found, index === 0 ? 255 : 0)),
    ).toEqual([true, true, true]);
    // L* of 66.7.
    expect(isNear(color(3), 162)).toBe(true);
  });

  test("is converted completely for more pixels than one step", async () => {
    const many = new Uint8ClampedArray(4 * 300_000).fill(255, 0, 4 * 299_999);
    const pixels = inksToSrgb(module, inkProfile(), many) ?? new Uint8ClampedArray();
    expect(pixels.length).toBe(many.length);
    expect([pixels[0], pixels[4 * 262_144], pixels[4 * 299_998]].map((value) => (value ?? 0) > 252)).toEqual([
      true,
      true,
      true,
    ]);
    expect(pixels[4 * 299_999]).toBeLessThan(3);
  });

  test.each([
    ["nothing", new Uint8Array()],
    ["a header alone", inkProfile().subarray(0, 128)],
    ["one that is cut off", inkProfile().subarray(0, -1000)],
    ["one of three colors", inkProfile().fill(0x52, 16, 17)],
  ])("%s is not a profile", async (_, profile) => {
    expect(inksToSrgb(module, profile, samples)).toBeUndefined();
  });

  test("any profile gives pixels or nothing", async () => {
    const profile = inkProfile();
    const change = fc.tuple(fc.nat(profile.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 20 }), async (changes) => {
        const changed = profile.slice();
        for (const [at, value] of changes) changed[at] = value;
        const pixels = inksToSrgb(module, changed, samples);
        expect([undefined, samples.length]).toContain(pixels?.length);
      }),
      { numRuns: 60 },
    );
  });
});
