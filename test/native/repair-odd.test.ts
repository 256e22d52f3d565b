import { afterAll, describe, expect, test } from "vitest";
import { repairBytes, splitBytes } from "../support/engine.ts";
import { catalogOf, type PlainObject, packedPdfOf, pageOf, pdfOf } from "../support/fixtures/pdf-objects.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { popplerText, qpdfCheck } from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";

const missing = announceMissing("repairing odd documents", ["qpdf", "pdftotext"]);

describe.skipIf(missing.length > 0)("a repaired file, as native tools read it,", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());
  const font = { num: 9, body: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>" };
  const textOf = (num: number, words: string) => ({
    num,
    body: "<<>>",
    stream: `BT /F 20 Tf 10 50 Td (${words}) Tj ET`,
  });
  const drawing = (contents: string, more = "") =>
    `/Resources<</Font<</F 9 0 R>>>>/Contents ${contents}${more}`;

  /** A document of two pages, `FIRST` and `SECOND`, with additional entries of the first page. */
  const twoPages = (ofFirst: string, catalog = "", extra: readonly PlainObject[] = [], trailer?: string) =>
    pdfOf(
      [
        { num: 1, body: `<</Type/Catalog/Pages 2 0 R${catalog}>>` },
        { num: 2, body: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>" },
        pageOf(3, drawing("5 0 R", ofFirst)),
        pageOf(4, drawing("6 0 R")),
        textOf(5, "FIRST"),
        textOf(6, "SECOND"),
        font,
        ...extra,
      ],
      trailer,
    );

  async function wordsOf(file: Uint8Array): Promise<readonly string[]> {
    const path = onDisk(scratch, file);
    expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok" });
    const pages = (await popplerText(path)).toString().split("\f");
    return pages.slice(0, -1).map((page) => page.trim());
  }

  test.each(["[null null]", "[1 2]", "(text)", "[]", "<</A 1>>", "8 0 R"])(
    "has no file identifier when the input has %s",
    async (identifier) => {
      const input = twoPages("", "", [], `/Root 1 0 R/ID ${identifier}`);
      expect(await wordsOf(await repairBytes(input))).toEqual(["FIRST", "SECOND"]);
    },
  );

  test("has no integer of more than 64 bits", async () => {
    const digits = "9".repeat(23);
    const page = pageOf(3, drawing("5 0 R", `/Odd[${digits} -${digits} +${digits} 9.${digits}]`));
    const [tree, drawn] = [
      [...catalogOf("3 0 R"), page],
      [textOf(5, "FIRST"), font],
    ];
    for (const input of [pdfOf([...tree, ...drawn]), packedPdfOf(drawn, tree)]) {
      expect(await wordsOf(await repairBytes(input))).toEqual(["FIRST"]);
    }
  });

  test("has only streams as page contents", async () => {
    const input = pdfOf([
      ...catalogOf("3 0 R"),
      pageOf(3, drawing("[5 0 R 8 0 R 9 1 R]")),
      textOf(5, "FIRST"),
      font,
    ]);
    expect(await wordsOf(await repairBytes(input))).toEqual(["FIRST"]);
  });

  test.each(["8 0 R", "[]", "(none)"])("has a page of which the kids are %s", async (kids) => {
    const input = twoPages(`/Kids ${kids}`);
    expect(await wordsOf(await repairBytes(input))).toEqual(["FIRST", "SECOND"]);
    const [first, second] = await splitBytes(input, { pages: "all" });
    expect(await wordsOf(first?.bytes ?? input)).toEqual(["FIRST"]);
    expect(await wordsOf(second?.bytes ?? input)).toEqual(["SECOND"]);
  });

  test("has each page once when the page tree has a cycle and is rebuilt", async () => {
    const circle = pdfOf([
      { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
      { num: 2, body: "<</Type/Pages/Count 2/Kids[2 0 R 3 0 R 7 0 R]>>" },
      { num: 7, body: "<</Type/Pages/Count 1/Parent 2 0 R/Kids[7 0 R 4 0 R 2 0 R]>>" },
      pageOf(3, drawing("5 0 R")),
      pageOf(4, drawing("6 0 R")),
      textOf(5, "FIRST"),
      textOf(6, "SECOND"),
      font,
    ]);
    const words = [["FIRST"], ["SECOND"]];
    const parts = await splitBytes(circle, { pages: "all" });
    expect(await Promise.all(parts.map(({ bytes }) => wordsOf(bytes)))).toEqual(words);
    const text = Buffer.from(circle).toString("latin1");
    const damaged = Uint8Array.from(Buffer.from(text.replace("startxref\n", "startxref\n9"), "latin1"));
    expect(await wordsOf(await repairBytes(damaged))).toEqual(words.flat());
  });

  test("has the root of its page tree where the catalog refers to it", async () => {
    const whole = Buffer.from(twoPages("")).toString("latin1");
    const input = Uint8Array.from(Buffer.from(whole.replace("/Pages 2 0 R", "/Pages 3 0 R"), "latin1"));
    expect(await wordsOf(await repairBytes(input))).toEqual(["FIRST", "SECOND"]);
  });

  test("does not contain commented-out objects when objects are searched for", async () => {
    const whole = Buffer.from(twoPages("")).toString("latin1");
    const commented = "%3 0 obj\n% 5 0 obj <</Length 3>>\n%\t4 0 obj\n";
    const lost = whole.slice(0, whole.indexOf("xref")) + commented;
    expect(await wordsOf(await repairBytes(Uint8Array.from(Buffer.from(lost, "latin1"))))).toEqual([
      "FIRST",
      "SECOND",
    ]);
  });
});
