import { describe, expect, it } from "vitest";
import { mergeBytes } from "../../../../support/engine.ts";
import { makeFeaturedPdf } from "../../../../support/fixtures/featured-pdf.ts";
import {
  catalogOf,
  type PlainObject,
  pageOf,
  pdfOf,
  streamOf,
} from "../../../../support/fixtures/pdf-objects.ts";
import { objectTexts, textOf } from "../../../../support/made-texts.ts";

/** The objects of a merged file, in the order in which they were written. */
type Merged = readonly string[];

async function mergeOf(...documents: readonly (readonly PlainObject[])[]): Promise<Merged> {
  const inputs = documents.map((objects, index) => ({ bytes: pdfOf(objects), title: `file ${index + 1}` }));
  return [...objectTexts(await mergeBytes(inputs)).values()];
}

/** The first group of a pattern in each object that has it. */
function all(merged: Merged, pattern: RegExp): readonly (string | undefined)[] {
  return merged.flatMap((object) => {
    const found = pattern.exec(object);
    return found ? [found[1] ?? found[0]] : [];
  });
}

const catalogIn = (merged: Merged) => merged.find((object) => object.includes("/Type /Catalog")) ?? "";

describe("names that several documents have", () => {
  it("renames named destinations, and links follow", async () => {
    const document = (title: string) => [
      ...catalogOf("3 0 R", "/Dests<</old[3 0 R/Fit]>>/Names<</Dests<</Names[(new)[3 0 R/Fit]]>>>>"),
      pageOf(3, "/Annots[4 0 R 5 0 R]"),
      { num: 4, body: `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Contents(${title} old)/Dest/old>>` },
      {
        num: 5,
        body: `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Contents(${title} new)/A<</S/GoTo/D(new)>>>>`,
      },
    ];
    const merged = await mergeOf(document("a"), document("b"), document("c"));
    expect(all(merged, /\/Dest \((old\S*)\)/)).toEqual(["old", "old#2", "old#3"]);
    expect(all(merged, /\/D \((new\S*)\)/)).toEqual(["new", "new#2", "new#3"]);
    const catalog = catalogIn(merged);
    expect(catalog).toMatch(/\(old\) ?\[.*?\] ?\(old#2\) ?\[.*?\] ?\(old#3\) ?\[/);
    expect(catalog).toMatch(/\(new\) ?\[.*?\] ?\(new#2\) ?\[.*?\] ?\(new#3\) ?\[/);
  });

  it("renames fields with all below them, and actions follow", async () => {
    const document = [
      ...catalogOf("3 0 R", "/AcroForm<</Fields[4 0 R]/CO[5 0 R]>>"),
      pageOf(3, "/Annots[5 0 R 6 0 R]"),
      { num: 4, body: "<</T(person)/Kids[5 0 R]>>" },
      { num: 5, body: "<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/Parent 4 0 R/FT/Tx/T(name)/V(Ada)>>" },
      {
        num: 6,
        body: "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/ResetForm/Fields[(person.name)]>>>>",
      },
    ];
    const merged = await mergeOf(document, document);
    expect(all(merged, /\/T \((person\S*?)\)/)).toEqual(["person", "person#2"]);
    expect(all(merged, /\/T \((name\S*?)\)/)).toEqual(["name", "name"]);
    expect(all(merged, /\/Fields \[\(([^)]*)\)/)).toEqual(["person.name", "person#2.name"]);
    expect(catalogIn(merged)).toMatch(/\/CO \[\d+ 0 R \d+ 0 R\]/);
    expect(catalogIn(merged)).toMatch(/\/Fields \[\d+ 0 R \d+ 0 R\]/);
  });

  /** A form of one field, with these defaults and a font `F`. */
  const formOf = (defaults: string, font: string, own = "") => [
    ...catalogOf("3 0 R", `/AcroForm<</Fields[4 0 R]${defaults}/DR<</Font<</F 5 0 R>>>>>>`),
    pageOf(3, "/Annots[4 0 R]"),
    { num: 4, body: `<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/FT/Tx/T(name)${own}>>` },
    { num: 5, body: `<</Type/Font/Subtype/Type1/BaseFont/${font}>>` },
  ];

  it("keeps the font and the side of each field when forms have other defaults", async () => {
    const merged = await mergeOf(
      formOf("/DA(/F 9 Tf)/Q 2", "Helvetica"),
      formOf("/DA(/F 8 Tf)", "Courier"),
      formOf("/DA(/F 7 Tf)/Q 1", "Helvetica"),
      formOf("", "Courier", "/DA(/F 6 Tf)"),
    );
    const fields = merged.filter((object) => object.includes("/T (name"));
    expect(fields).toHaveLength(4);
    // The first inherits from the form.
    expect(fields[0]).not.toMatch(/\/DA|\/Q/);
    expect(catalogIn(merged)).toMatch(/\/DA \(\/F 9 Tf\)/);
    expect(catalogIn(merged)).toMatch(/\/Q 2/);
    expect(fields[1]).toMatch(/\/DA \(\/F_2 8 Tf\)/);
    expect(fields[1]).toMatch(/\/Q 0/);
    // A standard font with the same meaning has one name.
    expect(fields[2]).toMatch(/\/DA \(\/F 7 Tf\)/);
    expect(fields[2]).toMatch(/\/Q 1/);
    expect(fields[3]).toMatch(/\/DA \(\/F_2 6 Tf\)/);
    const [, fonts = ""] = /\/Font <<([^>]*)>>/.exec(catalogIn(merged)) ?? [];
    expect(fonts.match(/F\w*/g)?.sort()).toEqual(["F", "F_2"]);
  });

  it("does not give fields the defaults of a later form", async () => {
    const merged = await mergeOf(formOf("", "Helvetica"), formOf("/DA(/F 9 Tf)/Q 1", "Helvetica"));
    expect(catalogIn(merged)).not.toMatch(/\/DA|\/Q/);
    expect(all(merged, /\/Q (\d)/)).toEqual(["1"]);
  });

  it("renumbers structure parent keys, identifiers, roles and classes", async () => {
    const document = (role: string) => [
      ...catalogOf("3 0 R", "/StructTreeRoot 5 0 R/MarkInfo<</Marked true>>"),
      pageOf(3, "/StructParents 0/Annots[8 0 R]"),
      {
        num: 5,
        body:
          `<</Type/StructTreeRoot/K 6 0 R/RoleMap<</Note1${role}>>/ClassMap<</wide<</O/Layout>>>>` +
          "/ParentTree<</Nums[0[6 0 R 7 0 R]3 7 0 R]>>/IDTree<</Names[(id)6 0 R]>>>>",
      },
      { num: 6, body: "<</Type/StructElem/S/TH/P 5 0 R/ID(id)/C/wide/Pg 3 0 R/K[0 7 0 R]>>" },
      {
        num: 7,
        body: "<</Type/StructElem/S/Note1/P 6 0 R/Pg 3 0 R/A<</O/Table/Headers[(id)]>>/K[1<</Type/OBJR/Obj 8 0 R>>]>>",
      },
      { num: 8, body: "<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/StructParent 3>>" },
    ];
    const merged = await mergeOf(document("/P"), document("/H1"));
    expect(all(merged, /\/StructParents (\d+)/)).toEqual(["0", "4"]);
    expect(all(merged, /\/StructParent (\d+)/)).toEqual(["3", "7"]);
    expect(all(merged, /\/ID \(([^)]*)\)/)).toEqual(["id", "id#2"]);
    expect(all(merged, /\/Headers \[\(([^)]*)\)\]/)).toEqual(["id", "id#2"]);
    expect(all(merged, /\/S \/(Note1\w*)/)).toEqual(["Note1", "Note1_2"]);
    expect(all(merged, /\/C \/(wide\w*)/)).toEqual(["wide", "wide_2"]);
    const root = merged.find((object) => object.includes("/StructTreeRoot")) ?? "";
    expect(root).toMatch(/\/Note1 \/P/);
    expect(root).toMatch(/\/Note1_2 \/H1/);
    expect(root).toMatch(/\/Nums \[0 \[.*?\] ?3 \d+ 0 R 4 \[.*?\] ?7 \d+ 0 R\]/);
    expect(root).toMatch(/\/ParentTreeNextKey 8/);
    expect(root).toMatch(/\(id\) \d+ 0 R ?\(id#2\) \d+ 0 R/);
  });
});

describe("a document that maps standard structure types", () => {
  const document = (roles: string, ...types: readonly string[]) => [
    ...catalogOf("3 0 R", "/StructTreeRoot 5 0 R/MarkInfo<</Marked true>>"),
    pageOf(3, "/StructParents 0"),
    {
      num: 5,
      body: `<</Type/StructTreeRoot/K[6 0 R]/RoleMap<<${roles}>>/ParentTree<</Nums[0[${types.map((_, index) => `${6 + index} 0 R`).join(" ")}]]>>>>`,
    },
    ...types.map((type, index) => ({
      num: 6 + index,
      body: `<</Type/StructElem/S/${type}/P 5 0 R/Pg 3 0 R/K[${index}]>>`,
    })),
  ];
  const typesIn = (merged: readonly string[]) => all(merged, /\/S \/(\w+)/);
  const rolesIn = (merged: readonly string[]) => all(merged, /\/RoleMap <<([^>]*)>>/);

  it("does not change them for the others", async () => {
    const merged = await mergeOf(document("/P/Span/Text/P", "P", "Text"), document("", "P"));
    expect(typesIn(merged)).toEqual(["P_2", "Text", "P"]);
    expect(rolesIn(merged)).toEqual([expect.stringMatching(/^\s*\/P_2 \/Span\s*\/Text \/P_2\s*$/)]);
  });

  it("keeps a type that is mapped to itself", async () => {
    const merged = await mergeOf(document("/P/P", "P"), document("/P/Span", "P"));
    expect(typesIn(merged)).toEqual(["P", "P_2"]);
    expect(rolesIn(merged)).toEqual([expect.stringMatching(/\/P_2 \/Span/)]);
  });
});

describe("a merged document", () => {
  it("has an outline entry for each document, with its own entries below", async () => {
    const document = (title: string): PlainObject[] => [
      ...catalogOf("3 0 R", "/Outlines 4 0 R"),
      pageOf(3),
      { num: 4, body: "<</Type/Outlines/First 5 0 R/Last 5 0 R/Count 1>>" },
      { num: 5, body: `<</Title(${title})/Parent 4 0 R/Dest[3 0 R/Fit]>>` },
    ];
    const merged = await mergeOf(
      document("first chapter"),
      [...catalogOf("3 0 R"), pageOf(3)],
      document("last chapter"),
    );
    const titles = all(merged, /\/Title \(([^)]*)\)/);
    expect([...titles].sort()).toEqual(["file 1", "file 2", "file 3", "first chapter", "last chapter"]);
    const [one, two] = ["file 1", "file 2"].map((title) =>
      merged.find((object) => object.includes(`(${title})`)),
    );
    expect(one).toMatch(/\/First .*\/Count -1/);
    expect(two).toMatch(/\/Dest \[\d+ 0 R \/XYZ .*\/Prev .*\/Next /);
    expect(two).not.toMatch(/\/First/);
    expect(merged.find((object) => /^<<\/First/.test(object))).toMatch(/\/Count 3/);
  });

  it("numbers the pages of a document without labels when another has some", async () => {
    const plain = [...catalogOf("3 0 R"), pageOf(3)];
    const labeled = [...catalogOf("3 0 R", "/PageLabels<</Nums[0<</S/r/St 5>>]>>"), pageOf(3)];
    const merged = catalogIn(await mergeOf(plain, labeled, plain));
    expect(merged).toMatch(/\/Nums \[0 <<\/S \/D>> ?1 <<\/S \/r ?\/St 5>> ?2 <<\/S \/D>>\]/);
    expect(catalogIn(await mergeOf(plain, plain))).not.toContain("/PageLabels");
  });

  it("shows and hides layers as before when a document hides those that it does not list", async () => {
    const document = (configuration: string, name: string) => [
      ...catalogOf("3 0 R", `/OCProperties<</OCGs[4 0 R 5 0 R]/D<<${configuration}>>>>`),
      pageOf(3, "/Resources<</Properties<</A 4 0 R/B 5 0 R>>>>/Contents 6 0 R"),
      { num: 4, body: `<</Type/OCG/Name(${name} one)>>` },
      { num: 5, body: `<</Type/OCG/Name(${name} two)>>` },
      streamOf(6, "/OC/A BDC EMC /OC/B BDC EMC"),
    ];
    const bytes = [document("/OFF[4 0 R]", "shown"), document("/BaseState/OFF/ON[4 0 R]", "hidden")].map(
      (objects) => pdfOf(objects),
    );
    const objects = objectTexts(await mergeBytes(bytes.map((input) => ({ bytes: input }))));
    const catalog = catalogIn([...objects.values()]);
    expect(catalog).not.toContain("/BaseState");
    const [, off = ""] = /\/OFF \[([^\]]*)\]/.exec(catalog) ?? [];
    const names = [...off.matchAll(/(\d+) 0 R/g)].map(
      ([, num]) => /\((.*)\)/.exec(objects.get(Number(num)) ?? "")?.[1],
    );
    expect(names).toEqual(["shown one", "hidden two"]);
  });

  it("hides the layers of each document when documents hide those of other intents", async () => {
    const document = (intent: string) => [
      ...catalogOf("3 0 R", `/OCProperties<</OCGs[4 0 R]/D<<${intent}/OFF[4 0 R]>>>>`),
      pageOf(3, "/Resources<</Properties<</A 4 0 R>>>>/Contents 6 0 R"),
      { num: 4, body: `<</Type/OCG/Name(layer)${intent}>>` },
      streamOf(6, "/OC/A BDC EMC"),
    ];
    const intentIn = async (...intents: readonly string[]) =>
      /\/OCProperties .*?(\/Intent ?(?:\[.*?\]|\/\w+))/.exec(
        catalogIn(await mergeOf(...intents.map(document))),
      )?.[1];
    expect(await intentIn("/Intent/Design", "")).toBe("/Intent [/Design /View]");
    expect(await intentIn("", "/Intent[/View/Design]")).toBe("/Intent [/View /Design]");
    expect(await intentIn("/Intent/Design", "/Intent[/Design]")).toBe("/Intent /Design");
    expect(await intentIn("", "")).toBeUndefined();
  });

  it("leads to web addresses that are relative to the base of a document", async () => {
    const document = (address: string, base: string) => [
      ...catalogOf("3 0 R", base && `/URI<</Base(${base})>>`),
      pageOf(3, `/Annots[<</Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(${address})>>>>]`),
    ];
    const merged = await mergeOf(
      document("a.html", "https://one.example/docs/"),
      document("../\u00c3\u00a9.html", "https://two.example/docs/"),
      document("https://three.example", "https://two.example/docs/"),
      document("d.html", ""),
    );
    expect(all(merged, /\/URI \((.*?)\)/)).toEqual([
      "https://one.example/docs/a.html",
      "https://two.example/%C3%A9.html",
      "https://three.example",
      "d.html",
    ]);
  });

  it("keeps attachments of whole documents only, renamed when they collide", async () => {
    const bytes = pdfOf([
      ...catalogOf("3 0 R 4 0 R", "/Names<</EmbeddedFiles<</Names[(note.txt)5 0 R]>>>>"),
      pageOf(3),
      pageOf(4),
      { num: 5, body: "<</Type/Filespec/F(note.txt)/EF<</F 6 0 R>>>>" },
      { num: 6, body: "<</Type/EmbeddedFile>>", stream: "an attached note" },
    ]);
    const merged = [...objectTexts(await mergeBytes([{ bytes }, { bytes, pages: "2" }, { bytes }])).values()];
    expect(catalogIn(merged)).toMatch(/\(note\.txt\) \d+ 0 R ?\(note\.txt#2\) \d+ 0 R\]/);
    // The two attachments have the same data.
    expect(all(merged, /\/Filespec\b/)).toHaveLength(2);
    expect(all(merged, /\/EmbeddedFile\b/)).toHaveLength(1);
  });

  it("keeps the first collection, with the new name of its first file, if no document loses attachments", async () => {
    const bytes = pdfOf([
      ...catalogOf("3 0 R 4 0 R", "/Collection 7 0 R/Names<</EmbeddedFiles<</Names[(note.txt)5 0 R]>>>>"),
      pageOf(3),
      pageOf(4),
      { num: 5, body: "<</Type/Filespec/F(note.txt)/EF<</F 6 0 R>>>>" },
      { num: 6, body: "<</Type/EmbeddedFile>>", stream: "an attached note" },
      { num: 7, body: "<</Type/Collection/D(note.txt)/View/T>>" },
    ]);
    const simple = pdfOf([
      ...catalogOf("3 0 R", "/Names<</EmbeddedFiles<</Names[(note.txt)5 0 R]>>>>"),
      pageOf(3),
      { num: 5, body: "<</Type/Filespec/F(other.txt)>>" },
    ]);
    const plain = pdfOf([...catalogOf("3 0 R 4 0 R"), pageOf(3), pageOf(4)]);
    const catalogs = await Promise.all(
      [
        [{ bytes: simple }, { bytes }, { bytes: plain, pages: "1" }],
        [{ bytes }, { bytes, pages: "1" }],
      ].map(async (inputs) => catalogIn([...objectTexts(await mergeBytes(inputs)).values()])),
    );
    expect(catalogs[0]).toMatch(/\/Collection <<\/Type \/Collection ?\/D \(note\.txt#2\) ?\/View \/T>>/);
    expect(catalogs[1]).not.toContain("/Collection");
    expect(catalogs[1]).toContain("/EmbeddedFiles");
  });

  it.each([
    { intents: ["one", "one"], kept: true },
    { intents: ["one", "two"], kept: false },
    { intents: ["one", undefined], kept: false },
  ])("keeps output intents when all documents have the same: $intents", async ({ intents, kept }) => {
    const documents = intents.map((name) => [
      ...catalogOf(
        "3 0 R",
        name
          ? `/OutputIntents[<</S/GTS_PDFA1/OutputConditionIdentifier(${name})/DestOutputProfile 4 0 R>>]`
          : "",
      ),
      pageOf(3),
      streamOf(4, "a profile", "/N 3"),
    ]);
    const catalog = catalogIn(await mergeOf(...documents));
    expect(catalog.includes("/OutputIntents")).toBe(kept);
  });

  it("has the latest version of its documents, from 1.7 on", async () => {
    const catalogOfVersions = async (...versions: readonly string[]) =>
      catalogIn(await mergeOf(...versions.map((entry) => [...catalogOf("3 0 R", entry), pageOf(3)])));
    expect(await catalogOfVersions("/Version/1.4", "/Version/2.0", "")).toContain("/Version /2.0");
    expect(await catalogOfVersions("/Version/1.4", "")).not.toContain("/Version");
  });

  it("says the language of tagged content when documents have others", async () => {
    const document = (language: string) => [
      ...catalogOf("3 0 R", `/Lang(${language})/StructTreeRoot 5 0 R`),
      pageOf(3, "/StructParents 0"),
      { num: 5, body: "<</Type/StructTreeRoot/K 6 0 R/ParentTree<</Nums[0[6 0 R]]>>>>" },
      { num: 6, body: "<</Type/StructElem/S/P/P 5 0 R/Pg 3 0 R/K 0>>" },
    ];
    expect(catalogIn(await mergeOf(document("de"), document("de")))).toMatch(/\/Lang \(de\)/);
    const mixed = await mergeOf(document("de"), document("fr"));
    expect(catalogIn(mixed)).not.toContain("/Lang");
    expect(all(mixed, /\/Lang \((..)\)/)).toEqual(["de", "fr"]);
  });

  it("shows the output as the first document, without scripts, signatures, threads and metadata", async () => {
    const bytes = makeFeaturedPdf();
    const plain = pdfOf([...catalogOf("3 0 R", "/PageLayout/SinglePage"), pageOf(3)]);
    const merged = [...objectTexts(await mergeBytes([{ bytes }, { bytes: plain }])).values()];
    expect(catalogIn(merged)).toMatch(/\/PageLayout \/TwoColumnLeft/);
    expect(catalogIn(merged)).toMatch(/\/ViewerPreferences <<\/DisplayDocTitle true ?\/Direction \/R2L>>/);
    expect(all(merged, /JavaScript|ByteRange|\/Thread|\/Bead|\/Metadata|\(Someone\)/)).toEqual([]);
  });

  it("has the given title in both places, and no other metadata", async () => {
    const bytes = makeFeaturedPdf();
    const merged = await mergeBytes([{ bytes }, { bytes }], { title: "A < B" });
    expect(all([...objectTexts(merged).values()], /^<<\/Title \(A < B\)>>$/)).toHaveLength(1);
    const xmp = '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A &lt; B</rdf:li></rdf:Alt></dc:title>';
    expect(textOf(merged)).toContain(xmp);
    expect(textOf(merged)).not.toContain("Someone");
  });
});
