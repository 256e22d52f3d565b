import { describe, expect, test, vi } from "vitest";
import { runJob } from "../../../../../workers/engines.ts";
import { checkSize } from "../../../../../workers/image/picture/limits.ts";
import { makeGif } from "../../../../support/fixtures/image/gif-and-bmp.ts";
import { CountingReader, ReadableBlob } from "../../../../support/readable-blob.ts";

const COMPUTER = { userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/153", memory: undefined };
const TELEPHONE = { userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", memory: undefined };
/** What Safari on an iPad says, too. */
const MACINTOSH =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15";
const TABLET = { userAgent: MACINTOSH, memory: undefined, touchPoints: 5 };
const SMALL = { userAgent: "Mozilla/5.0 (Linux; Android 15) Chrome/156", memory: 0.5 };

describe("the limits", () => {
  test.each([
    [COMPUTER, 16_384, 16_384],
    [COMPUTER, 1, 1],
    [TELEPHONE, 8192, 8192],
    [TELEPHONE, 16_384, 4096],
    [{ ...TABLET, touchPoints: 0 }, 16_384, 16_384],
    [{ ...TABLET, touchPoints: undefined }, 16_384, 16_384],
    [TABLET, 8192, 8192],
    [SMALL, 5000, 4000],
  ])("of %o allow %i × %i", (device, width, height) => {
    expect(() => checkSize({ width, height }, device)).not.toThrow();
  });

  test.each([
    [COMPUTER, 268_435_456, 16_385, 1, "16385 × 1 pixels, and this device allows 16384 on a side"],
    [COMPUTER, 268_435_456, 1, 70_000, "1 × 70000 pixels"],
    [TELEPHONE, 67_108_864, 8193, 8192, "67.1 million in all"],
    [TABLET, 67_108_864, 8193, 8192, "67.1 million in all"],
    [SMALL, 22_369_621, 6000, 4000, "22.4 million in all, not 24.0"],
  ])("of %o are %i pixels, and refuse %i × %i", (device, most, width, height, message) => {
    expect(() => checkSize({ width, height }, device)).toThrow(
      expect.objectContaining({
        code: "input_too_large",
        message: expect.stringContaining(message),
        details: {
          width,
          height,
          longest_side: 16_384,
          largest_area: most,
        },
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

  test("of a format apply to the side, which may be longer for pictures that are not drawn", () => {
    expect(() => checkSize({ width: 16_384, height: 1 }, COMPUTER, 16_383)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ longest_side: 16_383 }) }),
    );
    expect(() => checkSize({ width: 4096, height: 65_535 }, COMPUTER, 65_535)).not.toThrow();
    expect(() => checkSize({ width: 4097, height: 65_535 }, COMPUTER, 65_535)).toThrow(
      "268.4 million in all",
    );
  });
});
