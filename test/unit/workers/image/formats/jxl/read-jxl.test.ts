import { describe, expect, test } from "vitest";
import { SRGB_COLOR } from "../../../../../../workers/image/color/color.ts";
import { readMatrixProfile } from "../../../../../../workers/image/color/icc-matrix.ts";
import type { ImageHeader } from "../../../../../../workers/image/formats/jxl/image-header.ts";
import { readJxlMetadata } from "../../../../../../workers/image/formats/jxl/metadata.ts";
import { readJxl } from "../../../../../../workers/image/formats/jxl/read-jxl.ts";
import { concatBytes, latin1, uint32s } from "../../../../../support/fixtures/image/bytes.ts";
import { type Bits, box, codestream, container, u32 } from "../../../../../support/fixtures/image/jxl.ts";
import { makeExif } from "../../../../../support/fixtures/image/metadata.ts";

const YES: Bits = [[1, 1]];
const NO: Bits = [[0, 1]];
const read = (bytes: Uint8Array<ArrayBuffer>) => readJxl(new Blob([bytes]));
const damaged = expect.objectContaining({ code: "damaged_file" });

/** 300 high, 200 wide. */
const SIZE: Bits = [[0, 1], ...u32(0, 299, 9), [0, 3], ...u32(0, 199, 9)];
const ALL_DEFAULT = YES;
const EIGHT_BITS: Bits = [...NO, ...u32(0)];
const NO_CHANNELS = u32(0);
const SRGB = YES;

/** A header with fields that are not default. */
interface Plan {
  readonly size?: Bits;
  /** Orientation and what follows it. None by default. */
  readonly extra?: Bits;
  readonly depth?: Bits;
  readonly channels?: Bits;
  readonly isXyb?: boolean;
  readonly color?: Bits;
}

function header({
  size = SIZE,
  extra,
  depth = EIGHT_BITS,
  channels = NO_CHANNELS,
  isXyb = true,
  color = SRGB,
}: Plan): Uint8Array<ArrayBuffer> {
  const extraFields = extra ? [YES, extra] : [NO];
  return codestream(size, NO, ...extraFields, depth, YES, channels, isXyb ? YES : NO, color);
}

