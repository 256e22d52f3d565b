import { describe, expect, test } from "vitest";
import { ServiceError } from "../../../src/shared/errors.ts";
import {
  CallBudget,
  isLimitReached,
  limitReached,
  MOST_DRAWN_PAGES,
  MOST_PAGES,
} from "../../../workers/call-budget.ts";

describe("CallBudget", () => {
  test("counts the pages, pixels and bytes of a call", () => {
    const budget = new CallBudget({ pages: 10, pixels: 1e6, bytes: 2000 });
    budget.takePages(4);
    budget.takePages(6);
    expect(() => budget.takePages(1)).toThrow(
      expect.objectContaining({
        code: "input_too_large",
        details: { limit: "pages", pages: 11, largest_pages: 10 },
      }),
    );
    budget.takePixels(1e6);
    expect(() => budget.takePixels(1)).toThrow(
      expect.objectContaining({ details: { limit: "pixels", pixels: 1e6 + 1, largest_pixels: 1e6 } }),
    );
    budget.takeBytes(2000);
    expect(() => budget.takeBytes(1, { page: 3 })).toThrow(
      expect.objectContaining({ details: { limit: "output_bytes", page: 3, output_limit_bytes: 2000 } }),
    );
  });

  test("has room for 2,000 pages of A3 at 600 dpi", () => {
    const budget = CallBudget.forDrawing();
    budget.takePages(2000);
    for (let page = 0; page < 2000; page++) {
      budget.takePixels(7016 * 9921);
      budget.takeBytes(20e6);
    }
  });

  test("has fewer pages to draw than to copy", () => {
    expect(() => CallBudget.forDrawing().takePages(MOST_DRAWN_PAGES + 1)).toThrow(ServiceError);
    CallBudget.forCopying(1000).takePages(MOST_PAGES);
  });

  test("lets decoded images have a multiple of the bytes of all inputs", () => {
    const budget = CallBudget.forDecoding([new Blob(["x".repeat(600)]), new Blob(["x".repeat(400)])]);
    budget.takePixels(5e8 + 1e6);
    expect(() => budget.takePixels(12e6)).toThrow(
      expect.objectContaining({
        code: "input_too_large",
        message: expect.stringContaining("513 million pixels or more, and 501 million are allowed"),
        details: { limit: "pixels", input_bytes: 1000, pixels: 513e6, largest_pixels: 501e6 },
      }),
    );
  });

  test("lets copies have a multiple of the input", () => {
    const budget = CallBudget.forCopying(1000);
    budget.takeBytes(2 ** 29 + 100_000);
    expect(() => budget.takeBytes(1)).toThrow(
      expect.objectContaining({
        details: { limit: "output_bytes", input_bytes: 1000, output_limit_bytes: 2 ** 29 + 100_000 },
      }),
    );
  });
});

describe("isLimitReached", () => {
  test("tells a limit from damage", () => {
    expect(isLimitReached(limitReached("pages", "Too many."))).toBe(true);
    expect(isLimitReached(new ServiceError("damaged_file", "Damaged."))).toBe(false);
    expect(isLimitReached(new Error("other"))).toBe(false);
  });
});
