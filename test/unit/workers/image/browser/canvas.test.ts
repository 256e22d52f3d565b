import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

/** The largest area that the fake browser draws. It leaves a larger canvas blank. */
let drawn: number;
let canvases: number;

class FakeCanvas {
  width: number;
  height: number;
  #isPainted = false;
  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    canvases++;
  }
  getContext() {
    return {
      fillRect: () => {
        this.#isPainted = this.width * this.height <= drawn;
      },
      getImageData: () => ({ data: Uint8ClampedArray.of(0, 0, 0, this.#isPainted ? 255 : 0) }),
    };
  }
}

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal("OffscreenCanvas", FakeCanvas);
  canvases = 0;
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const load = () => import("../../../../../workers/image/browser/canvas.ts");

describe("a browser that draws 16.8 megapixels, as Safari of iOS before 18", () => {
  beforeEach(() => {
    drawn = 4096 ** 2;
  });

  test("draws these without a check, and not more", async () => {
    const { isDrawable } = await load();
    expect(isDrawable({ width: 4096, height: 4096 })).toBe(true);
    expect(canvases).toBe(0);
    expect(isDrawable({ width: 4097, height: 4096 })).toBe(false);
  });

  test("refuses a larger drawing instead of leaving it blank", async () => {
    const { newCanvas } = await load();
    const draw = vi.fn();
    expect(() => newCanvas(8064, 6048, draw)).toThrow(
      expect.objectContaining({
        code: "input_too_large",
        details: { width: 8064, height: 6048, largest_area: 4096 ** 2 },
      }),
    );
    expect(draw).not.toHaveBeenCalled();
  });

  test("gets no canvas to encode", async () => {
    vi.doMock("../../../../../workers/image/browser/canvas-readback.ts", () => ({
      canvasReadback: async () => true,
    }));
    const { encodeNatively } = await import("../../../../../workers/image/formats/encode-natively.ts");
    const pixels = new Uint8ClampedArray();
    const picture = { layout: "rgba", width: 8064, height: 6048, pixels, hasAlpha: false } as const;
    expect(await encodeNatively(picture, "image/png")).toBeUndefined();
  });
});

test("checks a browser that draws more once for each larger size", async () => {
  drawn = 16_384 ** 2;
  const { isDrawable } = await load();
  for (const side of [8000, 9000, 8500]) expect(isDrawable({ width: side, height: side })).toBe(true);
  expect(canvases).toBe(2);
});

test("no browser draws a side of more than 16,384 pixels", async () => {
  drawn = 16_384 ** 2;
  const { isDrawable } = await load();
  expect([isDrawable({ width: 16_384, height: 1 }), isDrawable({ width: 1, height: 16_385 })]).toEqual([
    true,
    false,
  ]);
});
