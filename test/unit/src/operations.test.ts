import { describe, expect, test } from "vitest";
import { readFields } from "../../../src/fields.ts";
import type { OperationName } from "../../../src/http/path.ts";
import type { Inputs } from "../../../src/inputs.ts";
import { OPERATIONS, type Operation, type OperationFields } from "../../../src/operations.ts";
import type { FormatId } from "../../../src/shared/formats.ts";
import { PERMISSIONS } from "../../../src/shared/protocol.ts";
import { refusal } from "../../support/refusal.ts";

const file = new File(["%PDF-1.7\n"], "report.pdf");
const report = { file, name: "report", format: "pdf" } as const;
const heic = { file, name: "one", format: "heic" } as const;
const png = { file, name: "two", format: "png" } as const;
const docx = { file, name: "letter", format: "docx" } as const;

/** Returns the row of an operation as the client sees it. */
function operationOf(name: OperationName): Operation<OperationFields> {
  return OPERATIONS[name];
}

/** Returns the job of an operation, for a client without a service. */
function jobOf(name: OperationName, fields: object, inputs: Inputs = [report]) {
  const operation = operationOf(name);
  const settings = { baseUrl: undefined, remote: "office" } as const;
  return operation.job(readFields(operation.fields, { file, ...fields }), inputs, settings);
}

test.each([
  ["convert", { output_format: "jpeg" }, "image/any", "a.jpg"],
  ["convert", { output_format: "PDF" }, "application/pdf", "a.pdf"],
  ["convert", { output_format: "jpg" }, "application/zip", "a.zip"],
  ["protectPdf", { password: "secret" }, "application/pdf", "protected-a.pdf"],
  ["unlockPdf", { password: "secret" }, "application/pdf", "unlocked-a.pdf"],
  ["splitPdf", { pages: "1" }, "application/zip", "split-a.zip"],
  ["mergePdf", { file: [file, file] }, "application/pdf", "merged-a.pdf"],
  ["compressPdf", {}, "application/pdf", "compressed-a.pdf"],
  ["cleanPdf", {}, "application/pdf", "cleaned-a.pdf"],
] as const)("the result of %s with %j as %s is called %s", (name, fields, type, fileName) => {
  const operation = operationOf(name);
  expect(operation.fileName("a", readFields(operation.fields, { file, ...fields }), type)).toBe(fileName);
});

test("the job of cleaning has the given fields only", () => {
  const engine = "pdf/clean";
  expect(jobOf("cleanPdf", {})).toEqual({ engine, file });
  const given = { keep: "scripts, layers", flatten: "true", password: "" };
  const keep = ["scripts", "layers"];
  expect(jobOf("cleanPdf", given)).toEqual({ engine, file, keep, flatten: true, password: "" });
});

describe("the job of converting", () => {
  test("has the given fields only", () => {
    const engine = "pdf/repair";
    expect(jobOf("convert", { output_format: "pdf" })).toEqual({ engine, file });
    const given = { pages: "1", password: "" };
    expect(jobOf("convert", { output_format: "pdf", ...given })).toEqual({ engine, file, ...given });
  });

  test("has all fields of its engine, and of a remote conversion all fields", () => {
    const fields = {
      ...{ quality: 0.5, dpi: 72, background: "red", page_size: "a4", keep_metadata: true },
      ...{ max_bytes: 4096, password: "user", pages: "2" },
    };
    const size = { max_width: 800, max_height: "600" };
    const convert = operationOf("convert");
    const converting = (from: FormatId, output_format: FormatId) =>
      convert.job(
        readFields(convert.fields, { file, output_format, ...fields, ...(output_format !== "pdf" && size) }),
        [{ file, name: "report", format: from }],
        { baseUrl: "https://service.example", remote: "office" },
      );
    const { quality, dpi, background, pages, password } = fields;
    const bounds = { maxWidth: 800, maxHeight: 600 };
    expect(converting("pdf", "png")).toEqual({
      engine: "pdf/to-images",
      ...{ file, name: "report", to: "png", quality, maxBytes: 4096, ...bounds },
      ...{ dpi, background, pages, password },
    });
    expect(converting("heic", "jpg")).toEqual({
      engine: "image/convert",
      ...{ file, name: "report", from: "heic", to: "jpg", quality, maxBytes: 4096, ...bounds },
      ...{ background, keepMetadata: true, pages },
    });
    expect(converting("heic", "pdf")).toEqual({
      engine: "image/to-pdf",
      ...{ file, quality, keepMetadata: true, pages, pageSize: "a4" },
      inputs: [{ file, name: "report", format: "heic" }],
    });
    expect(converting("docx", "pdf")).toEqual({
      engine: "remote",
      ...{ file, name: "report", from: "docx", to: "pdf" },
      fields: { ...fields, file: [file], output_format: "pdf" },
    });
  });

  test.each(["max_width", "max_height"])("is refused with %s for a document", (parameter) => {
    for (const input of [report, heic]) {
      const job = () => jobOf("convert", { output_format: "pdf", [parameter]: 100 }, [input]);
      expect(job).toThrow(refusal("invalid_parameter", { parameter }));
    }
  });

  test("several images is one PDF of all, in order", () => {
    const inputs = [png, heic] as const;
    expect(jobOf("convert", { output_format: "pdf" }, inputs)).toEqual({
      ...{ engine: "image/to-pdf", file, inputs },
    });
  });

  test.each<[string, Inputs, string]>([
    ["images to another format", [heic, png], "jpg"],
    ["a PDF first", [report, heic], "pdf"],
    ["an office document last", [heic, docx], "pdf"],
  ])("several files is unsupported_conversion: %s", (_, inputs, output_format) => {
    const job = () => jobOf("convert", { output_format }, inputs);
    expect(job).toThrow(refusal("unsupported_conversion", undefined, "merge-pdf"));
  });

  test("several files is refused with pages", () => {
    const job = () => jobOf("convert", { output_format: "pdf", pages: "1" }, [heic, png]);
    expect(job).toThrow(refusal("invalid_parameter", { parameter: "pages" }));
  });
});

