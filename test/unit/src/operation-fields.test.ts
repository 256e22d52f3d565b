import { describe, expect, test } from "vitest";
import { readFields } from "../../../src/fields.ts";
import { OPERATIONS } from "../../../src/operations.ts";
import { refusal } from "../../support/refusal.ts";

const file = new File(["%PDF-1.7\n"], "report.pdf");
const { convert, protectPdf, unlockPdf, splitPdf } = OPERATIONS;

describe("required fields", () => {
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
    ["cleanPdf", "file", { keep: [] }],
  ] as const)("%s without %s is missing_parameter", (operation, parameter, given) => {
    expect(() => readFields(OPERATIONS[operation].fields, given)).toThrow(
      refusal("missing_parameter", { parameter }, `The field "${parameter}" is missing.`),
    );
  });
});

describe("wrong fields", () => {
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
    ["convert", "max_bytes", { file, output_format: "jpg", max_bytes: 0 }, "a number of at least 1"],
    ["convert", "max_width", { file, output_format: "jpg", max_width: 99.5 }, "a whole number of at least 1"],
    ["convert", "max_height", { file, output_format: "jpg", max_height: 0 }, "a whole number of at least 1"],
    ["convert", "background", { file, output_format: "jpg", background: "" }, "a text that is not empty"],
    ["convert", "page_size", { file, output_format: "pdf", page_size: "a5" }, "one of fit, a4, letter"],
    ["convert", "keep_metadata", { file, output_format: "pdf", keep_metadata: "yes" }, "true or false"],
    ["convert", "password", { file, output_format: "pdf", password: 1234 }, "a text"],
    ["protectPdf", "password", { file, password: 1234 }, "a text"],
    ["protectPdf", "permissions", { file, password: "a", permissions: true }, "a text"],
    ["protectPdf", "permissions", { file, password: "a", permissions: ["print", "fly"] }, "one of print, "],
    ["protectPdf", "permissions", { file, password: "a", permissions: "print,,copy" }, "one of print, "],
    ["protectPdf", "permissions", { file, password: "a", permissions: "" }, "one of print, "],
    ["unlockPdf", "password", { file, password: file }, "a text"],
    ["splitPdf", "password", { file, pages: "1", password: {} }, "a text"],
    ["splitPdf", "pages", { file, pages: 3 }, "a text"],
    ["splitPdf", "every", { file, every: "" }, "a whole number of at least 1"],
    ["splitPdf", "every", { file, every: Infinity }, "a whole number of at least 1"],
    ["splitPdf", "by", { file, by: "chapters" }, '"outline"'],
    ["splitPdf", "max_bytes", { file, max_bytes: "5 MB" }, "a number of at least 1"],
    ["mergePdf", "file", { file: [file, "b.pdf"] }, "a file"],
    ["mergePdf", "pages", { file: [file, file], pages: [1, 2] }, "a text"],
    ["mergePdf", "password", { file: [file, file], password: ["", 1] }, "a text"],
    ["convert", "rotate", { file, output_format: "pdf", rotate: 45 }, "90, -90 or 180"],
    ["convert", "rotate", { file, output_format: "pdf", rotate: "" }, "90, -90 or 180"],
    ["splitPdf", "rotate", { file, pages: "1", rotate: ["90"] }, "a text"],
    ["mergePdf", "rotate", { file: [file, file], rotate: ["90", 270] }, "90, -90 or 180"],
    ["mergePdf", "title", { file: [file, file], title: ["a", "b"] }, "a text"],
    ["compressPdf", "file", { file: [file, file] }, "one file: this operation takes one file"],
    ["compressPdf", "dpi", { file, dpi: "high" }, "a number from 1 to 2400"],
    ["compressPdf", "quality", { file, quality: 75 }, "a number from 0 to 1"],
    ["compressPdf", "max_bytes", { file, max_bytes: "2 MB" }, "a number of at least 1"],
    ["compressPdf", "password", { file, password: 1 }, "a text"],
    ["cleanPdf", "keep", { file, keep: ["foo"] }, "one of metadata, scripts, attachments, comments, layers"],
    ["cleanPdf", "keep", { file, keep: "scripts,private" }, "one of metadata, "],
    ["cleanPdf", "keep", { file, keep: "" }, "one of metadata, "],
    ["cleanPdf", "flatten", { file, flatten: "maybe" }, "true or false"],
    ["cleanPdf", "password", { file, password: 1234 }, "a text"],
    ["cleanPdf", "file", { file: [file, file] }, "one file: this operation takes one file"],
  ] as const)(
    "%s with a wrong %s, case %#, is invalid_parameter",
    (operation, parameter, given, expected) => {
      expect(() => readFields(OPERATIONS[operation].fields, given)).toThrow(
        refusal("invalid_parameter", { parameter }, `The field "${parameter}" must be ${expected}`),
      );
    },
  );

  test("a page selection is checked after all other fields", () => {
    const read = (fields: object) => () => readFields(splitPdf.fields, { file, pages: "1,,2", ...fields });
    expect(read({})).toThrow(refusal("invalid_page_selection", { position: 2 }));
    expect(read({ pages: "" })).toThrow(refusal("invalid_page_selection", { position: 0 }));
    expect(read({ password: 1 })).toThrow(refusal("invalid_parameter", { parameter: "password" }));
  });

  test("an unknown format is unsupported_conversion", () => {
    const read = () => readFields(convert.fields, { file, output_format: "banana" });
    expect(read).toThrow(refusal("unsupported_conversion", undefined, '"banana" is not a supported format.'));
  });

  test("messages never quote a password", () => {
    const password = ["hunter2"];
    expect(() => readFields(unlockPdf.fields, { file, password })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining("hunter2") }),
    );
  });
});

test("an angle is a number or a text", () => {
  const read = (rotate: unknown) => readFields(convert.fields, { file, output_format: "pdf", rotate }).rotate;
  expect([read(-90), read("180"), read("90:1;-90:2-")]).toEqual(["-90", "180", "90:1;-90:2-"]);
  const rotate = [90, "", "180:1"];
  expect(readFields(OPERATIONS.mergePdf.fields, { file: [file, file, file], rotate }).rotate).toEqual([
    "90",
    "",
    "180:1",
  ]);
});

describe("fields as text", () => {
  test("are read as numbers, booleans and lists", () => {
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

  test.each([0, "0"])("keep a quality of %j, which is not the default", (quality) => {
    const { password: _, ...values } = readFields(convert.fields, { file, output_format: "jpg", quality });
    const settings = { baseUrl: undefined, remote: "never" } as const;
    const job = convert.job(
      { ...values, password: undefined },
      [{ file, name: "a", format: "png" }],
      settings,
    );
    expect([values.quality, job]).toEqual([0, expect.objectContaining({ quality: 0 })]);
  });

  test.each([
    ["on", true],
    ["true", true],
    [true, true],
    ["false", false],
    [false, false],
  ])("a checkbox with the value %j is %j", (keep_metadata, value) => {
    const values = readFields(convert.fields, { file, output_format: "pdf", keep_metadata });
    expect(values.keep_metadata).toBe(value);
  });

  test.each(["Blob", "File"])("a %s of another realm is a file", (tag) => {
    const foreign = { [Symbol.toStringTag]: tag };
    expect(readFields(unlockPdf.fields, { file: foreign, password: "" }).file).toBe(foreign);
  });

  test("the list of permissions may be empty", () => {
    const values = readFields(protectPdf.fields, { file, password: "a", permissions: [] });
    expect(values.permissions).toEqual([]);
  });
});
