import { afterEach, expect, test, vi } from "vitest";
import { fasterReading, frameOf, pixelRowsOf } from "../../workers/image/formats/jpg/bitmap-rows.ts";

const [width, height] = [301, 203];

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Opaque, in many colors. */
async function frame(): Promise<VideoFrame> {
  const pixels = Uint8ClampedArray.from({ length: 4 * width * height }, (_, at) =>
    at % 4 === 3 ? 255 : 60 * (at % 4) + ((at >> 10) % 100),
  );
  const bitmap = await createImageBitmap(new ImageData(pixels, width, height));
  const held = frameOf(bitmap);
  bitmap.close();
  return held;
}

test("drawn rows equal copied rows", async () => {
  const held = await frame();
  const copied = pixelRowsOf(held, { width, height });
  const drawn = pixelRowsOf(held, { width, height, reading: "drawn" });
  const order = copied.order === "bgr" ? [2, 1, 0] : [0, 1, 2];
  expect(drawn.order).toBe("rgb");
  // Some MCU rows alone, and all of them in bands, the last of which is not whole.
  for (const first of [144, 48, ...Array.from({ length: 13 }, (_, mcuRow) => 16 * mcuRow)]) {
    const count = Math.min(16, height - first);
    const [one, other] = [await copied.readRows(first, count), await drawn.readRows(first, count)];
    expect(other.length).toBe(4 * width * count);
    const isSame = other.every(
      (value, at) => at % 4 === 3 || value === one[at - (at % 4) + (order[at % 4] ?? 0)],
    );
    expect(isSame, `from ${first} on`).toBe(true);
  }
  held.close();
});

test("copies rows in Chromium", async () => {
  expect(await fasterReading()).toBe("copied");
});

test("draws rows in Firefox", async () => {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(
    "Mozilla/5.0 (X11; rv:153.0) Gecko/20100101 Firefox/153.0",
  );
  expect(await fasterReading()).toBe("drawn");
});
