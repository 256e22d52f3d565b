import { describe, expect, test, vi } from "vitest";
import { UnsupportedBitstream } from "../../../../../../workers/codecs/hevc/index.ts";
import { nalUnitsOf } from "../../../../../../workers/image/formats/heic/coding.ts";

describe("nalUnitsOf", () => {
  const nalUnit = Uint8Array.of(3, 40, 1, 7);
  const tile = (extents: readonly { readonly offset: number; readonly length: number }[]) =>
    ({
      ...{ width: 64, height: 64 },
      record: { lengthBytes: 1, nalUnits: [] },
      location: { within: "file", extents },
    }) as const;

  test("returns the NAL units of all extents in order", async () => {
    const file = Uint8Array.of(...nalUnit, ...nalUnit, 9, ...nalUnit);
    const extents = [
      { offset: 0, length: 8 },
      { offset: 9, length: 4 },
    ];
    const expected = nalUnit.subarray(1);
    expect(await nalUnitsOf(new Blob([file]), tile(extents))).toEqual([expected, expected, expected]);
  });

  test("throws UnsupportedBitstream if a small file names more NAL units than any camera writes", async () => {
    const file = new Uint8Array(100_000);
    const whole = tile([{ offset: 0, length: file.length }]);
    await expect(nalUnitsOf(new Blob([file]), whole)).rejects.toThrow(UnsupportedBitstream);
    for (let at = 0; at < file.length; at += nalUnit.length) file.set(nalUnit, at);
    await expect(nalUnitsOf(new Blob([file]), whole)).rejects.toThrow(UnsupportedBitstream);
  });

  test("throws UnsupportedBitstream if data is cut off", async () => {
    const file = new Blob([nalUnit, nalUnit.subarray(0, 3)]);
    await expect(nalUnitsOf(file, tile([{ offset: 0, length: 7 }]))).rejects.toThrow(UnsupportedBitstream);
  });

  test("reads only the ranges of the tile", async () => {
    const file = new Blob([nalUnit, new Uint8Array(1_000_000), nalUnit]);
    const slice = vi.spyOn(file, "slice");
    await nalUnitsOf(file, tile([{ offset: 0, length: 4 }]));
    expect(slice.mock.calls).toEqual([[0, 4]]);
  });

  test("reads no data that overlaps, which a small file can repeat endlessly", async () => {
    const extent = { offset: 0, length: 40 };
    const file = new Blob([Uint8Array.from({ length: 100 }, (_, at) => nalUnit[at % 4] ?? 0)]);
    expect(await nalUnitsOf(file, tile([extent, extent, extent]))).toEqual([]);
  });
});
