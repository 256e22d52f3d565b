import { describe, expect, test } from "vitest";
import { fillsGrid, readGridLayout, tilePlace } from "../../../../../../workers/image/formats/heic/grid.ts";
import { join, u8, u16 } from "../../../../../support/fixtures/heif.ts";

describe("an image grid", () => {
  const layoutOf = (itemData: Uint8Array<ArrayBuffer>) => {
    const extents = [{ offset: 0, length: itemData.length }];
    return readGridLayout(new Blob(), { location: { within: "idat", extents }, itemData }, 2);
  };

  test("has its size and its tiles", async () => {
    const layout = await layoutOf(join(u8(0), u8(0), u8(0), u8(1), u16(3), u16(2)));
    expect(layout).toEqual({ width: 3, height: 2, columns: 2, rows: 1 });
  });

  test("is damaged_file if tiles are missing", async () => {
    const reading = layoutOf(join(u8(0), u8(0), u8(1), u8(1), u16(4), u16(4)));
    await expect(reading).rejects.toMatchObject({ code: "damaged_file" });
  });

  test("has a place for each tile, also when it is rotated", () => {
    // Two tiles of 4 by 4 pixels, of which the second is cut off.
    const layout = { width: 6, height: 4, columns: 2, rows: 1 };
    const tile = { width: 4, height: 4 };
    const places = (orientation: 1 | 2 | 6 | 8) =>
      [0, 1].map((index) => Object.values(tilePlace(index, layout, tile, orientation)).join()).join(" ");
    expect(places(1)).toBe("0,0 4,0");
    expect(places(2)).toBe("2,0 -2,0");
    expect(places(6)).toBe("0,0 0,4");
    expect(places(8)).toBe("0,2 0,-2");
  });

  test("is filled by tiles that are at least partly in the picture", () => {
    const layout = { width: 6, height: 4, columns: 2, rows: 1 };
    const fits = (width: number) => fillsGrid(layout, { width, height: 4 });
    expect([2, 3, 4, 5, 6, 7].map(fits)).toEqual([false, true, true, true, false, false]);
  });
});
