import { describe, expect, test } from "vitest";
import { baseName, readInputs } from "../../../src/inputs.ts";

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
    ["\u202egpj.pdf", "\u202egpj"],
  ])("%j is %j", (name, base) => {
    expect(baseName(new File([], name))).toBe(base);
  });

  test("a Blob without a name is called blob", () => {
    expect(baseName(new Blob([]))).toBe("blob");
  });
});
