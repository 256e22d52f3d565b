import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Decoder } from "../../../../../../workers/image/formats/codec.ts";
import { tiffCodec } from "../../../../../../workers/image/formats/tiff/codec.ts";
import type { PixelPicture } from "../../../../../../workers/image/picture/picture.ts";
import {
  makeTiff,
  TIFF_TAG,
  type TiffOptions,
  type TiffPage,
} from "../../../../../support/fixtures/image/tiff.ts";

const { Compression, ExtraSamples, Orientation, PhotometricInterpretation, Predictor } = TIFF_TAG;
const { ColorMap, PlanarConfiguration, RowsPerStrip, TileLength, TileWidth } = TIFF_TAG;

/** Gives one gray picture, and keeps what it was asked to decode. */
class FakeJpegDecoder implements Decoder {
  readonly decoded: Uint8Array[] = [];

  readonly size: { readonly width: number; readonly height: number };

  constructor(width: number, height: number) {
    this.size = { width, height };
  }

  async open(file: Blob) {
    this.decoded.push(new Uint8Array(await file.arrayBuffer()));
    const { width, height } = this.size;
    const pixels = new Uint8ClampedArray(4 * width * height).fill(128);
    const picture: PixelPicture = { layout: "rgba", width, height, pixels, hasAlpha: false };
    return [{ width, height, shown: this.size, hasAlpha: false, decoders: { pixels: async () => picture } }];
  }
}

async function decoded(
  page: TiffPage,
  options?: TiffOptions,
  jpeg: Decoder = new FakeJpegDecoder(0, 0),
): Promise<PixelPicture | undefined> {
  const [image] = (await tiffCodec(jpeg).decoder?.open(new Blob([makeTiff([page], options)]))) ?? [];
  return image?.decoders.pixels?.(0);
}

/** The values of all pixels. */
async function pixelsOf(page: TiffPage, options?: TiffOptions): Promise<readonly number[]> {
  return [...((await decoded(page, options))?.pixels ?? [])];
}

const opaque = (...colors: readonly (readonly number[])[]) => colors.flatMap((color) => [...color, 255]);
const bytes = (...values: readonly number[]) => Uint8Array.from(values);
const damaged = { code: "damaged_file" };

