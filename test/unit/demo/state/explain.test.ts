import { expect, test } from "vitest";
import { de } from "../../../../demo/messages/de.ts";
import { en } from "../../../../demo/messages/en.ts";
import { explain } from "../../../../demo/state/explain.ts";
import { ServiceError } from "../../../../src/index.ts";
import { ERROR_STATUS } from "../../../../src/shared/errors.ts";

const CODES = Object.keys(ERROR_STATUS) as (keyof typeof ERROR_STATUS)[];

test.each(CODES)("explains %s without a word of the library", (code) => {
  const { message, details } = explain(new ServiceError(code, "give createClient its `baseUrl`"));
  for (const texts of [en, de]) {
    expect(texts[message]).not.toMatch(/createClient|baseUrl|`|iloc|parameter|→|_/);
  }
  expect(details).toContain(code);
});

/** Errors that only the service causes. */
const OF_SERVICE = new Set([
  "unauthorized",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "rate_limited",
  "remote_failed",
]);

test.each(CODES.filter((code) => !OF_SERVICE.has(code)))("explains %s without naming a service", (code) => {
  const { message } = explain(new ServiceError(code, "The file is too large."));
  for (const texts of [en, de]) expect(texts[message]).not.toContain("{host}");
});

test("explains an error that is not of the library", () => {
  const { message, details } = explain(new TypeError("x is undefined"));
  expect(message).toBe("error.internal");
  expect(details).toContain("x is undefined");
});

test("names all kinds of files that work", () => {
  for (const texts of [en, de]) {
    for (const name of ["PDF", "JPG", "PNG", "WebP", "AVIF", "HEIC", "GIF", "BMP", "TIFF", "JPEG XL"]) {
      expect(texts["error.type"]).toContain(name);
      expect(texts["error.typeOffice"]).toContain(name);
    }
    // They need a service.
    for (const name of ["Word", "OpenDocument"]) {
      expect(texts["error.type"]).not.toContain(name);
      expect(texts["error.typeOffice"]).toContain(name);
    }
  }
});
