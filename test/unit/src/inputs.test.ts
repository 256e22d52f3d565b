import { describe, expect, test } from "vitest";
import { baseName, readInputs } from "../../../src/inputs.ts";
import { setUp } from "../../support/fake-client.ts";
import { compoundFile, zipOf } from "../../support/office-files.ts";
import { refusal } from "../../support/refusal.ts";

const pdf = new File(["%PDF-1.7\n"], "report.pdf");
const gif = new File(["GIF89a"], "moving.gif");
const unknown = new File(["plain text"], "notes.txt");

describe("the files of a call", () => {
  test("have their names and formats, in order", async () => {
    expect(await readInputs(pdf)).toEqual([{ file: pdf, name: "report", format: "pdf" }]);
    expect(await readInputs([gif, pdf, gif])).toEqual([
      { file: gif, name: "moving", format: "gif" },
      { file: pdf, name: "report", format: "pdf" },
      { file: gif, name: "moving", format: "gif" },
    ]);
  });

  test.each([0, 1, 2])("the error names file %d if its format is unknown", async (index) => {
    const others = [pdf, gif];
    others.splice(index, 0, unknown);
    const [first = unknown, ...rest] = others;
    await expect(readInputs([first, ...rest])).rejects.toMatchObject({
      code: "unsupported_input",
      message: expect.stringMatching(/^notes: The content of the file has none/),
      details: { file_index: index },
    });
  });

  test("the error of a call with one file does not name the file", async () => {
    await expect(readInputs([unknown])).rejects.toMatchObject({
      code: "unsupported_input",
      message: expect.stringMatching(/^The content of the file/),
      details: {},
    });
  });
});

describe("a file that is not accepted", () => {
  const letter = new File([zipOf(["[Content_Types].xml", "word/document.xml"])], "a.pdf");
  const locked = new File([compoundFile(["Root Entry", "EncryptionInfo", "EncryptedPackage"])], "a.pdf");

  test.each([
    ["PDFs", unknown, "Only PDFs can be used here. Choose another file."],
    ["PDFs", gif, "Only PDFs can be used here. The content of this file is GIF. Choose another file."],
    ["PDFs", locked, "Only PDFs can be used here. Choose another file."],
    ["PDFs", new File([], "a.pdf"), "The file is empty. Choose another file."],
    ["PDFs and images", unknown, "Only PDFs and images can be used here. Choose another file."],
    ["PDFs and images", letter, "Only PDFs and images can be used here. The content of this file is DOCX."],
  ] as const)("where %s are, case %#, is refused with their names only", async (accepted, file, message) => {
    await expect(readInputs(file, accepted)).rejects.toThrow(refusal("unsupported_input", {}, message));
  });

  test("has its index", async () => {
    const read = readInputs([pdf, letter], "PDFs and images");
    await expect(read).rejects.toThrow(refusal("unsupported_input", { file_index: 1 }, "a: Only PDFs"));
  });

  test.each([
    ["protectPdf", { password: "a" }],
    ["unlockPdf", { password: "a" }],
    ["splitPdf", { pages: "1" }],
    ["inspect", {}],
    ["renderPages", {}],
  ] as const)("by %s", async (name, fields) => {
    const { client } = setUp();
    const params = { file: unknown, ...fields } as never;
    const call = name === "renderPages" ? client.renderPages(params).next() : client[name](params);
    const error = await call.then(String, (reason: unknown) => reason);
    expect(error).toMatchObject({ code: "unsupported_input" });
    expect(String(error).includes("JPG")).toBe(name === "inspect");
  });
});

describe("the name of a file without its extension", () => {
  test.each([
    ["report.pdf", "report"],
    ["archive.tar.gz", "archive.tar"],
    [".pdf", ".pdf"],
    [".hidden.pdf", ".hidden"],
    ["report.", "report"],
    ["C:\\Users\\me\\report.final.pdf", "report.final"],
    ["a\\b/c\\d.pdf", "d"],
    ["folder.d/report", "report"],
    ["a/", "file"],
    ["", "file"],
    ["\u0000\u001f\u007f\u0085", "file"],
    ["re\npo\trt.p\u0000df", "report"],
    ["  .pdf", "  "],
    ["Übersicht 2024 – 最終版 📄.pdf", "Übersicht 2024 – 最終版 📄"],
    ["\u202egpj.pdf", "gpj"],
    ["invoice\u2067fdp\u2069\u202e.exe.pdf", "invoicefdp.exe"],
    ["\u200fשלום.pdf", "\u200fשלום"],
    ["\u202e.pdf", ".pdf"],
  ])("%j is %j", (name, base) => {
    expect(baseName(new File([], name))).toBe(base);
  });

  test("a Blob without a name is called blob", () => {
    expect(baseName(new Blob([]))).toBe("blob");
  });
});
