import { describe, expect, test } from "vitest";
import { emptyRaster, type Raster } from "../../../../../../workers/image/formats/heic/raster.ts";
import { decodeTiles } from "../../../../../../workers/image/formats/heic/tiles.ts";
import type { TilePlace } from "../../../../../../workers/image/formats/heic/tiling.ts";

const tiling = { columns: 2, rows: 2, tileWidth: 96, tileHeight: 64, hiddenLeft: 0, hiddenTop: 28 };

function work(as: Raster["layout"], shown: { width: number; height: number }) {
  const decoded: TilePlace[] = [];
  const decode = (place: TilePlace) => {
    decoded.push(place);
    return emptyRaster(as, { width: 96, height: 64 });
  };
  return { decoded, picture: decodeTiles({ tiling, shown, as, decode, helpers: [] }) };
}

describe("a picture with partly hidden top tiles", () => {
  test("is decoded to planes with all rows", async () => {
    const { picture } = work("yuv420", { width: 192, height: 100 });
    expect(await picture).toMatchObject({ layout: "yuv420", width: 192, height: 100 });
  });

  test.each([
    { width: 192, height: 120 },
    { width: 192, height: 101 },
  ])("is decoded to pixels if its height is $height", async (shown) => {
    const { decoded, picture } = work("yuv420", shown);
    expect(await picture).toBeUndefined();
    expect(decoded).toEqual([]);
    expect(await work("rgba", shown).picture).toMatchObject(shown);
  });

  test("is damaged_file if its tiles cannot fill it", async () => {
    const { picture } = work("yuv420", { width: 194, height: 100 });
    await expect(picture).rejects.toMatchObject({ code: "damaged_file" });
  });
});
