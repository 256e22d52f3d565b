import { afterAll, describe, expect, test } from "vitest";
import { repairBytes, splitBytes } from "../support/engine.ts";
import { damagedOnTheWay } from "../support/fixtures/damaged-pdf.ts";
import { catalogOf, pageOf, pdfOf } from "../support/fixtures/pdf-objects.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import {
  popplerDestinations,
  popplerInfo,
  popplerText,
  qpdfCanonical,
  qpdfCheck,
} from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";

const missing = announceMissing("what is split off odd documents", ["qpdf", "pdftotext", "pdfinfo"]);

describe.skipIf(missing.length > 0)("a file split off an unusual document, as native tools read it", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());
  const font = { num: 9, body: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>" };
  const text = { num: 5, body: "<<>>", stream: "BT /F 20 Tf 20 50 Td (NEEDED) Tj ET" };

  async function splitOff(input: Uint8Array, pages: string): Promise<string> {
    const [file] = await splitBytes(input, { pages });
    const output = onDisk(scratch, file?.bytes ?? new Uint8Array());
    expect(await qpdfCheck(output)).toMatchObject({ verdict: "ok", encrypted: false });
    return output;
  }

  test("a page with dangling references inherits size and text", async () => {
    const input = pdfOf([
      { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
      {
        num: 2,
        body: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 210 310]/Resources<</Font<</F 9 0 R>>>>>>",
      },
      { num: 3, body: "<</Type/Page/Parent 2 0 R/MediaBox 99 0 R/Resources 98 0 R/Contents 5 0 R>>" },
      text,
      font,
    ]);
    const output = await splitOff(input, "1");
    expect((await popplerText(output)).toString()).toContain("NEEDED");
    expect((await popplerInfo(output)).get("Page size")).toContain("210 x 310");
  });

  test("a page keeps its text when its font has the object number of a page", async () => {
    const onPage = (num: number) => pageOf(num, "/Contents 5 0 R/Resources<</Font<</F 9 0 R>>>>");
    const input = pdfOf([...catalogOf("3 0 R 9 0 R 4 0 R"), onPage(3), onPage(4), text, font]);
    for (const pages of ["1", "3", "1-3"]) {
      expect((await popplerText(await splitOff(input, pages))).toString()).toContain("NEEDED");
    }
    expect(await qpdfCheck(await splitOff(input, "1-3"))).toMatchObject({ pageCount: 3 });
  });

  test.each([
    ["is the content of another page", "5 0 R", undefined],
    ["leads there", "<</Title(of all)/X 5 0 R/Y[5 0 R]/Z<</Z 5 0 R>>>>", "of all"],
    ["is as it should be", "<</Title 6 0 R/Trapped/False>>", "by reference"],
  ])("an information dictionary that %s keeps only texts and names", async (_, info, title) => {
    const input = pdfOf(
      [
        ...catalogOf("3 0 R 4 0 R"),
        pageOf(3, "/Resources<</Font<</F 9 0 R>>>>/Contents 5 0 R"),
        pageOf(4),
        text,
        { num: 6, body: "(by reference)" },
        { num: 8, body: info },
        font,
      ],
      info === "5 0 R" ? "/Root 1 0 R/Info 5 0 R" : "/Root 1 0 R/Info 8 0 R",
    );
    const output = await splitOff(input, "2");
    expect(await qpdfCanonical(output)).not.toContain("NEEDED");
    expect((await popplerInfo(output)).get("Title")).toBe(title);
  });

  test.each([
    "Lang 5 0 R",
    "URI<</Base 5 0 R>>",
    "OutputIntents[<</DestOutputProfile 5 0 R>>]",
    "ViewerPreferences<</X 5 0 R>>",
    "Metadata 5 0 R",
  ])("a catalog that refers to page content by /%s adds it to that page's file only", async (entry) => {
    const input = pdfOf([
      ...catalogOf("3 0 R 4 0 R", `/${entry}`),
      pageOf(3, "/Resources<</Font<</F 9 0 R>>>>/Contents 5 0 R"),
      pageOf(4),
      text,
      font,
    ]);
    expect((await popplerText(await splitOff(input, "1"))).toString()).toContain("NEEDED");
    expect(await qpdfCanonical(await splitOff(input, "2"))).not.toContain("NEEDED");
  });

  test("a damaged document keeps text in a font that the cross-reference marks as free", async () => {
    const input = damagedOnTheWay();
    for (const pages of ["1,2", "1-2"]) {
      expect((await popplerText(await splitOff(input, pages))).toString()).toContain("NEEDED");
    }
    const repaired = onDisk(scratch, await repairBytes(input, { pages: "1-2" }));
    expect(await qpdfCheck(repaired)).toMatchObject({ verdict: "ok", pageCount: 2 });
    expect((await popplerText(repaired)).toString()).toContain("NEEDED");
  });

  test("a reference with an old generation number stays null", async () => {
    const objects = pdfOf([
      ...catalogOf("3 0 R"),
      pageOf(3, "/Contents 4 0 R/Resources<</XObject<</New 7 1 R/Old 7 0 R>>>>"),
      { num: 4, body: "<<>>", stream: "/New Do q 1 0 0 1 0 30 cm /Old Do Q" },
      { ...text, num: 7, body: "<</Subtype/Form/BBox[0 0 99 99]/Resources<</Font<</F 9 0 R>>>>>>" },
      font,
    ]);
    const whole = Buffer.from(objects).toString("latin1");
    const place = `${String(whole.indexOf("7 0 obj")).padStart(10, "0")} 0000`;
    const replaced = whole.replace("7 0 obj", "7 1 obj").replace(`${place}0 n`, `${place}1 n`);
    const input = Uint8Array.from(Buffer.from(replaced, "latin1"));
    const drawn = (await popplerText(onDisk(scratch, input))).toString();
    expect(drawn.match(/NEEDED/g)).toHaveLength(1);
    expect((await popplerText(await splitOff(input, "1"))).toString()).toBe(drawn);
    expect((await popplerText(onDisk(scratch, await repairBytes(input)))).toString()).toBe(drawn);
  });

  test("destinations by page number keep their pages", async () => {
    const input = pdfOf([
      ...catalogOf("3 0 R 4 0 R 6 0 R", "/Names<</Dests<</Names[(one)[1/Fit](two)<</D[2/Fit]>>]>>>>"),
      pageOf(3),
      pageOf(4),
      pageOf(6),
    ]);
    expect(await popplerDestinations(await splitOff(input, "3"))).toEqual(["1 [ Fit ] two"]);
    expect(await popplerDestinations(await splitOff(input, "3-2"))).toEqual([
      "1 [ Fit ] two",
      "2 [ Fit ] one",
    ]);
  });
});
