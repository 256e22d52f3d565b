import { describe, expect, test } from "vitest";
import { UnsupportedBitstream } from "../../../../../../workers/codecs/hevc/index.ts";
import { nalUnitsOf } from "../../../../../../workers/image/formats/heic/coding.ts";

describe("nalUnitsOf", () => {
  const nalUnit = Uint8Array.of(3, 40, 1, 7);
  const piece = (extents: readonly { readonly offset: number; readonly length: number }[]) =>
    ({
      ...{ width: 64, height: 64 },
      record: { lengthBytes: 1, nalUnits: [] },
      location: { within: "file", extents },
    }) as const;

  test("returns the NAL units of all extents in order", () => {
    const file = Uint8Array.of(...nalUnit, ...nalUnit, 9, ...nalUnit);
    const extents = [
      { offset: 0, length: 8 },
      { offset: 9, length: 4 },
    ];
    const expected = nalUnit.subarray(1);
    expect(nalUnitsOf(file, piece(extents))).toEqual([expected, expected, expected]);
  });

  test("throws UnsupportedBitstream if a small file names more NAL units or data than any camera writes", () => {
    const file = new Uint8Array(100_000);
    const whole = { offset: 0, length: file.length };
    expect(() => nalUnitsOf(file, piece([whole]))).toThrow(UnsupportedBitstream);
    for (let at = 0; at < file.length; at += nalUnit.length) file.set(nalUnit, at);
    expect(() => nalUnitsOf(file, piece([whole]))).toThrow(UnsupportedBitstream);
    const extent = { offset: 0, length: 40 };
    const overlapping = piece([extent, extent, extent]);
    expect(() => nalUnitsOf(file.subarray(0, 100), overlapping)).toThrow(UnsupportedBitstream);
  });
});
