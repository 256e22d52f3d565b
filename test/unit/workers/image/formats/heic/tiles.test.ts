import { describe, expect, test } from "vitest";
import type {
  PixelRaster,
  PlaneRaster,
  Raster,
} from "../../../../../../workers/image/formats/heic/raster.ts";
import { decodeTiles } from "../../../../../../workers/image/formats/heic/tiles.ts";
import { chromaSize } from "../../../../../../workers/image/picture/planes.ts";
import { never, scriptedHelper } from "../../../../../support/scripted-helper.ts";

const PICTURE = { width: 10, height: 7 };
/** Places of 3 by 2 tiles, turned so that the incomplete ones are at the left and at the top. */
const placeOf = (index: number) => ({ left: 4 * (index % 3) - 2, top: 4 * Math.floor(index / 3) - 1 });

function raster(
  width: number,
  height: number,
  color: (x: number, y: number) => readonly number[],
): PixelRaster {
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(color(x, y), (y * width + x) * 4);
  }
  return { layout: "rgba", width, height, pixels };
}

/** A picture whose every pixel says where it is. */
const whole = raster(PICTURE.width, PICTURE.height, (x, y) => [x, y, 100, 255]);

function tileAt(index: number): PixelRaster {
  const { left, top } = placeOf(index);
  return raster(4, 4, (x, y) => [left + x, top + y, 100, 255]);
}

const fakeHelper = (answer: (index: number) => Raster | undefined) =>
  scriptedHelper<number, Raster>(async (index) => answer(index));

describe("assembles tiles", () => {
  const inPixels = { count: 6, placeOf, shown: PICTURE, as: "rgba", helpers: [] } as const;

  test("alone and with a helper", async () => {
    expect(await decodeTiles({ ...inPixels, decode: tileAt })).toEqual(whole);
    const helper = fakeHelper(tileAt);
    expect(await decodeTiles({ ...inPixels, decode: tileAt, helpers: [helper] })).toEqual(whole);
    expect(helper.asked.length).toBeGreaterThan(0);
  });

  test("and fails with the error of a tile", async () => {
    const fail = () => {
      throw new Error("bad tile");
    };
    await expect(decodeTiles({ ...inPixels, decode: fail })).rejects.toThrow("bad tile");
  });

  test("unless it cannot decode one of them", async () => {
    let left = 4;
    const some = (index: number) => (left-- > 0 ? tileAt(index) : undefined);
    expect(await decodeTiles({ ...inPixels, decode: some })).toBeUndefined();
    const helpers = [scriptedHelper<number, Raster>(never)];
    expect(await decodeTiles({ ...inPixels, decode: () => undefined, helpers })).toBeUndefined();
  });
});

describe("assembles tiles in planes", () => {
  const size = { width: 9, height: 7 };
  const placeOf = (index: number) => ({ left: 4 * (index % 3) - 2, top: 4 * Math.floor(index / 3) });
  /** Every value says where it is, of which plane. */
  const planes = (left: number, top: number, { width, height }: typeof size): PlaneRaster => {
    const plane = (wide: number, high: number, first: number, step: number) =>
      Uint8Array.from(
        { length: wide * high },
        (_, at) => first + (left / step + (at % wide)) + 10 * (top / step + Math.floor(at / wide)),
      );
    const chroma = chromaSize({ width, height });
    const [luma, cb, cr] = [
      plane(width, height, 0, 1),
      plane(chroma.width, chroma.height, 100, 2),
      plane(chroma.width, chroma.height, 150, 2),
    ];
    return { layout: "yuv420", width, height, planes: { luma, cb, cr } };
  };
  const decode = (index: number) => {
    const { left, top } = placeOf(index);
    return planes(left, top, { width: 4, height: 4 });
  };

  const inPlanes = { count: 6, placeOf, shown: size, as: "yuv420", decode, helpers: [] } as const;

  test("alone and with a helper", async () => {
    expect(await decodeTiles(inPlanes)).toEqual(planes(0, 0, size));
    const helper = fakeHelper(decode);
    expect(await decodeTiles({ ...inPlanes, helpers: [helper] })).toEqual(planes(0, 0, size));
    expect(helper.asked.length).toBeGreaterThan(0);
  });
});
