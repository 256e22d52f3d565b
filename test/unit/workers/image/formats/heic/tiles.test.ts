import { describe, expect, test } from "vitest";
import { decodeTiles } from "../../../../../../workers/image/formats/heic/tiles.ts";
import type { PlanePicture } from "../../../../../../workers/image/picture/picture.ts";
import { chromaSize } from "../../../../../../workers/image/picture/planes.ts";
import { never, scriptedHelper } from "../../../../../support/scripted-helper.ts";

const SHOWN = { width: 9, height: 7 };
/** Places of 3 by 2 tiles, turned so that the incomplete ones are at the left. */
const placeOf = (index: number) => ({ left: 4 * (index % 3) - 2, top: 4 * Math.floor(index / 3) });

/** Planes in which every value says where it is, and of which plane. */
function planes(left: number, top: number, size: typeof SHOWN): PlanePicture {
  const plane = (wide: number, high: number, first: number, step: number) =>
    Uint8Array.from(
      { length: wide * high },
      (_, at) => first + (left / step + (at % wide)) + 10 * (top / step + Math.floor(at / wide)),
    );
  const chroma = chromaSize(size);
  const [luma, cb, cr] = [
    plane(size.width, size.height, 0, 1),
    plane(chroma.width, chroma.height, 100, 2),
    plane(chroma.width, chroma.height, 150, 2),
  ];
  return { layout: "yuv420", ...size, planes: { luma, cb, cr }, hasAlpha: false };
}

async function tileAt(index: number): Promise<PlanePicture> {
  const { left, top } = placeOf(index);
  return planes(left, top, { width: 4, height: 4 });
}

const work = { count: 6, shown: SHOWN, placeOf, decode: tileAt, helpers: [] } as const;

describe("decodeTiles", () => {
  test("assembles tiles, alone and with a helper", async () => {
    expect(await decodeTiles(work)).toEqual(planes(0, 0, SHOWN));
    const helper = scriptedHelper<number, PlanePicture>(tileAt);
    expect(await decodeTiles({ ...work, helpers: [helper] })).toEqual(planes(0, 0, SHOWN));
    expect(helper.asked.length).toBeGreaterThan(0);
  });

  test("fails with the error of a tile", async () => {
    const decode = () => Promise.reject(new Error("bad tile"));
    await expect(decodeTiles({ ...work, decode })).rejects.toThrow("bad tile");
  });

  test("returns nothing if a tile cannot be decoded", async () => {
    const decode = async (index: number) => (index < 4 ? tileAt(index) : undefined);
    expect(await decodeTiles({ ...work, decode })).toBeUndefined();
    const helpers = [scriptedHelper<number, PlanePicture>(never)];
    expect(await decodeTiles({ ...work, decode: async () => undefined, helpers })).toBeUndefined();
  });
});
