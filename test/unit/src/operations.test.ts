import { describe, expect, test } from "vitest";
import { readFields } from "../../../src/fields.ts";
import type { Inputs } from "../../../src/inputs.ts";
import { OPERATIONS } from "../../../src/operations.ts";
import type { FormatId } from "../../../src/shared/formats.ts";
import { PERMISSIONS } from "../../../src/shared/protocol.ts";

const file = new File(["%PDF-1.7\n"], "report.pdf");
const settings = { baseUrl: undefined, remote: "office" } as const;
const { convert, protectPdf, unlockPdf, splitPdf, mergePdf } = OPERATIONS;

describe("what a result is called", () => {
  test.each([
    ["docx", "report.docx"],
    ["jpeg", "report.jpg"],
    ["JPG", "report.jpg"],
    ["PDF", "report.pdf"],
  ])("converted to %s: %s", (output_format, fileName) => {
    const values = readFields(convert.fields, { file, output_format });
    expect(convert.fileName("report", values, "image/any")).toBe(fileName);
  });

  test("several images converted: an archive", () => {
    const values = readFields(convert.fields, { file, output_format: "jpg" });
    expect(convert.fileName("report", values, "application/zip")).toBe("report.zip");
  });

  test("protected, unlocked, split and merged", () => {
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

describe("fields that must be there", () => {
  test.each([
    ["convert", "file", { output_format: "pdf" }],
    ["convert", "output_format", { file }],
    ["protectPdf", "file", { password: "secret" }],
    ["protectPdf", "password", { file }],
    ["unlockPdf", "file", { password: "" }],
    ["unlockPdf", "password", { file }],
    ["unlockPdf", "password", { file, password: null }],
    ["unlockPdf", "password", { file, password: undefined }],
    ["splitPdf", "file", { pages: "1" }],
    ["splitPdf", "file", undefined],
  ] as const)("%s without %s is missing_parameter", (operation, parameter, given) => {
    expect(() => readFields(OPERATIONS[operation].fields, given)).toThrow(
      expect.objectContaining({
        code: "missing_parameter",
        message: `The field "${parameter}" is missing.`,
        details: { parameter },
      }),
    );
  });
});

describe("fields that are malformed", () => {
  test.each([
    ["convert", "file", { file: "report.pdf", output_format: "pdf" }, "a file"],
    ["convert", "file", { file: new Uint8Array(4), output_format: "pdf" }, "a file"],
    ["unlockPdf", "file", { file: [file, file], password: "a" }, "one file: this operation takes one file"],
    ["convert", "output_format", { file, output_format: "" }, "a text that is not empty"],
    ["convert", "output_format", { file, output_format: 7 }, "a text"],
    ["convert", "quality", { file, output_format: "jpg", quality: 1.01 }, "a number from 0 to 1"],
    ["convert", "quality", { file, output_format: "jpg", quality: "-1" }, "a number from 0 to 1"],
    ["convert", "quality", { file, output_format: "jpg", quality: "" }, "a number from 0 to 1"],
    ["convert", "quality", { file, output_format: "jpg", quality: NaN }, "a number from 0 to 1"],
    ["convert", "quality", { file, output_format: "jpg", quality: true }, "a number from 0 to 1"],
    ["convert", "dpi", { file, output_format: "jpg", dpi: 0 }, "a number from 1 to 2400"],
    ["convert", "dpi", { file, output_format: "jpg", dpi: 2401 }, "a number from 1 to 2400"],
    ["convert", "dpi", { file, output_format: "jpg", dpi: "150dpi" }, "a number from 1 to 2400"],
    ["convert", "max_bytes", { file, output_format: "jpg", max_bytes: 0 }, "a number of at least 1"],
    ["convert", "max_width", { file, output_format: "jpg", max_width: 0 }, "a whole number of at least 1"],
    ["convert", "max_width", { file, output_format: "jpg", max_width: 99.5 }, "a whole number of at least 1"],
    ["convert", "max_height", { file, output_format: "jpg", max_height: "" }, "a whole number of at least 1"],
    [
      "convert",
      "max_height",
      { file, output_format: "jpg", max_height: "8px" },
      "a whole number of at least 1",
    ],
    ["convert", "background", { file, output_format: "jpg", background: "" }, "a text that is not empty"],
    ["convert", "page_size", { file, output_format: "pdf", page_size: "a5" }, "one of fit, a4, letter"],
    ["convert", "keep_metadata", { file, output_format: "pdf", keep_metadata: "yes" }, "true or false"],
    ["convert", "password", { file, output_format: "pdf", password: 1234 }, "a text"],
    ["protectPdf", "password", { file, password: 1234 }, "a text"],
    ["protectPdf", "permissions", { file, password: "a", permissions: true }, "a text"],
    [
      "protectPdf",
      "permissions",
      { file, password: "a", permissions: ["print", "fly"] },
      "one of print, print_low, modify, copy, annotate, fill_forms, assemble",
    ],
    ["protectPdf", "permissions", { file, password: "a", permissions: "print,,copy" }, "one of print, "],
    ["protectPdf", "permissions", { file, password: "a", permissions: "" }, "one of print, "],
    ["unlockPdf", "password", { file, password: file }, "a text"],
    ["splitPdf", "password", { file, pages: "1", password: {} }, "a text"],
    ["splitPdf", "pages", { file, pages: 3 }, "a text"],
    ["splitPdf", "every", { file, every: 0 }, "a whole number of at least 1"],
    ["splitPdf", "every", { file, every: "2.5" }, "a whole number of at least 1"],
    ["splitPdf", "every", { file, every: "" }, "a whole number of at least 1"],
    ["splitPdf", "every", { file, every: Infinity }, "a whole number of at least 1"],
    ["splitPdf", "by", { file, by: "chapters" }, '"outline"'],
    ["splitPdf", "max_bytes", { file, max_bytes: 0 }, "a number of at least 1"],
    ["splitPdf", "max_bytes", { file, max_bytes: "5 MB" }, "a number of at least 1"],
    ["mergePdf", "file", { file: [file, "b.pdf"] }, "a file"],
    ["mergePdf", "pages", { file: [file, file], pages: [1, 2] }, "a text"],
    ["mergePdf", "password", { file: [file, file], password: ["", 1] }, "a text"],
  ] as const)(
    "%s with a wrong %s, case %#, is invalid_parameter",
    (operation, parameter, given, expected) => {
      expect(() => readFields(OPERATIONS[operation].fields, given)).toThrow(
        expect.objectContaining({
          code: "invalid_parameter",
          message: expect.stringContaining(`The field "${parameter}" must be ${expected}`),
          details: { parameter },
        }),
      );
    },
  );

  test("a page selection is checked after all other fields", () => {
    expect(() => readFields(splitPdf.fields, { file, pages: "1,,2" })).toThrow(
      expect.objectContaining({ code: "invalid_page_selection", details: { position: 2 } }),
    );
    expect(() => readFields(splitPdf.fields, { file, pages: "1,,2", password: 1 })).toThrow(
      expect.objectContaining({ code: "invalid_parameter" }),
    );
    expect(() => readFields(convert.fields, { file, output_format: "pdf", pages: "" })).toThrow(
      expect.objectContaining({ code: "invalid_page_selection", details: { position: 0 } }),
    );
  });

  test("a format that nobody knows is unsupported_conversion", () => {
    expect(() => readFields(convert.fields, { file, output_format: "banana" })).toThrow(
      expect.objectContaining({
        code: "unsupported_conversion",
        message: '"banana" is not a supported format.',
      }),
    );
  });

  test("a password is never quoted", () => {
    const password = ["hunter2"];
    expect(() => readFields(unlockPdf.fields, { file, password })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining("hunter2") }),
    );
  });
});

describe("fields as forms carry them", () => {
  test("numbers, booleans and lists as text", () => {
    const form = {
      file,
      output_format: "JPEG",
      quality: "0.8",
      dpi: "300",
      max_bytes: "1000000",
      keep_metadata: "false",
      page_size: "A4",
      background: "#fff",
      pages: "1,3-5",
    };
    expect(readFields(convert.fields, form)).toEqual({
      ...form,
      file: [file],
      output_format: "jpg",
      quality: 0.8,
      dpi: 300,
      max_bytes: 1_000_000,
      keep_metadata: false,
      page_size: "a4",
      password: undefined,
    });
    const permissions = "print, COPY ,fill_forms";
    expect(readFields(protectPdf.fields, { file, password: "a", permissions }).permissions).toEqual([
      "print",
      "copy",
      "fill_forms",
    ]);
  });

  test("a FormData, read as the service reads it", () => {
    const form = new FormData();
    form.append("file", file);
    form.append("pages", "1-");
    form.append("csrf_token", "4711");
    const values = readFields(splitPdf.fields, Object.fromEntries(form));
    expect(values.pages).toBe("1-");
    expect(values.file.size).toBe(file.size);
    expect(values).not.toHaveProperty("csrf_token");
  });

  test.each([
    ["on", true],
    ["true", true],
    [true, true],
    ["false", false],
    [false, false],
  ])("a box that says %j is %j", (keep_metadata, value) => {
    const values = readFields(convert.fields, { file, output_format: "pdf", keep_metadata });
    expect(values.keep_metadata).toBe(value);
  });

  test.each(["Blob", "File"])("a %s of another realm is a file", (tag) => {
    const foreign = { [Symbol.toStringTag]: tag };
    expect(readFields(unlockPdf.fields, { file: foreign, password: "" }).file).toBe(foreign);
  });

  test("no permission at all can be asked for", () => {
    const values = readFields(protectPdf.fields, { file, password: "a", permissions: [] });
    expect(values.permissions).toEqual([]);
  });
});

describe("the job", () => {
  const inputs = [{ file, name: "report", format: "pdf" }] as const;

  test("holds what was given, and nothing that was not", () => {
    expect(convert.job(readFields(convert.fields, { file, output_format: "pdf" }), inputs, settings)).toEqual(
      {
        engine: "pdf/normalize",
        file,
      },
    );
    const everything = { file, output_format: "pdf", pages: "1", password: "" };
    expect(convert.job(readFields(convert.fields, everything), inputs, settings)).toEqual({
      engine: "pdf/normalize",
      file,
      pages: "1",
      password: "",
    });
    const locked = { file, password: "user", owner_password: "owner", permissions: ["print"] };
    expect(protectPdf.job(readFields(protectPdf.fields, locked), inputs, settings)).toEqual({
      engine: "pdf/protect",
      file,
      password: "user",
      ownerPassword: "owner",
      permissions: ["print"],
    });
    expect(unlockPdf.job(readFields(unlockPdf.fields, { file, password: "" }), inputs, settings)).toEqual({
      engine: "pdf/unlock",
      file,
      password: "",
    });
    expect(splitPdf.job(readFields(splitPdf.fields, { file, pages: " 1 " }), inputs, settings)).toEqual({
      engine: "pdf/split",
      file,
      by: { kind: "pages", pages: " 1 " },
      name: "report",
    });
  });

  describe("of protecting", () => {
    const jobOf = (fields: object) =>
      protectPdf.job(readFields(protectPdf.fields, { file, ...fields }), inputs, settings);

    test.each([
      { password: "", owner_password: "b", permissions: "print" },
      { password: "", owner_password: "b", permissions: [] },
      { password: "a", owner_password: "b" },
      { password: "a", owner_password: "b", permissions: ["print"] },
      { password: "a", owner_password: "a" },
      { password: "a", owner_password: "a", permissions: PERMISSIONS },
    ])("holds %j", (fields) => {
      expect(jobOf(fields)).toMatchObject({
        password: fields.password,
        ownerPassword: fields.owner_password,
      });
    });

    test("takes an owner password alone", () => {
      expect(jobOf({ password: "", owner_password: "b" })).toMatchObject({
        password: "",
        ownerPassword: "b",
      });
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
    [{ pages: "1,2" }, { kind: "pages", pages: "1,2" }],
    [{ every: 5 }, { kind: "every", count: 5 }],
    [{ every: "5" }, { kind: "every", count: 5 }],
    [{ by: "Outline" }, { kind: "outline" }],
    [{ max_bytes: "5e6" }, { kind: "size", maxBytes: 5_000_000 }],
  ])("of a split with %j says how to split", (given, by) => {
    const values = readFields(splitPdf.fields, { file, ...given });
    expect(splitPdf.job(values, inputs, settings)).toEqual({ engine: "pdf/split", file, by, name: "report" });
  });

  test.each([
    ["missing_parameter", {}],
    ["invalid_parameter", { pages: "1", every: 2 }],
    ["invalid_parameter", { by: "outline", max_bytes: 1000 }],
    ["invalid_parameter", { pages: "1", every: 2, by: "outline", max_bytes: 1000 }],
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

  test("of a conversion holds every field that its engine knows, and of a remote one all", () => {
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
      ...{
        file,
        name: "report",
        to: "png",
        quality,
        maxBytes: 4096,
        ...bounds,
        dpi,
        background,
        pages,
        password,
      },
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

  test.each(["max_width", "max_height"])("of a document has no %s", (parameter) => {
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
      ["a PDF last", [heic, { ...png, format: "pdf" }], { output_format: "pdf" }],
      ["an office document", [heic, { ...png, format: "docx" }], { output_format: "pdf" }],
    ])("is unsupported_conversion: %s", (_, inputs, fields) => {
      expect(() => jobOf(inputs, fields)).toThrow(
        expect.objectContaining({
          code: "unsupported_conversion",
          message: expect.stringContaining("merge-pdf"),
        }),
      );
    });

    test("has no pages to choose", () => {
      expect(() => jobOf([heic, png], { output_format: "pdf", pages: "1" })).toThrow(
        expect.objectContaining({ code: "invalid_parameter", details: { parameter: "pages" } }),
      );
    });
  });

  test.each(["protectPdf", "unlockPdf", "splitPdf"] as const)(
    "%s of an image is unsupported_input",
    (name) => {
      const given = { file, password: "a", pages: "1" };
      const image = [{ file, name: "photo", format: "png" }] as const;
      const run = () => {
        switch (name) {
          case "protectPdf":
            return protectPdf.job(readFields(protectPdf.fields, given), image, settings);
          case "unlockPdf":
            return unlockPdf.job(readFields(unlockPdf.fields, given), image, settings);
          case "splitPdf":
            return splitPdf.job(readFields(splitPdf.fields, given), image, settings);
        }
      };
      expect(run).toThrow(
        expect.objectContaining({ code: "unsupported_input", message: expect.stringContaining("PNG") }),
      );
    },
  );
});

describe("merging", () => {
  const inputs = [
    { file, name: "a", format: "pdf" },
    { file, name: "b", format: "png" },
  ] as const;
  const given = { file: [file, file] };
  const jobOf = (fields: object, files: Inputs = inputs) =>
    mergePdf.job(readFields(mergePdf.fields, { ...given, ...fields }), files, settings);

  test("takes pages and a password for each file; an empty text is none", () => {
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

  test("of an office document is unsupported_input, with its place", () => {
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
