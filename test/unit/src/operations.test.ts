import { describe, expect, test } from "vitest";
import { readFields } from "../../../src/fields.ts";
import type { Inputs } from "../../../src/inputs.ts";
import { OPERATIONS } from "../../../src/operations.ts";
import type { FormatId } from "../../../src/shared/formats.ts";
import { PERMISSIONS } from "../../../src/shared/protocol.ts";

const file = new File(["%PDF-1.7\n"], "report.pdf");
const settings = { baseUrl: undefined, remote: "office" } as const;
const { convert, protectPdf, unlockPdf, splitPdf, mergePdf } = OPERATIONS;

describe("the file name of a result", () => {
  test.each([
    ["docx", "report.docx"],
    ["jpeg", "report.jpg"],
    ["JPG", "report.jpg"],
    ["PDF", "report.pdf"],
  ])("of a conversion to %s is %s", (output_format, fileName) => {
    const values = readFields(convert.fields, { file, output_format });
    expect(convert.fileName("report", values, "image/any")).toBe(fileName);
  });

  test("of several images has the extension zip", () => {
    const values = readFields(convert.fields, { file, output_format: "jpg" });
    expect(convert.fileName("report", values, "application/zip")).toBe("report.zip");
  });

  test("has the prefix of the operation", () => {
    const password = "secret";
    const pdf = "application/pdf";
    const protect = readFields(protectPdf.fields, { file, password });
    expect(protectPdf.fileName("a", protect, pdf)).toBe("protected-a.pdf");
    const unlock = readFields(unlockPdf.fields, { file, password });
    expect(unlockPdf.fileName("a", unlock, pdf)).toBe("unlocked-a.pdf");
    const split = readFields(splitPdf.fields, { file, pages: "1" });
    expect(splitPdf.fileName("a", split, "application/zip")).toBe("split-a.zip");
    const merge = readFields(mergePdf.fields, { file: [file, file] });
    expect(mergePdf.fileName("a", merge, pdf)).toBe("merged-a.pdf");
  });
});