describe("the job of protecting", () => {
  test.each([
    { password: "", owner_password: "b" },
    { password: "", owner_password: "b", permissions: [] },
    { password: "a", owner_password: "b", permissions: ["print"] },
    { password: "a", owner_password: "a" },
    { password: "a", owner_password: "a", permissions: PERMISSIONS },
  ])("has the options of %j", (fields) => {
    const { password, owner_password: ownerPassword, permissions } = fields;
    const options = { password, ownerPassword, permissions };
    expect(jobOf("protectPdf", fields)).toEqual({ engine: "pdf/protect", file, ...options });
  });

  test.each([
    ["password", { password: "" }, "opens the file for everyone"],
    ["password", { password: "", permissions: "print" }, "opens the file for everyone"],
    ["password", { password: "", owner_password: "", permissions: "print" }, "opens the file for everyone"],
    ["owner_password", { password: "a", owner_password: "" }, "gives everyone all permissions"],
    ["owner_password", { password: "a", owner_password: "a", permissions: "print" }, "have no effect"],
  ])("is refused for %s in %j", (parameter, fields, part) => {
    expect(() => jobOf("protectPdf", fields)).toThrow(refusal("invalid_parameter", { parameter }, part));
  });
});

test("the job of unlocking has the password, which may be empty", () => {
  expect(jobOf("unlockPdf", { password: "" })).toEqual({ engine: "pdf/unlock", file, password: "" });
});

describe("the job of splitting", () => {
  test.each([
    [{ pages: " 1 " }, { kind: "pages", pages: " 1 " }],
    [{ every: "5" }, { kind: "every", count: 5 }],
    [{ by: "Outline" }, { kind: "outline" }],
    [{ max_bytes: "5e6" }, { kind: "size", maxBytes: 5_000_000 }],
  ])("with %j has the way to split", (given, by) => {
    expect(jobOf("splitPdf", given)).toEqual({ engine: "pdf/split", file, by, name: "report" });
  });

  test.each([
    ["missing_parameter", {}],
    ["invalid_parameter", { pages: "1", every: 2 }],
    ["invalid_parameter", { by: "outline", max_bytes: 1000 }],
  ] as const)("is refused with %s for %j", (code, given) => {
    const part = 'exactly one of the fields "pages", "every", "by" and "max_bytes".';
    expect(() => jobOf("splitPdf", given)).toThrow(refusal(code, { parameter: "pages" }, part));
  });
});

describe("the job of merging", () => {
  const merging = (fields: object, inputs: Inputs = [report, png]) =>
    jobOf("mergePdf", { file: [file, file], ...fields }, inputs);

  test("has pages and a password for each file, and none for an empty text", () => {
    expect(merging({ pages: ["1-2", ""], password: ["", "key"] })).toMatchObject({
      engine: "pdf/merge",
      inputs: [
        { name: "report", format: "pdf", pages: "1-2", password: undefined },
        { name: "two", format: "png", pages: undefined, password: "key" },
      ],
    });
  });

  test("has a title, and none for an empty text", () => {
    expect(merging({ title: "All" })).toMatchObject({ title: "All" });
    expect(merging({ title: "" })).toMatchObject({ title: undefined });
  });

  test("needs two files", () => {
    expect(() => merging({ file }, [report])).toThrow(refusal("invalid_parameter", { parameter: "file" }));
  });

  test.each([
    ["pages", "1", "all pages"],
    ["pages", ["1", "", ""], "all pages"],
    ["password", ["key"], "no password"],
    ["rotate", 90, "no rotation"],
  ])("is refused with %s %j for two files", (parameter, value, meaning) => {
    const message = `The field "${parameter}" needs one text for each of the 2 files, in their order. An empty text stands for ${meaning}.`;
    expect(() => merging({ [parameter]: value })).toThrow(
      refusal("invalid_parameter", { parameter }, message),
    );
  });

  test("is refused for a wrong page selection", () => {
    expect(() => merging({ pages: ["", "1,,2"] })).toThrow(
      refusal("invalid_page_selection", { position: 2 }),
    );
  });
});
