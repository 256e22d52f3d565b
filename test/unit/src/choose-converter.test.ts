import { describe, expect, test } from "vitest";
import { converterOf, placeOf } from "../../../src/choose-converter.ts";
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

describe("a converter of the app", () => {
  const converter = { uploads: false, convert: async (file: File) => file };
  const uploader = { ...converter, uploads: true };
  const converters = [
    { from: ["docx"], to: ["pdf", "txt"], by: converter },
    { from: ["docx", "odt"], to: ["pdf"], by: uploader },
  ] as const;

  test("is tried before the remote service, the first one with the pair", () => {
    for (const settings of [NOT_SET_UP, NEVER, SET_UP]) {
      expect(converterOf("docx", "pdf", { ...settings, converters })).toBe(converter);
      expect(converterOf("docx", "txt", { ...settings, converters })).toBe(converter);
    }
    expect(converterOf("odt", "pdf", { ...SET_UP, converters })).toBe(uploader);
    expect(converterOf("odt", "docx", { ...SET_UP, converters })).toBe("remote");
  });

  test("that uploads is remote_refused if no file may leave the device", () => {
    const details = { from: "odt", to: "pdf" };
    expect(() => converterOf("odt", "pdf", { ...NEVER, converters })).toThrow(
      refusal("remote_refused", details, "needs an upload"),
    );
  });

  test.each([
    ["docx", "pdf", SET_UP, "converter"],
    ["odt", "pdf", NOT_SET_UP, "converter"],
    ["odt", "pdf", NEVER, undefined],
    ["rtf", "pdf", SET_UP, "remote"],
    ["rtf", "pdf", NOT_SET_UP, undefined],
    ["rtf", "pdf", { ...SET_UP, remote: "never" }, undefined],
    ["heic", "jpg", NEVER, "device"],
    ["pdf", "gif", SET_UP, undefined],
  ] as const)("%s to %s with %j is done by: %s", (from, to, settings, place) => {
    expect(placeOf(from, to, { ...settings, converters })).toBe(place);
  });
});
