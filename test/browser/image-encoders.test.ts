import { describe, expect, test, vi } from "vitest";
import { codec as webp } from "../../workers/image/codecs/webp.ts";
import { drawing, pixel, quarters, shown } from "./pictures.ts";

describe("a browser that does not write WebP", () => {
  test("gives a PNG instead and says nothing: libwebp writes it", async () => {
    const native = OffscreenCanvas.prototype.convertToBlob;
    const spy = vi.spyOn(OffscreenCanvas.prototype, "convertToBlob").mockImplementation(function (
      this: OffscreenCanvas,
    ) {
      return native.call(this, { type: "image/png" });
    });
    const file = new Blob([await drawing("image/png", 64, 32, quarters)]);
    spy.mockClear();
    const bitmap = await createImageBitmap(file);
    const picture = { kind: "bitmap", width: 64, height: 32, bitmap, hasAlpha: false } as const;
    const made = await webp.encoder?.encode(picture, { quality: 0.9 });
    expect(spy).toHaveBeenCalledTimes(1);
    spy.mockRestore();
    if (made === undefined) throw new Error("webp is written");
    expect(made.type).toBe("image/webp");
    expect(new TextDecoder().decode(await made.slice(8, 12).arrayBuffer())).toBe("WEBP");
    expect(pixel(await shown(made), 16, 8)[0]).toBeGreaterThan(240);
  });
});
