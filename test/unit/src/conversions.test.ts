import { describe, expect, test } from "vitest";
import { converterOf } from "../../../src/conversions.ts";
import { FORMAT_ROWS } from "../../../src/shared/formats.ts";
import { refusal } from "../../support/refusal.ts";

const NOT_SET_UP = { baseUrl: undefined, remote: "office" } as const;
const SET_UP = { baseUrl: "https://service.example", remote: "office" } as const;
const NEVER = { baseUrl: undefined, remote: "never" } as const;

const IMAGES = ["jpg", "png", "webp", "avif"] as const;
const READ_IMAGES = [...IMAGES, "heic", "gif", "bmp", "tiff", "jxl"] as const;

describe("converterOf", () => {
  test.each([
    [["pdf"], ["pdf"], "pdf/repair"],
    [["pdf"], IMAGES, "pdf/to-images"],
    [["pdf"], ["txt"], "pdf/to-text"],
    [READ_IMAGES, IMAGES, "image/convert"],
    [READ_IMAGES, ["pdf"], "image/to-pdf"],
  ] as const)("converts %j to %j on this device with all settings", (inputs, outputs, engine) => {
    for (const from of inputs) {
      for (const to of outputs) {
        for (const settings of [NOT_SET_UP, NEVER, SET_UP])
          expect(converterOf(from, to, settings)).toBe(engine);
      }
    }
  });

  test.each([
    ["docx", "pdf"],
    ["pdf", "docx"],
    ["odt", "docx"],
    ["pptx", "avif"],
    ["heic", "xlsx"],
  ] as const)("%s to %s needs the remote service", (from, to) => {
    const details = { from, to };
    expect(() => converterOf(from, to, NOT_SET_UP)).toThrow(
      refusal("remote_not_configured", details, "baseUrl"),
    );
    expect(() => converterOf(from, to, NEVER)).toThrow(
      refusal("remote_refused", details, "does not let files leave the device"),
    );
    expect(converterOf(from, to, SET_UP)).toBe("remote");
  });

  test.each([
    ["pdf", "gif"],
    ["jpg", "heic"],
    ["docx", "gif"],
    ["png", "txt"],
    ["docx", "txt"],
    ["txt", "pdf"],
  ] as const)("%s to %s is unsupported_conversion", (from, to) => {
    const message = `${from.toUpperCase()} to ${to.toUpperCase()} is not supported. Choose another format.`;
    expect(() => converterOf(from, to, SET_UP)).toThrow(
      refusal("unsupported_conversion", { from, to }, message),
    );
  });

  test("needs the remote service for office formats only", () => {
    const others = FORMAT_ROWS.filter(([, { kind }]) => kind !== "office").map(([format]) => format);
    for (const from of others) {
      for (const to of others) expect(() => converterOf(from, to, NEVER)).not.toThrow("leave the device");
    }
  });
});
