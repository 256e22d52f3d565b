import { describe, expect, test } from "vitest";
import { ServiceError } from "../../../../src/shared/errors.ts";
import type { Size } from "../../../../workers/image/picture/size.ts";
import { checkPageSize, pixelSize } from "../../../../workers/render/page-size.ts";

const COMPUTER = { userAgent: "a test", memory: undefined };
const TELEPHONE = { userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)", memory: undefined };
const A4 = { width: 595.276, height: 841.89 };

describe("pixelSize", () => {
  test.each([
    [A4, 1, 72, 595, 842],
    [A4, 1, 150, 1240, 1754],
    [A4, 1, 300, 2480, 3508],
    [A4, 2, 72, 1191, 1684],
    [{ width: 100, height: 60 }, 1, 150, 208, 125],
    [{ width: 0.1, height: 700 }, 1, 72, 1, 700],
    [{ width: 0, height: 0 }, 1, 2400, 1, 1],
  ])("%o in units of %f at %f dpi", (page, unit, dpi, width, height) => {
    expect(pixelSize(page, unit, { dpi })).toEqual({ width, height });
  });

  test.each([
    [A4, 800, 800, 1131],
    [A4, 333.4, 333, 472],
    [{ width: 100, height: 60 }, 1, 1, 1],
    [{ width: 0, height: 0 }, 500, 1, 1],
  ])("%o with a width of %f pixels", (page, wanted, width, height) => {
    expect(pixelSize(page, 2, { width: wanted })).toEqual({ width, height });
  });
});

describe("checkPageSize", () => {
  function refusal(
    size: Size,
    dpi: number | { readonly width: number },
    device = COMPUTER,
    longestSide?: number,
  ): ServiceError | undefined {
    const scale = typeof dpi === "number" ? { dpi } : dpi;
    try {
      checkPageSize(7, size, scale, device, longestSide);
      return undefined;
    } catch (thrown) {
      if (thrown instanceof ServiceError) return thrown;
      throw thrown;
    }
  }

  test("accepts the largest canvas", () => {
    expect(refusal({ width: 16_384, height: 16_384 }, 150)).toBeUndefined();
    expect(refusal(pixelSize(A4, 1, { dpi: 1400 }), 1400)).toBeUndefined();
  });

  test("refuses a side that is too long", () => {
    const error = refusal({ width: 16_385, height: 10 }, 150);
    expect(error).toMatchObject({
      code: "input_too_large",
      details: { page: 7, width: 16_385, largest_dpi: 149 },
    });
    expect(error?.message).toContain("Page 7 would be 16385 × 10 pixels at 150 dpi");
  });

  test("refuses a width that is too large", () => {
    const error = refusal({ width: 8192, height: 20_000 }, { width: 8192 });
    expect(error).toMatchObject({ code: "input_too_large", details: { page: 7, largest_width: 6710 } });
    expect(error?.message).toMatch(/with a width of 8192, .* With a width of 6710 it would fit\.$/);
  });

  test("refuses more than the limit of the format", () => {
    expect(refusal({ width: 16_384, height: 10 }, 150, COMPUTER, 16_383)).toMatchObject({
      details: { longest_side: 16_383, largest_dpi: 149 },
    });
  });

  test("refuses more pixels than the device allows", () => {
    expect(refusal({ width: 8192, height: 8192 }, 600, TELEPHONE)).toBeUndefined();
    expect(refusal({ width: 8193, height: 8192 }, 600, TELEPHONE)?.details).toMatchObject({
      largest_dpi: 599,
    });
  });

  test("names the highest resolution that fits", () => {
    for (const [page, unit] of [
      [A4, 1],
      [{ width: 14_400, height: 14_400 }, 1],
      [{ width: 3000, height: 2 }, 3.7],
      [{ width: 1000, height: 1000 }, 2],
    ] as const) {
      const error = refusal(pixelSize(page, unit, { dpi: 2400 }), 2400);
      const fits = Number(error?.details.largest_dpi);
      expect(refusal(pixelSize(page, unit, { dpi: fits }), fits)).toBeUndefined();
      expect(refusal(pixelSize(page, unit, { dpi: 1.02 * fits + 1 }), 1.02 * fits + 1)).toBeDefined();
    }
  });

  test("says when a page fits at no resolution", () => {
    const error = refusal(pixelSize({ width: 1e9, height: 5 }, 1, { dpi: 72 }), 72);
    expect(error?.message).toContain("too large at any resolution");
    expect(error?.details).not.toHaveProperty("largest_dpi");
  });
});
