import { describe, expect, test } from "vitest";
import { readTiff } from "../../../../../../workers/image/formats/tiff/read-tiff.ts";
import {
  makeTiff,
  TIFF_TAG,
  type TiffOptions,
  type TiffPage,
} from "../../../../../support/fixtures/image/tiff.ts";

const gray = (width: number, height: number, fields: TiffPage["fields"] = {}): TiffPage => ({
  ...{ width, height, data: [new Uint8Array(width * height)] },
  fields: { [TIFF_TAG.PhotometricInterpretation]: [1], ...fields },
});
const damaged = expect.objectContaining({ code: "damaged_file" });

describe("the images of a TIFF", () => {
  test.each<TiffOptions>([
    {},
    { isBigEndian: true },
    { isBigTiff: true },
    { isBigTiff: true, isBigEndian: true },
  ])("are read from a file %o", (options) => {
    const fields = {
      ...{ [TIFF_TAG.XResolution]: [204], [TIFF_TAG.YResolution]: [98], [TIFF_TAG.Orientation]: [6] },
    };
    const images = readTiff(makeTiff([gray(5, 3), gray(4, 2, fields)], options));
    expect(images).toMatchObject([
      { width: 5, height: 3, orientation: 1, resolution: undefined, unsupported: undefined },
      { width: 4, height: 2, orientation: 6, resolution: { x: 204, y: 98 } },
    ]);
  });

  test("have a resolution in centimeters, or none without a unit", () => {
    const resolution = { [TIFF_TAG.XResolution]: [100], [TIFF_TAG.YResolution]: [100] };
    const of = (unit: number) =>
      readTiff(makeTiff([gray(1, 1, { ...resolution, [TIFF_TAG.ResolutionUnit]: [unit] })]))[0]?.resolution;
    expect([of(1), of(2), of(3)]).toEqual([undefined, { x: 100, y: 100 }, { x: 254, y: 254 }]);
  });

  test("are without masks and smaller versions of others", () => {
    const of = (...types: readonly number[]) =>
      readTiff(makeTiff(types.map((type, at) => gray(at + 1, 1, { [TIFF_TAG.NewSubfileType]: [type] })))).map(
        ({ width }) => width,
      );
    expect(of(1, 0, 2, 4)).toEqual([2, 3]);
    // Some programs say it of all images.
    expect(of(1, 1)).toEqual([1, 2]);
  });

  test("are called raw if the file has a preview and hides the image", () => {
    const preview = gray(2, 1, { [TIFF_TAG.NewSubfileType]: [1], [TIFF_TAG.SubIFDs]: [8] });
    expect(readTiff(makeTiff([preview]))[0]?.unsupported).toBe("camera raw");
  });

  test.each<[kind: string, fields: TiffPage["fields"], page?: Partial<TiffPage>]>([
    ["old-style JPEG", { [TIFF_TAG.Compression]: [6] }],
    ["JBIG", { [TIFF_TAG.Compression]: [34_661] }],
    ["compression 4711", { [TIFF_TAG.Compression]: [4711] }],
    ["CIELab", { [TIFF_TAG.PhotometricInterpretation]: [8] }, { samples: 3 }],
    ["camera raw", { [TIFF_TAG.PhotometricInterpretation]: [32_803] }],
    ["floating point", { [TIFF_TAG.SampleFormat]: [3] }, { bits: 32 }],
    ["12-bit", {}, { bits: 12 }],
    ["5 samples per pixel", {}, { samples: 5 }],
    ["predictor 3 with 8 bits", { [TIFF_TAG.Compression]: [5], [TIFF_TAG.Predictor]: [3] }],
    ["YCbCr without JPEG", { [TIFF_TAG.PhotometricInterpretation]: [6] }, { samples: 3 }],
    [
      "inks other than CMYK",
      { [TIFF_TAG.PhotometricInterpretation]: [5], [TIFF_TAG.InkSet]: [2] },
      { samples: 4 },
    ],
    ["fax with uncompressed mode", { [TIFF_TAG.Compression]: [3], [TIFF_TAG.T4Options]: [2] }, { bits: 1 }],
    ["tiles of more than 16 megapixels", { [TIFF_TAG.TileWidth]: [65_536], [TIFF_TAG.TileLength]: [65_536] }],
  ])("of a kind that is not read have a size and a name: %s", (kind, fields, page = {}) => {
    expect(readTiff(makeTiff([{ ...gray(3, 2, fields), ...page }]))).toMatchObject([
      { width: 3, height: 2, unsupported: kind },
    ]);
  });

  test("that never end are damaged_file", () => {
    for (const next of ["at the first", "beyond the end"] as const)
      expect(() => readTiff(makeTiff([gray(1, 1), gray(1, 1)], { next }))).toThrow(damaged);
  });

  test("are 5,000 at most", () => {
    const pages = (count: number) => makeTiff(Array.from({ length: count }, () => gray(1, 1)));
    expect(readTiff(pages(5_000))).toHaveLength(5_000);
    expect(() => readTiff(pages(5_001))).toThrow(expect.objectContaining({ code: "input_too_large" }));
  });

  test("of a file that breaks off are damaged_file", () => {
    const tiff = makeTiff([gray(2, 2)]);
    // The pixels come first.
    for (let length = 0; length < tiff.length - 1; length += 3)
      expect(() => readTiff(tiff.slice(0, length))).toThrow(damaged);
  });

  test("without a size or without colors are damaged_file", () => {
    expect(() => readTiff(makeTiff([gray(0, 1)]))).toThrow(damaged);
    expect(() => readTiff(makeTiff([gray(1, 1, { [TIFF_TAG.PhotometricInterpretation]: [2] })]))).toThrow(
      damaged,
    );
  });
});
