import { describe, expect, test } from "vitest";
import { type Client, createClient } from "../../src/index.ts";
import { compositeFont, type DrawnPage, drawnPdf, FIRST_OWN } from "../support/fixtures/drawn-pdf.ts";
import type { PlainObject } from "../support/fixtures/pdf-objects.ts";
import { blobOf, shown } from "./pictures.ts";

describe("text in fonts that are not embedded", () => {
  /** Arial, with glyphs of those names for A and B. */
  const simple = (...glyphs: [string, string]): PlainObject[] => [
    {
      num: FIRST_OWN,
      body: `<</Type/Font/Subtype/TrueType/BaseFont/Arial/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[65/${glyphs.join("/")}]>>>>`,
    },
  ];
  const cyrillic = simple("afii10047", "afii10046");
  const LANGUAGES = [
    ["Japanese", compositeFont("Ryumin-Light", "Japan1", "UniJIS-UCS2-H"), "<65E5672C>", "Ryumin-Light"],
    ["Korean", compositeFont("HYSMyeongJo-Medium", "Korea1", "UniKS-UCS2-H"), "<D55CAD6D>", "HYSMyeongJo"],
    ["simplified Chinese", compositeFont("STSong-Light", "GB1", "UniGB-UCS2-H"), "<4E2D6587>", "STSong"],
    ["traditional Chinese", compositeFont("MSung-Light", "CNS1", "UniCNS-UCS2-H"), "<4E2D6587>", "MSung"],
    ["Cyrillic", cyrillic, "(AB)", "Arial"],
    ["Polish", simple("Aogonek", "eogonek"), "(AB)", "Arial"],
    ["Czech", simple("Ccaron", "uring"), "(AB)", "Arial"],
    ["Turkish", simple("Gbreve", "scedilla"), "(AB)", "Arial"],
    ["mathematics", simple("lessequal", "summation"), "(AB)", "Arial"],
  ] as const;

  const page = (text: string) => ({
    content: `BT /F1 40 Tf 10 15 Td ${text} Tj ET`,
    resources: `/Font<</F1 ${FIRST_OWN} 0 R>>`,
  });
  const inkOf = ({ data }: ImageData) => data.filter((value, at) => at % 4 === 0 && value < 128).length;

  const withFonts = createClient({ fontUrl: "/fonts/", maxWorkers: 1 });
  const withNone = createClient({ fontUrl: new URL("/nowhere", location.href), maxWorkers: 2 });

  async function draw(objects: readonly PlainObject[], pages: readonly DrawnPage[], client: Client) {
    const missing: string[] = [];
    const result = await client.convert(
      { file: new File([drawnPdf(pages, { objects })], "a.pdf"), output_format: "png", dpi: 72 },
      { onProgress: ({ missingFonts }) => missing.push(...(missingFonts ?? [])) },
    );
    return { made: await blobOf(result), missing };
  }

  test.each(LANGUAGES)("%s is drawn by a font of the app", async (_, objects, text) => {
    const { made, missing } = await draw(objects, [page(text)], withFonts);
    expect(inkOf(await shown(made))).toBeGreaterThan(150);
    expect(missing).toEqual([]);
  });

  test.each(LANGUAGES)("%s without a font is reported", async (_, objects, text, name) => {
    const { made, missing } = await draw(objects, [page(text)], withNone);
    expect(inkOf(await shown(made))).toBe(0);
    expect(missing).toEqual([expect.stringContaining(name)]);
  });

  test("Thai is reported with and without fonts", async () => {
    const { made, missing } = await draw(simple("uni0E01", "uni0E02"), [page("(AB)")], withFonts);
    expect(inkOf(await shown(made))).toBe(0);
    expect(missing).toEqual(["Arial"]);
  });

  test.each([
    ["kana beside kanji", "uni65E5", "uni306E"],
    ["a long vowel", "uni30B5", "uni30FC"],
    ["Arabic's own comma", "uni0645", "uni060C"],
    ["Hebrew with shekels", "uni05D0", "uni20AA"],
  ] as const)("%s is drawn by one of the app's fonts without a report", async (_, one, other) => {
    const { missing } = await draw(simple(one, other), [page("(AB)")], withFonts);
    expect(missing).toEqual([]);
  });

  test("is reported once for all pages", async () => {
    const [, objects, text] = LANGUAGES[0];
    const { missing } = await draw(
      objects,
      Array.from({ length: 6 }, () => page(text)),
      withNone,
    );
    expect(missing).toHaveLength(1);
  });

  test.each([
    ["English", cyrillic, "(HHH)"],
    ["Western Europe's", simple("Scaron", "oe"), "(ABAB)"],
    ["printers'", simple("fi", "trademark"), "(ABAB)"],
  ] as const)("%s letters need no additional font", async (_, objects, text) => {
    const { made, missing } = await draw(objects, [page(text)], withNone);
    expect(inkOf(await shown(made))).toBeGreaterThan(150);
    expect(missing).toEqual([]);
  });
});
