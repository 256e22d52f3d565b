import { describe, expect, test } from "vitest";
import { readGridLayout } from "../../../../../../workers/image/formats/heic/grid.ts";
import { join, u8, u16 } from "../../../../../support/fixtures/heif.ts";

describe("an image grid", () => {
  const layoutOf = (itemData: Uint8Array<ArrayBuffer>) => {
    const extents = [{ offset: 0, length: itemData.length }];
    return readGridLayout(new Blob(), { parts: [1, 1], location: { within: "idat", extents }, itemData });
  };

  test("has its size and its tiles", async () => {
    const layout = await layoutOf(join(u8(0), u8(0), u8(0), u8(1), u16(3), u16(2)));
    expect(layout).toEqual({ width: 3, height: 2, columns: 2, rows: 1 });
  });

  test("is damaged_file if tiles are missing", async () => {
    const reading = layoutOf(join(u8(0), u8(0), u8(1), u8(1), u16(4), u16(4)));
    await expect(reading).rejects.toMatchObject({ code: "damaged_file" });
  });
});