describe("the image header of a JPEG XL", () => {
  const usual: ImageHeader = {
    ...{ width: 200, height: 300, orientation: 1, hasAlpha: false, isPremultiplied: false },
    hasBlack: false,
    ...{ isLossless: false, color: SRGB_COLOR },
  };

  test("is usual when its fields are default", async () => {
    expect(await read(codestream(SIZE, ALL_DEFAULT))).toEqual(usual);
    expect(await read(header({}))).toEqual(usual);
  });

  const small = (height: number, ratio: number, width?: number): Bits => [
    ...([
      [1, 1],
      [height / 8 - 1, 5],
      [ratio, 3],
    ] as const),
    ...(width ? ([[width / 8 - 1, 5]] as const) : []),
  ];
  test.each<[string, Bits, number, number]>([
    ["multiples of 8", small(256, 0, 8), 8, 256],
    ["a square", small(64, 1), 64, 64],
    ["6:5", [[0, 1], ...u32(0, 100, 9), [2, 3]], 121, 101],
    ["4:3", small(24, 3), 32, 24],
    ["3:2", small(64, 4), 96, 64],
    ["16:9", [[0, 1], ...u32(1, 1079, 13), [5, 3]], 1920, 1080],
    ["5:4", small(64, 6), 80, 64],
    ["2:1", small(64, 7), 128, 64],
    ["sides of 18 bits", [[0, 1], ...u32(2, 99_999, 18), [0, 3], ...u32(0, 0, 9)], 1, 100_000],
    ["sides of 30 bits", [[0, 1], ...u32(3, 2 ** 30 - 1, 30), [1, 3]], 2 ** 30, 2 ** 30],
  ])("states a size by %s", async (_, size, width, height) => {
    expect(await read(codestream(size, ALL_DEFAULT))).toMatchObject({ width, height });
    expect(await read(header({ size, isXyb: false }))).toMatchObject({ width, height, isLossless: true });
  });

  test("states an orientation, before or beside sizes of previews and the speed of an animation", async () => {
    const small8: Bits = [
      [1, 1],
      [0, 5],
      [1, 3],
    ];
    const preview: Bits = [[1, 1], ...u32(2, 4, 5), [0, 3], ...u32(1)];
    const largePreview: Bits = [[0, 1], ...u32(1, 9, 8), [3, 3]];
    const animation: Bits = [...u32(0), ...u32(0), ...u32(2, 500, 16), [0, 1]];
    const extras: readonly Bits[] = [
      [...NO, ...NO, ...NO],
      [...YES, ...small8, ...YES, ...preview, ...YES, ...animation],
      [...NO, ...YES, ...largePreview, ...NO],
    ];
    for (const more of extras) {
      const extra: Bits = [[5, 3], ...more];
      expect(await read(header({ extra }))).toEqual({ ...usual, orientation: 6 });
    }
  });

  const USUAL_ALPHA = YES;
  const NAMED: Bits = [...u32(1, 2, 4), [0x61, 8], [0x62, 8]];
  const channel = (kind: Bits, name: Bits = u32(0), parameters: Bits = []): Bits => [
    ...NO,
    ...kind,
    ...([...YES, ...u32(1), [4, 4]] as Bits),
    ...u32(0),
    ...name,
    ...parameters,
  ];
  test.each<[string, Bits, Partial<ImageHeader>]>([
    ["usual alpha", [...u32(1), ...USUAL_ALPHA], { hasAlpha: true }],
    [
      "premultiplied alpha",
      [...u32(1), ...channel(u32(0), NAMED, YES)],
      { hasAlpha: true, isPremultiplied: true },
    ],
    ["other alpha", [...u32(1), ...channel(u32(0), NAMED, NO)], { hasAlpha: true }],
    ["a depth map", [...u32(1), ...channel(u32(1), NAMED)], {}],
    [
      "black and alpha",
      [...u32(2, 0, 4), ...channel(u32(2, 2, 4)), ...USUAL_ALPHA],
      { hasAlpha: true, hasBlack: true },
    ],
    [
      "a spot color, a color filter and alpha",
      [
        ...u32(2, 1, 4),
        ...channel(u32(2, 0, 4), NAMED, [
          [0, 16],
          [0, 16],
          [0, 16],
          [0, 16],
        ]),
        ...channel(u32(2, 3, 4), NAMED, u32(1, 3, 2)),
        ...USUAL_ALPHA,
      ],
      { hasAlpha: true },
    ],
  ])("lists %s", async (_, channels, wanted) => {
    expect(await read(header({ channels }))).toEqual({ ...usual, ...wanted });
  });

  test("may state 16 bits or a float", async () => {
    const depths: readonly Bits[] = [
      [...NO, ...u32(3, 15, 6)],
      [...YES, ...u32(0), [7, 4]],
    ];
    for (const depth of depths) {
      expect(await read(header({ depth, channels: [...u32(1), ...USUAL_ALPHA] }))).toEqual({
        ...usual,
        hasAlpha: true,
      });
    }
  });

  const [GRAY, RGB] = [u32(1), u32(0)];
  const NO_PROFILE: Bits = [...NO, ...NO];
  const D65 = u32(1);
  const numbered = (number: number) => (number < 18 ? u32(2, number - 2, 4) : u32(3, number - 18, 6));
  const curve = (number: number): Bits => [...NO, ...(number === 1 ? u32(1) : numbered(number))];
  const nclx = (primaries: number, transfer: number) => ({
    ...{ kind: "nclx", primaries, transfer, matrix: 0, fullRange: true },
  });
  const coded = (primaries: Bits, transfer: number, white: Bits = D65): Bits => [
    ...NO_PROFILE,
    ...RGB,
    ...white,
    ...primaries,
    ...curve(transfer),
  ];
  test.each<[string, Bits, ImageHeader["color"] | object]>([
    ["sRGB", coded(u32(1), 13), nclx(1, 13)],
    ["Display P3", coded(numbered(11), 13), nclx(12, 13)],
    ["BT.2100 with PQ", coded(numbered(9), 16), nclx(9, 16)],
    ["BT.2100 with HLG", coded(numbered(9), 18), nclx(9, 18)],
    ["linear light", coded(u32(1), 8), nclx(1, 8)],
    ["gray", [...NO_PROFILE, ...GRAY, ...D65, ...curve(13)], nclx(1, 13)],
    ["a profile", [...NO, ...YES, ...RGB], undefined],
    ["XYB", [...NO_PROFILE, ...numbered(2)], undefined],
    ["an unknown transfer function", coded(u32(1), 2), undefined],
  ])("states the color space %s", async (_, color, wanted) => {
    expect((await read(header({ isXyb: false, color }))).color).toEqual(wanted);
  });

  test("states high dynamic range in XYB, which our decoder gives as PQ", async () => {
    expect((await read(header({ color: coded(numbered(9), 18) }))).color).toEqual(nclx(9, 16));
    expect((await read(header({ color: coded(numbered(11), 16) }))).color).toEqual(nclx(9, 16));
  });

  const millionths = (value: number): Bits =>
    value < 262_144 ? u32(0, 2 * value, 19) : u32(1, 2 * value - 524_288, 19);
  const point = (x: number, y: number): Bits => [...millionths(x), ...millionths(y)];
  const GAMMA = (value: number): Bits => [...YES, [value, 24]];
  test.each<[string, Bits, number]>([
    ["an exponent", [...NO_PROFILE, ...RGB, ...D65, ...u32(1), ...GAMMA(5_555_556)], 0.5 ** 1.8],
    [
      "the curve of cinema",
      [...NO_PROFILE, ...RGB, ...numbered(11), ...numbered(11), ...curve(17)],
      0.5 ** 2.6,
    ],
    [
      "its own primaries",
      [
        ...NO_PROFILE,
        ...RGB,
        ...([...numbered(2), ...point(345_700, 358_500)] as Bits),
        ...([
          ...numbered(2),
          ...point(734_700, 265_300),
          ...point(159_600, 840_400),
          ...point(36_600, 100),
        ] as Bits),
        ...GAMMA(5_555_556),
      ],
      0.5 ** 1.8,
    ],
  ])("states a color space by %s", async (_, color, light) => {
    const found = (await read(header({ isXyb: false, color }))).color;
    const conversion = found?.kind === "icc" && readMatrixProfile(found.profile);
    if (!conversion || conversion === "tables") throw new Error("no profile by a matrix");
    expect(conversion.curves[0](0.5)).toBeCloseTo(light, 2);
    // White stays white, so the matrix is that of the primaries and the white.
    for (const row of conversion.matrix) expect(row[0] + row[1] + row[2]).toBeCloseTo(1, 2);
  });

  test("that is cut off is damaged_file", async () => {
    const whole = header({ extra: [[0, 3], ...NO, ...NO, ...NO], color: coded(numbered(9), 18) });
    for (let cut = 0; cut < whole.length; cut++)
      await expect(read(whole.subarray(0, cut))).rejects.toThrow(damaged);
    await expect(read(whole)).resolves.toBeDefined();
  });
});

