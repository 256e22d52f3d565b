import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { CLEANED } from "../../src/shared/protocol.ts";
import { cleanBytes } from "../support/engine.ts";
import { fieldOf, formOf } from "../support/fixtures/form-pdf.ts";
import { catalogOf, type PlainObject, pageOf, pdfOf } from "../support/fixtures/pdf-objects.ts";
import { popplerDrawsAll } from "../support/native-pictures.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";
import { mustRun, popplerText, qpdfCheck } from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";

const CORPUS = fileURLToPath(new URL("../../../shared/corpus/pdf", import.meta.url));
const hasCorpus = existsSync(CORPUS);
if (!hasCorpus)
  process.stderr.write("SKIPPED: flattened forms of real files: there is no ../shared/corpus\n");
const missing = announceMissing("flattened pages", ["pdftoppm", "pdftotext", "mutool", "qpdf"]);

describe.skipIf(missing.length > 0)("a flattened page", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());
  const flatten = { keep: CLEANED, flatten: true };

  async function muDrawsAll(path: string): Promise<readonly Uint8Array[]> {
    return [await mustRun("mutool", ["draw", "-q", "-r", "72", "-F", "ppm", "-o", "-", path])];
  }

  /** Returns the share of values that differ clearly. Numbers are rounded, so the edges of a slanted drawing may differ. */
  function difference(one: readonly Uint8Array[], other: readonly Uint8Array[]): number {
    expect(one.map(({ length }) => length)).toEqual(other.map(({ length }) => length));
    let different = 0;
    for (const [page, values] of one.entries()) {
      const others = other[page] ?? values;
      for (let at = 0; at < values.length; at++) {
        if (Math.abs((values[at] ?? 0) - (others[at] ?? 0)) > 100) different++;
      }
    }
    return (
      different /
      Math.max(
        one.reduce((sum, { length }) => sum + length, 0),
        1,
      )
    );
  }

  /** Flattens a file and checks that pages are drawn as before. Returns the path of the result. */
  async function flattened(file: Uint8Array, drawers = [popplerDrawsAll, muDrawsAll]): Promise<string> {
    const [before, after] = [onDisk(scratch, file), onDisk(scratch, await cleanBytes(file, flatten))];
    expect(await qpdfCheck(after)).toMatchObject({ verdict: "ok" });
    for (const draw of drawers)
      expect(difference(await draw(after), await draw(before))).toBeLessThan(0.0005);
    return after;
  }

  /** Returns the color that most pixels of a page have, apart from white. */
  function mostUsedColor(page: Uint8Array): string | undefined {
    const counts = new Map<string, number>();
    for (let at = 0; at < page.length; at += 3) {
      const color = page.subarray(at, at + 3).join();
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
    counts.delete("255,255,255");
    return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
  }

  const annotations = async (path: string) =>
    (await mustRun("mutool", ["show", path, "pages/1/Annots"])).toString();

  const form = (
    num: number,
    entries: string,
    stream = "0.9 0 0 rg 0 0 30 20 re f 0 0 1 rg 0 0 9 9 re f",
  ): PlainObject => ({
    num,
    body: `<</Type/XObject/Subtype/Form${entries}>>`,
    stream,
  });
  /** A page with an annotation whose appearance is object 20. */
  const stamped = (annotation: string, page = "", content = "") =>
    pdfOf([
      ...catalogOf("3 0 R"),
      pageOf(3, `/Annots[10 0 R]/Contents 4 0 R${page}`),
      { num: 4, body: "<<>>", stream: content },
      { num: 10, body: `<</Type/Annot/Subtype/Stamp/F 4/Rect[10 20 70 60]/AP<</N 20 0 R>>${annotation}>>` },
      form(20, "/BBox[0 0 30 20]"),
      form(23, ""),
      form(21, "/BBox[5 5 30 20]/Matrix[0 2 -2 0 7 9]"),
      form(
        22,
        "/BBox[0 0 30 20]/Matrix[.7 .7 -.7 .7 0 0]/Resources<</XObject<</Flat0 20 0 R>>>>",
        "/Flat0 Do",
      ),
    ]);

  test.each([
    ["in the size of its box", stamped("")],
    ["with a box and a matrix of its own", stamped("/AP<</N 21 0 R>>")],
    ["turned by an angle", stamped("/AP<</N 22 0 R>>")],
    ["in its state", stamped("/AS/On/AP<</N<</On 20 0 R/Off 21 0 R>>>>")],
    ["in no state", stamped("/Subtype/Watermark/AS/Else/AP<</N<</On 20 0 R>>>>")],
    ["that is hidden", stamped("/F 2")],
    ["that is not to be seen", stamped("/F 36")],
    ["on a rotated page", stamped("", "/Rotate 90")],
    ["after content that leaves a state", stamped("", "", "q q .5 0 0 .5 0 0 cm 1 0 0 rg 0 0 9 9 re f")],
    [
      "on a page with an object of the same name",
      stamped("", "/Resources<</XObject<</Flat0 21 0 R>>>>", "/Flat0 Do"),
    ],
    ["in a box without a size", stamped("/Rect[10 20 10 60]")],
  ])("draws an annotation %s as before", async (_, file) => {
    expect(await annotations(await flattened(file))).toBe("null\n");
  });

  test("draws an annotation that does not rotate with its page upright", async () => {
    await flattened(stamped("/F 20/Rect[30 30 60 50]", "/Rotate 90"));
  });

  test("draws an annotation after content that restores too many states as before", async () => {
    // Poppler then draws annotations in the state of the content.
    await flattened(stamped("", "", "Q Q .5 0 0 .5 0 0 cm 0 1 0 rg 0 0 9 9 re f"), [muDrawsAll]);
  });

  test("has no fields, and the text of those that had no appearance", async () => {
    const fields = [
      fieldOf("a", "/FT/Tx/V(typed)"),
      fieldOf("b", "/FT/Tx/V(kept)/Rect[0 50 100 90]/AP<</N 21 0 R>>"),
    ];
    const after = onDisk(scratch, await cleanBytes(formOf({ fields }), flatten));
    expect((await mustRun("mutool", ["show", after, "trailer/Root/AcroForm"])).toString()).toBe("null\n");
    expect(await annotations(after)).toBe("null\n");
    const text = (await popplerText(after)).toString();
    expect([text.includes("typed"), text.includes("old")]).toEqual([true, true]);
  });

  const style = "/DA(/Helv 12 Tf)/DR<</Font<</Helv<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>";
  const named = "/T(name)/FT/Tx/V(typed)";
  test.each([
    ["which its field does not list", "11 0 R", `<<${named}>>`],
    ["of a field with other widgets", "11 0 R", `<<${named}/Kids[12 0 R]>>`],
    ["of a field that the form does not list", "", `<<${named}/Kids[10 0 R]>>`],
    ["of a field above one", "12 0 R", "<</T(inner)/Parent 12 0 R>>"],
  ])("shows the text of a widget %s, as fields that stay do", async (_, listed, field) => {
    const file = pdfOf([
      ...catalogOf("3 0 R", `/AcroForm<</Fields[${listed}]${style}>>`),
      pageOf(3, "/Annots[10 0 R]"),
      { num: 10, body: "<</Subtype/Widget/F 4/Rect[0 0 90 40]/Parent 11 0 R>>" },
      { num: 11, body: field },
      { num: 12, body: `<<${named}>>` },
    ]);
    for (const pdf of [file, await cleanBytes(file, {}), await cleanBytes(file, { flatten: true })]) {
      expect((await popplerText(onDisk(scratch, pdf))).toString().trim()).toBe("typed");
    }
  });

  test("draws nothing of a field without a size whose text cannot be drawn", async () => {
    const file = formOf({ fields: [fieldOf("a", "/FT/Tx/V<feff4e2d>/Rect[0 0 0 0]")] });
    expect(await annotations(await flattened(file))).toBe("null\n");
  });

  test("draws the text of a widget that is no object of its own, like mutool", async () => {
    const file = pdfOf([
      ...catalogOf("3 0 R", `/AcroForm<</Fields[]${style}>>`),
      pageOf(3, `/Annots[${fieldOf("a", "/FT/Tx/V(typed)")}]`),
    ]);
    const flat = await cleanBytes(file, flatten);
    expect((await popplerText(onDisk(scratch, flat))).toString().trim()).toBe("typed");
  });

  test.each([
    ["a check box that is on", "/AS/Yes/V/Yes", "✔"],
    ["a check box with another mark", "/AS/Yes/MK<</CA(8)>>", "✘"],
    ["a check box with a name for an appearance", "/AS/Yes/AP<</N/Yes>>", "✔"],
    ["a check box with a name for its state", "/AS/Yes/AP<</N<</Yes/None>>>>", "✔"],
    ["a check box without its state", "/AS/Yes/AP<</N<</On 20 0 R>>>>", "✔"],
    ["a check box without a style", "/AS/Yes/DA(1 0 0 rg)", "✔"],
    ["a check box whose font has an escape in its name", "/AS/Yes/DA(/Za#20Db 0 Tf 0 g)", "✔"],
    ["a check box with a damaged style", "/AS/Yes/DA(/ZaDb 9 Tf ET Q 1 0 0 rg \\()", "✔"],
    ["a radio button that is on", "/Ff 32768/AS/a", "●"],
    ["a check box that is off", "/AS/Off/V/Off", ""],
    ["a check box without a state", "/V/Yes", ""],
    ["a push button", "/Ff 65536/AS/Yes", ""],
  ])("draws the mark of %s, which has no appearance", async (_, entries, mark) => {
    const file = formOf({ fields: [fieldOf("a", `/FT/Btn${entries}`)] });
    const after = onDisk(scratch, await cleanBytes(file, flatten));
    expect((await popplerText(after)).toString().trim()).toBe(mark);
    expect(await qpdfCheck(after)).toMatchObject({ verdict: "ok" });
  });

  test("draws a check box that names no state as off, like poppler", async () => {
    const fields = [fieldOf("a", "/FT/Btn/V/Yes/AP<</N<</Yes 21 0 R/Off 20 0 R>>>>")];
    await flattened(formOf({ fields }), [popplerDrawsAll]);
  });

  test.each([
    ["of a device space", "/Helv 24 Tf /DeviceRGB cs 1 0 0 sc", "255,0,0"],
    ["of a device space before its font", "/DeviceCMYK cs 0 1 1 0 scn /Helv 24 Tf", "237,28,36"],
    ["with too many components", "/Helv 24 Tf 1 0 0 sc", "0,0,0"],
    ["of a space that is not in the style", "/Helv 24 Tf /CS0 cs 1 0 0 scn", "0,0,0"],
  ])("draws text in a color %s, like poppler", async (_, style, expected) => {
    const fields = [fieldOf("a", `/FT/Tx/V(WWWW)/DA(${style})`)];
    const file = formOf({ fields });
    const colorOf = async (pdf: Uint8Array) => {
      const [page = new Uint8Array()] = await popplerDrawsAll(onDisk(scratch, pdf));
      return mostUsedColor(page);
    };
    const color = await colorOf(file);
    expect(color).toBe(expected);
    expect(await colorOf(await cleanBytes(file, flatten))).toBe(color);
  });

  test("draws the border of a field without text", async () => {
    const fields = [fieldOf("a", "/FT/Tx/MK<</BC[1 0 0]/BG[0 1 0]>>")];
    const [page] = await popplerDrawsAll(onDisk(scratch, await cleanBytes(formOf({ fields }), flatten)));
    expect(Buffer.from(page ?? []).includes(Buffer.from("00ff0000ff0000ff00", "hex"))).toBe(true);
  });

  test("keeps its links", async () => {
    const link =
      "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Border[0 0 0]/A<</S/URI/URI(https://stays.example)>>>>";
    const after = await flattened(stamped("", `/Annots[${link} 10 0 R]`));
    expect(
      (await runTool("qpdf", ["--qdf", "--object-streams=disable", after, "-"])).stdout.toString(),
    ).toContain("stays.example");
  });

  test("keeps an annotation without an appearance, and no popup of what it has drawn", async () => {
    const note = "<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(a note)>>";
    const popup = "<</Type/Annot/Subtype/Popup/Rect[0 0 9 9]/Parent 10 0 R>>";
    const after = onDisk(scratch, await cleanBytes(stamped("", `/Annots[${note}${popup} 10 0 R]`), flatten));
    expect(await annotations(after)).toMatch(/^\[ <<[^<]*\/Subtype \/Text[^<]*>> \]\n$/);
  });

  test.each([
    ["is empty", "/AP<<>>"],
    ["has states, but none is chosen", "/AP<</N<</On 20 0 R>>>>"],
    ["has no box", "/AP<</N 23 0 R>>"],
  ])("keeps an annotation whose appearance %s", async (_, entries) => {
    const file = stamped(`/Subtype/Square${entries}`);
    expect(await annotations(onDisk(scratch, await cleanBytes(file, flatten)))).toBe("[ 10 0 R ]\n");
  });

  test("keeps an annotation of a hidden layer hidden, also if its appearance has a layer that is shown", async () => {
    await flattened(
      pdfOf([
        ...catalogOf("3 0 R", "/OCProperties<</OCGs[30 0 R 31 0 R]/D<</OFF[31 0 R]>>>>"),
        pageOf(3, "/Annots[10 0 R 11 0 R]"),
        { num: 10, body: "<</Subtype/Stamp/F 4/Rect[10 20 70 60]/OC 31 0 R/AP<</N 20 0 R>>>>" },
        { num: 11, body: "<</Subtype/Stamp/F 4/Rect[10 70 70 90]/OC 30 0 R/AP<</N 20 0 R>>>>" },
        form(20, "/BBox[0 0 30 20]/Matrix[0 2 -2 0 7 9]/OC 30 0 R"),
        { num: 30, body: "<</Type/OCG/Name(Shown)>>" },
        { num: 31, body: "<</Type/OCG/Name(Hidden)>>" },
      ]),
    );
  });

  /** Annotations without an appearance are drawn in each reader's own way, and so are fields with `NeedAppearances`. */
  const isDrawnAlike = (text: string) => {
    const drawn = text.match(/\/AP\b/g)?.length ?? 0;
    const all =
      text.match(
        /\/Subtype\s*\/(?!Link|Popup)(Widget|Square|Circle|Ink|Stamp|FreeText|Line|Highlight|Underline|StrikeOut|Polygon|PolyLine|Caret|Text)\b/g,
      )?.length ?? 0;
    return drawn > 0 && drawn >= all && !/NeedAppearances\s+true|\/OC\b|\/Encrypt/.test(text);
  };

  test.skipIf(!hasCorpus)("of a real file looks as before", async () => {
    const files = readdirSync(CORPUS)
      .filter((name) => name.endsWith(".pdf"))
      .map((name) => join(CORPUS, name));
    const chosen = files.filter((path) => isDrawnAlike(readFileSync(path, "latin1"))).slice(0, 24);
    expect(chosen.length).toBeGreaterThan(10);
    const changed: string[] = [];
    for (const path of chosen) {
      const after = onDisk(scratch, await cleanBytes(new Uint8Array(readFileSync(path)), flatten));
      if (difference(await popplerDrawsAll(path), await popplerDrawsAll(after)) > 0.0005) changed.push(path);
    }
    expect(changed).toEqual([]);
  });
});
