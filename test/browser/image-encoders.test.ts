import { describe, expect, test, vi } from "vitest";
import { canvasReadback } from "../../workers/image/browser/canvas-readback.ts";
import { codec as webp } from "../../workers/image/formats/webp/codec.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { convert, drawing, meanDifference, pixel, quarters, shown } from "./pictures.ts";

describe("a drawing in saturated colors", () => {
  const COLORS = [
    [255, 0, 0],
    [0, 0, 255],
    [0, 255, 0],
    [255, 0, 255],
  ] as const;
  /** Each pixel another color than its neighbors: all that formats for photographs blur. */
  const icon = () =>
    makePng({
      ...{ width: 33, height: 31, colorType: 2, bitDepth: 8 },
      sample: (x, y) => COLORS[(x + 2 * y + ((x * y) >> 3)) % 4] ?? [],
    });

  test.each(["jpg", "webp", "avif"])("looks the same as a small %s", async (to) => {
    const source = icon();
    const made = await convert(source, to);
    const close = meanDifference(await shown(made), await shown(new Blob([source])));
    expect(close).toBeLessThan(2.25);
    // Where a quality is asked for, it is obeyed.
    const small = await convert(source, to, { quality: 0.5 });
    expect(meanDifference(await shown(small), await shown(new Blob([source])))).toBeGreaterThan(close);
  });
});

describe("a browser that cannot encode WebP", () => {
  test("returns a PNG, so libwebp encodes the WebP", async () => {
    // Which is found out by an encoding, too.
    await canvasReadback("exactly");
    const native = OffscreenCanvas.prototype.convertToBlob;
    const spy = vi.spyOn(OffscreenCanvas.prototype, "convertToBlob").mockImplementation(function (
      this: OffscreenCanvas,
    ) {
      return native.call(this, { type: "image/png" });
    });
    const file = new Blob([await drawing("image/png", 64, 32, quarters)]);
    spy.mockClear();
    const bitmap = await createImageBitmap(file);
    const picture = { layout: "bitmap", width: 64, height: 32, bitmap, hasAlpha: false } as const;
    const made = await webp.encoder?.encode(picture, 0.9);
    expect(spy).toHaveBeenCalledTimes(1);
    spy.mockRestore();
    if (made === undefined) throw new Error("webp is written");
    if (!(made instanceof Blob)) throw new Error("the browser gives a Blob");
    expect(made.type).toBe("image/webp");
    expect(new TextDecoder().decode(await made.slice(8, 12).arrayBuffer())).toBe("WEBP");
    expect(pixel(await shown(made), 16, 8)[0]).toBeGreaterThan(240);
  });
});
