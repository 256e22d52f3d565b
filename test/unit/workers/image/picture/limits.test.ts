import { describe, expect, test, vi } from "vitest";
import { runJob } from "../../../../../workers/engines.ts";
import { checkDecoding, checkEncoding } from "../../../../../workers/image/picture/limits.ts";
import { makeGif } from "../../../../support/fixtures/image/gif-and-bmp.ts";
import { CountingReader, ReadableBlob } from "../../../../support/readable-blob.ts";

const COMPUTER = { userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/153", memory: undefined };
const TELEPHONE = { userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", memory: undefined };
/** What Safari on an iPad says, too. */
const MACINTOSH =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15";
const TABLET = { userAgent: MACINTOSH, memory: undefined, touchPoints: 5 };
const SMALL = { userAgent: "Mozilla/5.0 (Linux; Android 15) Chrome/156", memory: 0.5 };

/** An opaque JPEG. */
const photo = (width: number, height: number) => ({ width, height, hasAlpha: false });

describe("the limits", () => {
  test.each([
    [COMPUTER, 16_384, 12_000],
    [COMPUTER, 65_535, 3000],
    [TELEPHONE, 8192, 8192],
    [TELEPHONE, 16_384, 4096],
    [{ ...TABLET, touchPoints: 0 }, 8193, 8192],
    [{ ...TABLET, touchPoints: undefined }, 8193, 8192],
    [TABLET, 8192, 8192],
    [SMALL, 5000, 4000],
  ])("of %o allow to decode %i × %i", (device, width, height) => {
    expect(() => checkDecoding(photo(width, height), "jpg", device)).not.toThrow();
  });

  test.each([
    [COMPUTER, 236_666_666, 16_000, 16_000, "236.7 million in all, not 256.0"],
    [TELEPHONE, 67_108_864, 8193, 8192, "67.1 million in all"],
    [TABLET, 67_108_864, 8193, 8192, "67.1 million in all"],
    [SMALL, 22_369_621, 6000, 4000, "22.4 million in all, not 24.0"],
  ])("of %o are %i pixels, and refuse to decode %i × %i", (device, most, width, height, message) => {
    expect(() => checkDecoding(photo(width, height), "jpg", device)).toThrow(
      expect.objectContaining({
        code: "input_too_large",
        message: expect.stringContaining(message),
        details: { width, height, largest_area: most },
      }),
    );
  });

  test("of an iPad are known by its touch points", async () => {
    vi.stubGlobal("navigator", { userAgent: MACINTOSH });
    try {
      const black = [0, 0, 0];
      const screen = { width: 12_000, height: 9_000, left: 0, top: 0 };
      const gif = makeGif(1, 1, [black, black, black, black], () => 0, screen);
      const convert = () =>
        runJob(
          {
            ...{ engine: "image/convert", from: "gif", to: "jpg", name: "a" },
            file: new ReadableBlob(gif),
          },
          { reader: new CountingReader(), helpers: 0, touchPoints: 5 },
        );
      await expect(convert()).rejects.toMatchObject({
        code: "input_too_large",
        details: { largest_area: 8192 ** 2 },
      });
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test("of a format apply to the sides of the output", () => {
    const sides = (longestSide?: number) => () =>
      checkEncoding(photo(16_384, 1), "webp", COMPUTER, longestSide);
    expect(sides()).not.toThrow();
    expect(sides(16_383)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ longest_side: 16_383 }) }),
    );
    expect(() => checkEncoding(photo(16_385, 1), "png", COMPUTER)).toThrow(
      "16385 × 1 pixels, and this device allows 16384",
    );
  });

  test("of an output are its pixels, fewer with alpha", () => {
    const output = (hasAlpha: boolean) => () =>
      checkEncoding({ ...photo(8192, 8192), hasAlpha }, "png", COMPUTER);
    expect(output(false)).not.toThrow();
    expect(output(true)).toThrow(expect.objectContaining({ code: "input_too_large" }));
  });

  test.each(["jpg", "png", "webp", "gif", "bmp", "heic", "avif", "tiff"] as const)(
    "allow a %s of 48 megapixels",
    (from) => {
      for (const hasAlpha of [false, true]) {
        expect(() => checkDecoding({ ...photo(8000, 6000), hasAlpha }, from, COMPUTER)).not.toThrow();
      }
    },
  );
});