describe("the job", () => {
  const inputs = [{ file, name: "report", format: "pdf" }] as const;

  test("has the given fields only", () => {
    const jobOf = (fields: object) =>
      convert.job(readFields(convert.fields, { file, output_format: "pdf", ...fields }), inputs, settings);
    expect(jobOf({})).toEqual({ engine: "pdf/normalize", file });
    expect(jobOf({ pages: "1", password: "" })).toEqual({
      ...{ engine: "pdf/normalize", file },
      ...{ pages: "1", password: "" },
    });
    expect(unlockPdf.job(readFields(unlockPdf.fields, { file, password: "" }), inputs, settings)).toEqual({
      ...{ engine: "pdf/unlock", file },
      password: "",
    });
  });

  describe("of protecting", () => {
    const jobOf = (fields: object) =>
      protectPdf.job(readFields(protectPdf.fields, { file, ...fields }), inputs, settings);

    test.each([
      { password: "", owner_password: "b" },
      { password: "", owner_password: "b", permissions: [] },
      { password: "a", owner_password: "b", permissions: ["print"] },
      { password: "a", owner_password: "a" },
      { password: "a", owner_password: "a", permissions: PERMISSIONS },
    ])("has the options of %j", ({ password, owner_password: ownerPassword, permissions }) => {
      const options = { password, ownerPassword, permissions };
      const fields = { password, owner_password: ownerPassword, permissions };
      expect(jobOf(fields)).toEqual({ engine: "pdf/protect", file, ...options });
    });

    test.each([
      ["password", { password: "" }, "opens the file for everyone"],
      ["password", { password: "", permissions: "print" }, "opens the file for everyone"],
      ["password", { password: "", owner_password: "", permissions: "print" }, "opens the file for everyone"],
      ["owner_password", { password: "a", owner_password: "" }, "gives everyone all permissions"],
      ["owner_password", { password: "a", owner_password: "a", permissions: "print" }, "have no effect"],
    ])("is refused for %s in %j", (parameter, fields, part) => {
      expect(() => jobOf(fields)).toThrow(
        expect.objectContaining({
          code: "invalid_parameter",
          message: expect.stringContaining(part),
          details: { parameter },
        }),
      );
    });
  });

  test.each([
    [{ pages: " 1 " }, { kind: "pages", pages: " 1 " }],
    [{ every: "5" }, { kind: "every", count: 5 }],
    [{ by: "Outline" }, { kind: "outline" }],
    [{ max_bytes: "5e6" }, { kind: "size", maxBytes: 5_000_000 }],
  ])("of a split with %j has the way to split", (given, by) => {
    const values = readFields(splitPdf.fields, { file, ...given });
    expect(splitPdf.job(values, inputs, settings)).toEqual({ engine: "pdf/split", file, by, name: "report" });
  });

  test.each([
    ["missing_parameter", {}],
    ["invalid_parameter", { pages: "1", every: 2 }],
    ["invalid_parameter", { by: "outline", max_bytes: 1000 }],
  ])("is refused with %s for a split with %j", (code, given) => {
    const values = readFields(splitPdf.fields, { file, ...given });
    expect(() => splitPdf.job(values, inputs, settings)).toThrow(
      expect.objectContaining({
        code,
        message: 'Say how to split: give exactly one of the fields "pages", "every", "by" and "max_bytes".',
        details: { parameter: "pages" },
      }),
    );
  });

  test("of a conversion has all fields of its engine, and of a remote conversion all fields", () => {
    const fields = {
      quality: 0.5,
      dpi: 72,
      background: "red",
      page_size: "a4",
      keep_metadata: true,
      max_bytes: 4096,
      password: "user",
      pages: "2",
    };
    const size = { max_width: 800, max_height: "600" };
    const jobOf = (from: FormatId, output_format: FormatId) =>
      convert.job(
        readFields(convert.fields, { file, output_format, ...fields, ...(output_format !== "pdf" && size) }),
        [{ file, name: "report", format: from }],
        { baseUrl: "https://service.example", remote: "office" },
      );
    const { quality, dpi, background, pages, password } = fields;
    const bounds = { maxWidth: 800, maxHeight: 600 };
    expect(jobOf("pdf", "png")).toEqual({
      engine: "pdf/to-images",
      ...{ file, name: "report", to: "png", quality, maxBytes: 4096, ...bounds },
      ...{ dpi, background, pages, password },
    });
    expect(jobOf("heic", "jpg")).toEqual({
      engine: "image/convert",
      ...{ file, name: "report", from: "heic", to: "jpg", quality, maxBytes: 4096, ...bounds },
      ...{ background, keepMetadata: true, pages },
    });
    expect(jobOf("heic", "pdf")).toEqual({
      engine: "image/to-pdf",
      ...{ file, quality, keepMetadata: true, pages, pageSize: "a4" },
      inputs: [{ file, name: "report", format: "heic" }],
    });
    expect(jobOf("docx", "pdf")).toEqual({
      engine: "remote",
      ...{ file, name: "report", from: "docx", to: "pdf" },
      fields: { ...fields, file: [file], output_format: "pdf" },
    });
  });

  test.each(["max_width", "max_height"])("is refused with %s for a document", (parameter) => {
    const values = readFields(convert.fields, { file, output_format: "pdf", [parameter]: 100 });
    for (const format of ["pdf", "heic"] as const) {
      expect(() => convert.job(values, [{ file, name: "a", format }], settings)).toThrow(
        expect.objectContaining({ code: "invalid_parameter", details: { parameter } }),
      );
    }
  });

  describe("of several files", () => {
    const heic = { file, name: "one", format: "heic" } as const;
    const png = { file, name: "two", format: "png" } as const;
    const jobOf = (inputs: Inputs, fields: object) =>
      convert.job(readFields(convert.fields, { file: [file, file], ...fields }), inputs, settings);

    test("is one PDF of all images, in order", () => {
      expect(jobOf([png, heic], { output_format: "pdf" })).toEqual({
        engine: "image/to-pdf",
        file,
        inputs: [png, heic],
      });
    });

    test.each<[string, Inputs, object]>([
      ["images to another format", [heic, png], { output_format: "jpg" }],
      ["a PDF first", [{ ...png, format: "pdf" }, heic], { output_format: "pdf" }],
      ["an office document last", [heic, { ...png, format: "docx" }], { output_format: "pdf" }],
    ])("is unsupported_conversion: %s", (_, inputs, fields) => {
      expect(() => jobOf(inputs, fields)).toThrow(
        expect.objectContaining({
          code: "unsupported_conversion",
          message: expect.stringContaining("merge-pdf"),
        }),
      );
    });

    test("is refused with pages", () => {
      expect(() => jobOf([heic, png], { output_format: "pdf", pages: "1" })).toThrow(
        expect.objectContaining({ code: "invalid_parameter", details: { parameter: "pages" } }),
      );
    });
  });

  const given = { file, password: "a", pages: "1" };
  const image = [{ file, name: "photo", format: "png" }] as const;

  test.each([
    ["protectPdf", () => protectPdf.job(readFields(protectPdf.fields, given), image, settings)],
    ["unlockPdf", () => unlockPdf.job(readFields(unlockPdf.fields, given), image, settings)],
    ["splitPdf", () => splitPdf.job(readFields(splitPdf.fields, given), image, settings)],
  ])("%s of an image is unsupported_input", (_, jobOf) => {
    expect(jobOf).toThrow(
      expect.objectContaining({ code: "unsupported_input", message: expect.stringContaining("PNG") }),
    );
  });
});

describe("merging", () => {
  const inputs = [
    { file, name: "a", format: "pdf" },
    { file, name: "b", format: "png" },
  ] as const;
  const given = { file: [file, file] };
  const jobOf = (fields: object, files: Inputs = inputs) =>
    mergePdf.job(readFields(mergePdf.fields, { ...given, ...fields }), files, settings);

  test("takes pages and a password for each file, and an empty text for none", () => {
    expect(jobOf({ pages: ["1-2", ""], password: ["", "key"] })).toMatchObject({
      engine: "pdf/merge",
      inputs: [
        { name: "a", format: "pdf", pages: "1-2", password: undefined },
        { name: "b", format: "png", pages: undefined, password: "key" },
      ],
    });
  });

  test("needs two files", () => {
    expect(() => jobOf({ file }, [inputs[0]])).toThrow(
      expect.objectContaining({ code: "invalid_parameter", details: { parameter: "file" } }),
    );
  });

  test.each([
    ["pages", "1", "all pages"],
    ["pages", ["1", "", ""], "all pages"],
    ["password", ["key"], "no password"],
  ])("%s %j for two files is invalid_parameter", (parameter, value, meaning) => {
    expect(() => jobOf({ [parameter]: value })).toThrow(
      expect.objectContaining({
        code: "invalid_parameter",
        message: `The field "${parameter}" needs one text for each of the 2 files, in their order. An empty text stands for ${meaning}.`,
      }),
    );
  });

  test("of an office document is unsupported_input with its index", () => {
    expect(() => jobOf({}, [inputs[0], { file, name: "letter", format: "docx" }])).toThrow(
      expect.objectContaining({ code: "unsupported_input", details: { file_index: 1 } }),
    );
  });

  test("a wrong page selection is invalid_page_selection", () => {
    expect(() => jobOf({ pages: ["", "1,,2"] })).toThrow(
      expect.objectContaining({ code: "invalid_page_selection", details: { position: 2 } }),
    );
  });
});
