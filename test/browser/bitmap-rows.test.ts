import { afterEach, describe, expect, test, vi } from "vitest";
import { frameOf, pixelRowsOf, prefersCanvas } from "../../workers/image/formats/jpg/bitmap-rows.ts";

const FIREFOX = "Mozilla/5.0 (X11; rv:153.0) Gecko/20100101 Firefox/153.0";

afterEach(() => {
  vi.restoreAllMocks();
});

test("pixelRowsOf reads the values of the bitmap, in any order of rows", async () => {
  const [width, height] = [301, 203];
  const pixels = Uint8ClampedArray.from({ length: 4 * width * height }, (_, at) =>
    at % 4 === 3 ? 255 : 60 * (at % 4) + ((at >> 10) % 100),
  );
  const bitmap = await createImageBitmap(new ImageData(pixels, width, height));
  const frame = frameOf(bitmap);
  const rows = pixelRowsOf(frame, { width, height });
  for (const first of [144, 48, 0, 16, 192]) {
    const count = Math.min(16, height - first);
    const read = await rows.readRows(first, count);
    expect(read, `from row ${first}`).toEqual(
      pixels.subarray(4 * width * first, 4 * width * (first + count)),
    );
  }
  frame.close();
  bitmap.close();
});

describe("prefersCanvas", () => {
  test("is false in Chromium", async () => {
    expect(await prefersCanvas()).toBe(false);
  });

  test("is true in Firefox", async () => {
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue(FIREFOX);
    expect(await prefersCanvas()).toBe(true);
  });
});