describe("the container of a JPEG XL", () => {
  const whole = header({ isXyb: false });
  const [start, rest] = [whole.subarray(0, 5), whole.subarray(5)];
  const part = (number: number, bytes: Uint8Array) => box("jxlp", concatBytes([uint32s(number), bytes]));

  test.each([
    ["in one box", container(box("jxll", Uint8Array.of(5)), box("jxlc", whole))],
    ["in parts", container(part(0, start), box("free", new Uint8Array(9)), part(0x8000_0001, rest))],
  ])("holds a codestream %s", async (_, file) => {
    expect(await read(file)).toEqual(await read(whole));
  });

  test.each([
    ["no codestream", container(box("Exif", new Uint8Array(9)))],
    ["another codestream", container(box("jxlc", latin1("\x89PNG")))],
    ["a box that is too short for its header", container(uint32s(1, 0x6a786c63, 0, 8))],
    ["a codestream that is cut off", container(box("jxlc", whole)).subarray(0, -whole.length + 3)],
    ["nothing", container().subarray(0, 14)],
  ])("with %s is damaged_file", async (_, file) => {
    await expect(read(file)).rejects.toThrow(damaged);
  });

  const exif = concatBytes([uint32s(0), makeExif(1)]);
  const xmp = latin1("<x:xmpmeta/>");
  const metadataOf = (...boxes: readonly Uint8Array[]) =>
    readJxlMetadata(new Blob([container(...boxes, box("jxlc", whole))]));

  test("holds EXIF and XMP", async () => {
    expect(await metadataOf(box("Exif", exif), box("xml ", xmp))).toEqual({ exif: makeExif(1), xmp });
    expect(await metadataOf()).toEqual({});
    expect(await readJxlMetadata(new Blob([whole]))).toEqual({});
    expect(await metadataOf(box("Exif", uint32s(1000)))).toEqual({});
  });

  test("with compressed metadata is invalid_parameter", async () => {
    const compressed = (type: string) => box("brob", concatBytes([latin1(type), new Uint8Array(9)]));
    for (const type of ["Exif", "xml "]) {
      await expect(metadataOf(compressed(type))).rejects.toMatchObject({
        ...{ code: "invalid_parameter", details: { parameter: "keep_metadata" } },
      });
    }
    expect(await metadataOf(compressed("jumb"))).toEqual({});
  });
});
