import { describe, expect, test } from "vitest";
import { embedJpeg } from "../../../../../workers/image/to-pdf/embed-jpeg.ts";
import { embedPng } from "../../../../../workers/image/to-pdf/embed-png.ts";
import { bufferSource } from "../../../../../workers/io/source.ts";
import { concatBytes } from "../../../../support/fixtures/image/bytes.ts";
import { JPEG_TABLES, jpegSegment } from "../../../../support/fixtures/image/jpeg.ts";
import { makePng, type PngPlan } from "../../../../support/fixtures/image/png.ts";

/** A JPEG of 8 × 8 pixels with so many components and, if a transform is given, Adobe's segment. */
function jpegOf(components: 1 | 3 | 4, transform: number | undefined): Uint8Array<ArrayBuffer> {
  const ids = Array.from({ length: components }, (_, index) => index + 1);
  const frame = Uint8Array.of(8, 0, 8, 0, 8, components, ...ids.flatMap((id) => [id, 0x11, 0]));
  const scan = Uint8Array.of(components, ...ids.flatMap((id) => [id, 0]), 0, 63, 0);
  const adobe = (value: number) => jpegSegment(0xee, "Adobe", Uint8Array.of(0, 100, 0, 0, 0, 0, value));
  return concatBytes([
    Uint8Array.of(0xff, 0xd8),
    ...(transform === undefined ? [] : [adobe(transform)]),
    ...JPEG_TABLES,
    jpegSegment(0xc0, frame),
    jpegSegment(0xda, scan),
    Uint8Array.of(0, 0xff, 0xd9),
  ]);
}

test("a JPEG without a table that it needs does not go into a PDF as it is", () => {
  const jpeg = jpegOf(3, undefined);
  const [tables] = JPEG_TABLES;
  const without = concatBytes([jpeg.subarray(0, 2), jpeg.subarray(2 + (tables?.length ?? 0))]);
  expect(embedJpeg(bufferSource(jpeg), false)).toBeDefined();
  expect(embedJpeg(bufferSource(without), false)).toBeUndefined();
});

describe("the values of a JPEG in a PDF", () => {
  test.each([
    [4, undefined, true],
    [4, 0, true],
    [4, 1, true],
    [4, 2, true],
    [3, undefined, false],
    [3, 0, false],
    [3, 1, false],
    [1, 0, false],
  ] as const)(
    "of %i components with the transform %s of Adobe: inverted %s",
    (components, transform, inverted) => {
      expect(embedJpeg(bufferSource(jpegOf(components, transform)), false)).toMatchObject({ inverted });
    },
  );
});

describe("a transparent color of a PNG in a PDF", () => {
  const plan = { width: 4, height: 2 } as const;
  const uint16s = (...values: readonly number[]) => Uint8Array.from(values.flatMap((value) => [0, value]));
  const gray = (bitDepth: PngPlan["bitDepth"]) =>
    makePng({ ...plan, colorType: 0, bitDepth, sample: () => [1], chunks: [["tRNS", uint16s(1)]] });
  const rgb = (bitDepth: PngPlan["bitDepth"]) =>
    makePng({
      ...plan,
      colorType: 2,
      bitDepth,
      sample: () => [1, 2, 3],
      chunks: [["tRNS", uint16s(1, 2, 3)]],
    });

  test.each([
    ["gray of 1 bit", gray(1), [1, 1]],
    ["gray of 8 bits", gray(8), [1, 1]],
    ["RGB of 8 bits", rgb(8), [1, 1, 2, 2, 3, 3]],
  ])("is a color key: %s", async (_, png, colorKey) => {
    expect(await embedPng(bufferSource(png))).toMatchObject({ colorKey });
  });

  // Some PDF readers compare only the upper 8 bits with a color key, and hide other colors, too.
  test.each([
    ["gray", gray(16)],
    ["RGB", rgb(16)],
  ])("is no color key in %s of 16 bits: the picture is decoded", async (_, png) => {
    expect(await embedPng(bufferSource(png))).toBeUndefined();
  });
});
