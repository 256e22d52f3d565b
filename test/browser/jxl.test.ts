import { afterEach, describe, expect, test, vi } from "vitest";
import { convertImage } from "../../workers/image/convert.ts";
import { decodesJxl } from "../../workers/image/formats/jxl/browser-support.ts";
import { pixel, shown } from "./pictures.ts";

describe("a JPEG XL in a browser that does not know the format", () => {
  /** A gray pixel, by cjxl. */
  const PIXEL = "/woAEBBQXAgIAgEALABLGIsVwklBHoAAAA==";
  const { createImageBitmap } = globalThis;
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("is decoded by jxl-oxide", async () => {
    const refused: string[] = [];
    vi.spyOn(globalThis, "createImageBitmap").mockImplementation(async (source: ImageBitmapSource) => {
      if (!(source instanceof Blob) || source.type !== "image/jxl") return createImageBitmap(source);
      refused.push(source.type);
      throw new DOMException("The source image could not be decoded.", "InvalidStateError");
    });
    const bytes = Uint8Array.from(atob(PIXEL), (character) => character.charCodeAt(0));
    const made = await convertImage(
      { file: new Blob([bytes]), report: () => {}, helpers: 0 },
      { from: "jxl", to: "png", name: "picture" },
    );
    if (!(made instanceof Blob)) throw new Error("several pictures");
    expect(pixel(await shown(made), 0, 0)).toEqual([128, 128, 128, 255]);
    expect(await decodesJxl()).toBe(false);
    // The browser is asked once.
    expect(refused).toHaveLength(1);
  });
});
