import { describe, expect, test } from "vitest";
import { converterOf } from "../../../src/conversions.ts";
import { FORMATS, type FormatId } from "../../../src/shared/formats.ts";

const NOT_SET_UP = { baseUrl: undefined, remote: "office" } as const;
const NEVER = { baseUrl: undefined, remote: "never" } as const;
const SET_UP = { baseUrl: "https://service.example", remote: "office" } as const;

const ALL = Object.keys(FORMATS) as FormatId[];
const OFFICE = ALL.filter((format) => FORMATS[format].kind === "office");

describe("converterOf", () => {
  test("returns pdf/normalize for PDF to PDF with all settings", () => {
    for (const settings of [NOT_SET_UP, NEVER, SET_UP]) {
      expect(converterOf("pdf", "pdf", settings)).toBe("pdf/normalize");
    }
  });

  test("converts a PDF to images on this device with all settings", () => {
    for (const settings of [NOT_SET_UP, NEVER, SET_UP]) {
      for (const to of ["jpg", "png", "webp", "avif"] as const) {
        expect(converterOf("pdf", to, settings)).toBe("pdf/to-images");
      }
    }
  });

  test("converts a PDF to text on this device with all settings", () => {
    for (const settings of [NOT_SET_UP, NEVER, SET_UP]) {
      expect(converterOf("pdf", "txt", settings)).toBe("pdf/to-text");
    }
  });

  test("converts images to images on this device with all settings", () => {
    for (const settings of [NOT_SET_UP, NEVER, SET_UP]) {
      for (const from of ["jpg", "png", "webp", "heic", "avif", "gif", "bmp"] as const) {
        for (const to of ["jpg", "png", "webp", "avif"] as const) {
          expect(converterOf(from, to, settings)).toBe("image/convert");
        }
        expect(converterOf(from, "pdf", settings)).toBe("image/to-pdf");
      }
    }
  });

  test.each([
    ["docx", "pdf"],
    ["pdf", "docx"],
    ["odt", "docx"],
    ["pptx", "avif"],
    ["heic", "xlsx"],
    ["bmp", "rtf"],
  ] as const)("%s to %s needs the remote service", (from, to) => {
    const details = { from, to };
    expect(() => converterOf(from, to, NOT_SET_UP)).toThrow(
      expect.objectContaining({
        code: "remote_not_configured",
        message: expect.stringContaining("baseUrl"),
        details,
      }),
    );
    expect(() => converterOf(from, to, NEVER)).toThrow(
      expect.objectContaining({
        code: "remote_refused",
        message: expect.stringContaining("does not let files leave the device"),
        details,
      }),
    );
    expect(() => converterOf(from, to, { ...SET_UP, remote: "never" })).toThrow(
      expect.objectContaining({ code: "remote_refused" }),
    );
    expect(converterOf(from, to, SET_UP)).toBe("remote");
  });

  test.each([
    ["pdf", "gif"],
    ["jpg", "heic"],
    ["docx", "gif"],
    ["pdf", "bmp"],
    ["png", "txt"],
    ["docx", "txt"],
    ["txt", "pdf"],
  ] as const)("%s to %s is unsupported_conversion", (from, to) => {
    expect(() => converterOf(from, to, SET_UP)).toThrow(
      expect.objectContaining({
        code: "unsupported_conversion",
        message: `${from.toUpperCase()} to ${to.toUpperCase()} is not supported. Choose another format.`,
      }),
    );
  });

  test("needs the remote service for office formats only", () => {
    for (const from of ALL) {
      for (const to of ALL) {
        const asksForRemote = codeOf(from, to) === "remote_not_configured";
        if (asksForRemote) expect([from, to].some((format) => OFFICE.includes(format))).toBe(true);
      }
    }
  });
});

function codeOf(from: FormatId, to: FormatId): unknown {
  try {
    return converterOf(from, to, NOT_SET_UP);
  } catch (error) {
    return (error as { code: unknown }).code;
  }
}
