import { describe, expect, it } from "vitest";
import { splitBytes } from "../../../../support/engine.ts";
import { catalogOf, type PlainObject, pageOf, pdfOf } from "../../../../support/fixtures/pdf-objects.ts";
import { splitTexts } from "../../../../support/made-texts.ts";

const FIRST = 1000;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const references = (from: number, count: number) => numbers(count).map((index) => `${from + index} 0 R`);

/** A document whose pages are the objects from {@link FIRST} on. */
function documentOf(
  pageCount: number,
  catalog: string,
  objects: readonly PlainObject[],
  pageEntries: (index: number) => string = () => "",
): Uint8Array {
  const pages = numbers(pageCount).map((index) => pageOf(FIRST + index, pageEntries(index)));
  return pdfOf([...catalogOf(references(FIRST, pageCount).join(" "), catalog), ...pages, ...objects]);
}

describe("splits a valid document into all pages", () => {
  it("when each has layers of its own", async () => {
    const [sheets, layers] = [40, 30];
    const layer = (sheet: number, index: number) => 2000 + sheet * layers + index;
    const all = references(2000, sheets * layers).join(" ");
    const input = documentOf(
      sheets,
      `/OCProperties<</OCGs[${all}]/D<</Order[${all}]/ON[${all}]/Locked[${all}]/AS[<</Event/View/Category[/View]/OCGs[${all}]>>]>>>>`,
      numbers(sheets).flatMap((sheet) => [
        ...numbers(layers).map((index) => ({
          num: layer(sheet, index),
          body: `<</Type/OCG/Name(Layer ${sheet}.${index}.)/Usage<</CreatorInfo<</Creator(CAD)/Subtype/Technical>>>>>>`,
        })),
        {
          num: 100 + sheet,
          body: "<<>>",
          stream: numbers(layers)
            .map((index) => `/L${index} BDC EMC`)
            .join(" "),
        },
      ]),
      (sheet) =>
        `/Contents ${100 + sheet} 0 R/Resources<</Properties<<${numbers(layers)
          .map((index) => `/L${index} ${layer(sheet, index)} 0 R`)
          .join("")}>>>>`,
    );
    const texts = await splitTexts(input, "all");
    expect(texts).toHaveLength(sheets);
    expect(texts[7]?.match(/\(Layer 7\.\d+\.\)/g)).toHaveLength(layers);
    expect(texts[7]).not.toContain("(Layer 8.");
  }, 60_000);

  it("when each has an indirect label of its own", async () => {
    const count = 1000;
    const labels = numbers(count).map((index) => `${index} ${2000 + index} 0 R`);
    const input = documentOf(
      count,
      `/PageLabels<</Nums[${labels.join(" ")}]>>`,
      numbers(count).map((index) => ({ num: 2000 + index, body: `<</Type/PageLabel/P(Sheet ${index}.)>>` })),
    );
    const texts = await splitTexts(input, "all");
    expect(texts).toHaveLength(count);
    expect(texts[999]).toContain("(Sheet 999.)");
  }, 60_000);

  it("when it has long metadata", async () => {
    const count = 240;
    const history = "<rdf:li>history entry</rdf:li>\n".repeat(33_000);
    const input = documentOf(count, "/Metadata 4 0 R", [
      { num: 4, body: "<</Type/Metadata/Subtype/XML>>", stream: `<x:xmpmeta>${history}</x:xmpmeta>` },
    ]);
    expect(await splitBytes(input, { pages: "all" })).toHaveLength(count);
  }, 60_000);

  it("when it has a long outline", async () => {
    const [pages, entries] = [1500, 15_000];
    const input = documentOf(pages, "/Outlines 3 0 R", [
      { num: 3, body: "<</First 10000 0 R>>" },
      ...numbers(entries).map((index) => ({
        num: 10_000 + index,
        body: `<</Title(Entry ${index}.)/Dest[${FIRST + (index % pages)} 0 R/Fit]/Next ${10_001 + index} 0 R>>`,
      })),
    ]);
    const texts = await splitTexts(input, "all");
    expect(texts).toHaveLength(pages);
    expect(texts[7]?.match(/\(Entry \d*7\.\)/g)).toHaveLength(entries / pages);
  }, 60_000);
});
