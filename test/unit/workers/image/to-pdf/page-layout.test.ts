import { describe, expect, test } from "vitest";
import type { PageSize } from "../../../../../src/shared/protocol.ts";
import type { Orientation } from "../../../../../workers/image/metadata/exif.ts";
import { placeImage, type Shape } from "../../../../../workers/image/to-pdf/page-layout.ts";

const SHAPE: Shape = { width: 300, height: 150, orientation: 1, resolution: { x: 300, y: 150 } };

/** Where the image's corners are, rounded: x and y of its first row's two ends, then of its last row's. */
function corners(shape: Partial<Shape>, pageSize: PageSize = "fit"): readonly (readonly number[])[] {
  const [a, b, c, d, e, f] = placeImage({ ...SHAPE, ...shape }, pageSize).matrix;
  const at = (u: number, v: number) => [Math.round(a * u + c * v + e), Math.round(b * u + d * v + f)];
  return [at(0, 1), at(1, 1), at(0, 0), at(1, 0)];
}

function pageOf(shape: Partial<Shape>, pageSize: PageSize = "fit"): readonly [number, number] {
  const { width, height } = placeImage({ ...SHAPE, ...shape }, pageSize);
  return [width, height];
}

/** The width and the height that the image has on its page. */
function sizeOn(pageSize: PageSize, shape: Partial<Shape>): readonly [number, number] {
  const [a, b, c, d] = placeImage({ ...SHAPE, ...shape }, pageSize).matrix;
  return [Math.round(Math.abs(a + c)), Math.round(Math.abs(b + d))];
}

describe("a page of the size fit", () => {
  test("has the size of the image at its resolution", () => {
    expect(pageOf({})).toEqual([72, 72]);
    expect(pageOf({ resolution: { x: 72, y: 72 } })).toEqual([300, 150]);
  });

  test("has 96 pixels per inch without a resolution", () => {
    expect(pageOf({ resolution: undefined })).toEqual([225, 112.5]);
  });

  test("is rotated with the image", () => {
    expect(pageOf({ resolution: undefined, orientation: 6 })).toEqual([112.5, 225]);
  });

  test("stays within the limits of readers", () => {
    expect(pageOf({ width: 100_000, height: 50_000, resolution: undefined })).toEqual([14_400, 7200]);
    expect(pageOf({ width: 1, height: 1, resolution: undefined })).toEqual([3, 3]);
    const [width, height] = pageOf({ width: 65_535, height: 1, resolution: { x: 1, y: 1 } });
    expect([width, height]).toEqual([14_400, 3]);
  });
});

describe("the corners of the image", () => {
  // First row's left and right end, last row's left and right end, on a page of 100 by 50 or 50 by 100 points.
  const [topLeft, topRight, bottomLeft, bottomRight] = [
    [0, 1],
    [1, 1],
    [0, 0],
    [1, 0],
  ] as const;

  test.each<[Orientation, readonly (readonly number[])[]]>([
    [1, [topLeft, topRight, bottomLeft, bottomRight]],
    [2, [topRight, topLeft, bottomRight, bottomLeft]],
    [3, [bottomRight, bottomLeft, topRight, topLeft]],
    [4, [bottomLeft, bottomRight, topLeft, topRight]],
    [5, [topLeft, bottomLeft, topRight, bottomRight]],
    [6, [topRight, bottomRight, topLeft, bottomLeft]],
    [7, [bottomRight, topRight, bottomLeft, topLeft]],
    [8, [bottomLeft, topLeft, bottomRight, topRight]],
  ])("have the places of orientation %i", (orientation, expected) => {
    const [across, down] = orientation >= 5 ? [50, 100] : [100, 50];
    const shape = { width: 100, height: 50, resolution: { x: 72, y: 72 }, orientation };
    expect(corners(shape)).toEqual(expected.map(([x = 0, y = 0]) => [x * across, y * down]));
  });
});

describe("paper", () => {
  test("has the direction of the upright image", () => {
    expect(pageOf({ width: 300, height: 200, resolution: undefined }, "a4")).toEqual([841.89, 595.276]);
    expect(pageOf({ width: 300, height: 200, resolution: undefined, orientation: 8 }, "letter")).toEqual([
      612, 792,
    ]);
  });

  test("has a margin of a quarter inch, with the image in the middle", () => {
    const photo = { width: 4000, height: 3000, resolution: { x: 72, y: 72 } };
    expect(sizeOn("letter", photo)).toEqual([756, 567]);
    const [topLeft, , , bottomRight] = corners(photo, "letter");
    expect((topLeft?.[0] ?? 0) + (bottomRight?.[0] ?? 0)).toBe(792);
    expect((topLeft?.[1] ?? 0) + (bottomRight?.[1] ?? 0)).toBe(612);
  });

  test("shows a small image at one point for each pixel", () => {
    expect(sizeOn("a4", { width: 100, height: 60, resolution: undefined })).toEqual([100, 60]);
    expect(sizeOn("a4", { width: 300, height: 180, resolution: { x: 300, y: 300 } })).toEqual([300, 180]);
  });

  test("keeps the size of an image with a lower resolution", () => {
    expect(sizeOn("a4", { width: 100, height: 50, resolution: { x: 36, y: 36 } })).toEqual([200, 100]);
  });

  test("is covered by a scan of that paper", () => {
    const scan = { width: 2480, height: 3508, resolution: { x: 300, y: 300 } };
    expect(sizeOn("a4", scan)).toEqual([595, 842]);
    expect(sizeOn("letter", { width: 1700, height: 2200, resolution: { x: 200, y: 200 } })).toEqual([
      612, 792,
    ]);
    expect(sizeOn("a4", { ...scan, resolution: undefined })).toEqual([559, 791]);
  });
});