describe("the pixels of a TIFF", () => {
  test.each<[name: string, page: TiffPage, expected: readonly number[]]>([
    [
      "black as 1, of one bit",
      { width: 3, height: 2, bits: 1, data: [bytes(0b10100000, 0b01000000)] },
      opaque([0, 0, 0], [255, 255, 255], [0, 0, 0], [255, 255, 255], [0, 0, 0], [255, 255, 255]),
    ],
    [
      "gray of four bits",
      { width: 2, height: 1, bits: 4, data: [bytes(0x1f)], fields: { [PhotometricInterpretation]: [1] } },
      opaque([17, 17, 17], [255, 255, 255]),
    ],
    [
      "a palette of two bits",
      {
        ...{ width: 3, height: 1, bits: 2, data: [bytes(0b00011100)] },
        fields: {
          [PhotometricInterpretation]: [3],
          [ColorMap]: [0, 0x1100, 0, 0xff00, 0, 0x2200, 0, 0xff00, 0, 0x3300, 0, 0xff00],
        },
      },
      opaque([0, 0, 0], [0x11, 0x22, 0x33], [255, 255, 255]),
    ],
    [
      "RGB in two strips",
      {
        ...{ width: 1, height: 2, samples: 3, data: [bytes(1, 2, 3), bytes(4, 5, 6)] },
        fields: { [PhotometricInterpretation]: [2], [RowsPerStrip]: [1] },
      },
      opaque([1, 2, 3], [4, 5, 6]),
    ],
    [
      "RGB in planes",
      {
        ...{ width: 2, height: 1, samples: 3, data: [bytes(1, 4), bytes(2, 5), bytes(3, 6)] },
        fields: { [PhotometricInterpretation]: [2], [PlanarConfiguration]: [2] },
      },
      opaque([1, 2, 3], [4, 5, 6]),
    ],
    [
      "straight alpha",
      {
        ...{ width: 1, height: 1, samples: 4, data: [bytes(1, 2, 3, 4)] },
        fields: { [PhotometricInterpretation]: [2], [ExtraSamples]: [2] },
      },
      [1, 2, 3, 4],
    ],
    [
      "premultiplied alpha",
      {
        ...{ width: 2, height: 1, samples: 4, data: [bytes(50, 100, 20, 100, 9, 9, 9, 0)] },
        fields: { [PhotometricInterpretation]: [2], [ExtraSamples]: [1] },
      },
      [128, 255, 51, 100, 9, 9, 9, 0],
    ],
    [
      "a sample that is no alpha",
      {
        ...{ width: 1, height: 1, samples: 2, data: [bytes(7, 99)] },
        fields: { [PhotometricInterpretation]: [1], [ExtraSamples]: [0] },
      },
      opaque([7, 7, 7]),
    ],
    [
      "CMYK without a profile",
      {
        ...{ width: 2, height: 1, samples: 4, data: [bytes(255, 0, 0, 0, 0, 0, 0, 51)] },
        fields: { [PhotometricInterpretation]: [5] },
      },
      opaque([0, 255, 255], [204, 204, 204]),
    ],
    [
      "tiles that the edges cut off",
      {
        ...{ width: 3, height: 1, data: [bytes(1, 2, 9, 9), bytes(3, 9, 9, 9)] },
        fields: { [PhotometricInterpretation]: [1], [TileWidth]: [2], [TileLength]: [2] },
      },
      opaque([1, 1, 1], [2, 2, 2], [3, 3, 3]),
    ],
    [
      "tiles by the tags of strips",
      {
        ...{ width: 3, height: 1, data: [bytes(1, 2), bytes(3, 9)], hasStripTags: true },
        fields: { [PhotometricInterpretation]: [1], [TileWidth]: [2], [TileLength]: [1] },
      },
      opaque([1, 1, 1], [2, 2, 2], [3, 3, 3]),
    ],
    [
      "differences, deflated",
      {
        ...{ width: 2, height: 2, data: [deflateSync(bytes(10, 5, 255, 2))] },
        fields: { [PhotometricInterpretation]: [1], [Compression]: [8], [Predictor]: [2] },
      },
      opaque([10, 10, 10], [15, 15, 15], [255, 255, 255], [1, 1, 1]),
    ],
    [
      "PackBits",
      {
        ...{ width: 5, height: 1, data: [bytes(254, 7, 128, 1, 8, 9)] },
        fields: { [PhotometricInterpretation]: [1], [Compression]: [32_773] },
      },
      opaque([7, 7, 7], [7, 7, 7], [7, 7, 7], [8, 8, 8], [9, 9, 9]),
    ],
    [
      "reversed bits",
      {
        ...{ width: 8, height: 1, bits: 1, data: [bytes(0b00000001)] },
        fields: { [TIFF_TAG.FillOrder]: [2] },
      },
      opaque([0, 0, 0], ...Array.from({ length: 7 }, () => [255, 255, 255])),
    ],
  ])("are decoded: %s", async (_, page, expected) => {
    expect(await pixelsOf(page)).toEqual(expected);
  });

  test.each([false, true])("of 16 bits keep the upper 8, big-endian: %s", async (isBigEndian) => {
    const values = isBigEndian ? [0x12, 0xff, 0x01, 0x02] : [0xff, 0x12, 0x02, 0x01];
    const page = { width: 2, height: 1, bits: 16, data: [bytes(...values)] };
    const plain = { [PhotometricInterpretation]: [1] };
    expect(await pixelsOf({ ...page, fields: plain }, { isBigEndian })).toEqual(
      opaque([0x12, 0x12, 0x12], [1, 1, 1]),
    );
    const predicted = { ...plain, [Compression]: [8], [Predictor]: [2] };
    const packed = { ...page, data: [deflateSync(bytes(...values))], fields: predicted };
    expect(await pixelsOf(packed, { isBigEndian })).toEqual(opaque([0x12, 0x12, 0x12], [0x14, 0x14, 0x14]));
  });

  test("are upright", async () => {
    const page = { width: 2, height: 1, data: [bytes(1, 2)] };
    const fields = { [PhotometricInterpretation]: [1], [Orientation]: [6] };
    expect(await decoded({ ...page, fields })).toMatchObject({ width: 1, height: 2 });
  });

  test("that are missing are damaged_file", async () => {
    const page = { width: 4, height: 4, fields: { [PhotometricInterpretation]: [1], [RowsPerStrip]: [2] } };
    const strip = new Uint8Array(8);
    await expect(decoded({ ...page, data: [strip, strip] })).resolves.toBeDefined();
    await expect(decoded({ ...page, data: [strip] })).rejects.toMatchObject(damaged);
    await expect(decoded({ ...page, data: [strip, strip.subarray(1)] })).rejects.toMatchObject(damaged);
  });

  test("are read although the length of an uncompressed strip is wrong", async () => {
    const fields = { [PhotometricInterpretation]: [1], 279: [99_999] };
    expect(await pixelsOf({ width: 1, height: 1, data: [bytes(7)], fields })).toEqual(opaque([7, 7, 7]));
  });

  test.each([
    ["LZW", 5],
    ["Deflate", 8],
    ["PackBits", 32_773],
    ["rows of bytes", 2],
    ["T.4", 3],
    ["T.6", 4],
  ])("of %s that make no sense are damaged_file or noise", async (_, compression) => {
    for (let seed = 1; seed < 200; seed++) {
      let state = seed;
      const noise = Uint8Array.from({ length: 40 }, () => {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
        return state >> 16;
      });
      const page = {
        width: 64,
        height: 64,
        bits: 1,
        data: [noise],
        fields: { [Compression]: [compression] },
      };
      await decoded(page).catch((thrown) => expect(thrown).toMatchObject(damaged));
    }
  });

  test("of a rare kind are unsupported_conversion", async () => {
    await expect(
      decoded({ width: 1, height: 1, data: [bytes(1)], fields: { [Compression]: [34_661] } }),
    ).rejects.toMatchObject({ code: "unsupported_conversion", details: { kind: "JBIG" } });
  });
});

describe("a JPEG in a TIFF", () => {
  const page = {
    ...{ width: 2, height: 1, samples: 3, data: [bytes(0xff, 0xd8, 7, 8)] },
    fields: {
      [PhotometricInterpretation]: [6],
      [Compression]: [7],
      [TIFF_TAG.JPEGTables]: bytes(0xff, 0xd8, 1, 2, 3, 0xff, 0xd9),
    },
  };

  test("is decoded with the tables of the image and a statement of its colors", async () => {
    const jpeg = new FakeJpegDecoder(2, 1);
    expect((await decoded(page, {}, jpeg))?.pixels).toEqual(new Uint8ClampedArray(8).fill(128));
    const [file = bytes()] = jpeg.decoded;
    expect([...file.subarray(0, 4)]).toEqual([0xff, 0xd8, 0xff, 0xee]);
    expect([...file.subarray(17)]).toEqual([1, 1, 2, 3, 7, 8]);
  });

  test("of another size is damaged_file", async () => {
    const jpeg = new FakeJpegDecoder(20_000, 1);
    await expect(decoded(page, {}, jpeg)).rejects.toMatchObject(damaged);
  });
});
