import { unzlibSync } from "fflate";
import { describe, expect, test } from "vitest";
import { CLEANED } from "../../../../../src/shared/protocol.ts";
import { bufferSource } from "../../../../../workers/io/source.ts";
import { cleanTo } from "../../../../../workers/pdf/clean/clean.ts";
import { inspectPdf } from "../../../../../workers/pdf/inspect.ts";
import { codeOf } from "../../../../support/code-of.ts";
import { cleanBytes, protectBytes } from "../../../../support/engine.ts";
import { fieldOf, formOf } from "../../../../support/fixtures/form-pdf.ts";
import { catalogOf, type PlainObject, pageOf, pdfOf } from "../../../../support/fixtures/pdf-objects.ts";
import { contextOf } from "../../../../support/memory-context.ts";
import { refusal } from "../../../../support/refusal.ts";

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const hiddenIn = async (pdf: Uint8Array) => (await inspectPdf(contextOf(pdf), { hidden: true })).value.hidden;
const plain = pdfOf([...catalogOf("3 0 R"), pageOf(3)]);

describe("earlier revisions", () => {
  const before = latin1(
    pdfOf([
      ...catalogOf("3 0 R"),
      pageOf(3, "/Contents 4 0 R"),
      { num: 4, body: "<<>>", stream: "% before" },
    ]),
  );
  const start = /startxref\n(\d+)/.exec(before)?.[1];
  const update =
    "4 0 obj\n<</Length 7>>\nstream\n% after\nendstream\nendobj\n" +
    `xref\n4 1\n${String(before.length).padStart(10, "0")} 00000 n \ntrailer\n<</Size 5/Root 1 0 R/Prev ${start}>>\n`;
  const file = bytesOf(`${before}${update}startxref\n${before.length + update.indexOf("xref")}\n%%EOF\n`);

  test("are found, and gone afterwards", async () => {
    expect((await hiddenIn(file))?.earlier_revisions).toBe(true);
    const clean = await cleanBytes(file, { keep: CLEANED });
    expect(latin1(clean)).toContain("% after");
    expect(latin1(clean)).not.toContain("% before");
    expect(await hiddenIn(clean)).toMatchObject({ earlier_revisions: false, private: 0 });
  });
});

test("the file identifier is new in both halves, and in the second one if metadata is kept", async () => {
  const file = pdfOf([...catalogOf("3 0 R"), pageOf(3)], "/Root 1 0 R/ID[<aa><bb>]");
  const halvesOf = (pdf: Uint8Array) => /\/ID ?\[<(\w+)> ?<(\w+)>\]/.exec(latin1(pdf))?.slice(1);
  const [first, second] = halvesOf(await cleanBytes(file)) ?? [];
  expect(first).toMatch(/^\w{32}$/);
  expect(second).toMatch(/^\w{32}$/);
  expect(halvesOf(await cleanBytes(file, { keep: ["metadata"] }))).toEqual([
    "aa",
    expect.stringMatching(/^\w{32}$/),
  ]);
});

test("names that the document chooses stay, also if they are keys of what goes", async () => {
  const fonts = ["JavaScript", "AA", "Metadata", "EF", "MAKR_A"];
  const names = fonts.map((name) => `/${name} 9 0 R`).join("");
  const used = fonts.map((name) => `/${name} 9 Tf`).join(" ");
  const file = pdfOf([
    ...catalogOf(
      "3 0 R",
      "/Dests<</JS[3 0 R/Fit]>>/StructTreeRoot<</RoleMap<</AF/P/Thumb/P>>/ClassMap<</LI_Label<</O/List>>>>>>",
    ),
    pageOf(
      3,
      `/Contents 8 0 R/Resources<</Font<<${names}>>/ColorSpace<</AA[/DeviceN[/Thumb]/DeviceGray 9 0 R<</Colorants<</Thumb/DeviceGray>>>>]>>>>`,
    ),
    { num: 8, body: "<<>>", stream: `/AA cs ${used}` },
    { num: 9, body: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>" },
  ]);
  const clean = latin1(await cleanBytes(file));
  for (const name of fonts) expect(clean).toContain(`/${name} 9 0 R`);
  for (const kept of ["/JS [", "/AF /P", "/Thumb /P", "/LI_Label <<", "/Thumb /DeviceGray"])
    expect(clean).toContain(kept);
});

test("a root of tags keeps its entries if it has no parent tree", async () => {
  const file = pdfOf([
    ...catalogOf("3 0 R", "/StructTreeRoot 20 0 R"),
    pageOf(3),
    {
      num: 20,
      body: "<</Type/StructTreeRoot/K 21 0 R/RoleMap<</Own/P>>/IDTree<</Names[(a)21 0 R]>>/Unknown/FINDME>>",
    },
    { num: 21, body: "<</Type/StructElem/S/Own/P 20 0 R/ID(a)>>" },
  ]);
  const clean = latin1(await cleanBytes(file));
  expect(clean).not.toContain("FINDME");
  for (const kept of ["/Own /P", "/IDTree"]) expect(clean).toContain(kept);
});

test("streams keep short names of entries that readers take, and no others", async () => {
  const content = Buffer.from("/Im Do").toString("hex");
  const file = pdfOf([
    ...catalogOf("3 0 R"),
    pageOf(3, "/Contents 4 0 R/Resources<</XObject<</Im 5 0 R>>>>"),
    { num: 4, body: "<</F/AHx/BPC(FINDME)>>", stream: `${content}>` },
    {
      num: 5,
      body: "<</Subtype/Image/W 1/H 1/BPC 8/CS/DeviceGray/Decode[1 0]/D(FINDME)/F(FINDME)>>",
      stream: "a",
    },
  ]);
  const clean = latin1(await cleanBytes(file));
  for (const kept of ["/F /AHx", "/W 1", "/H 1", "/BPC 8", "/CS /DeviceGray"]) expect(clean).toContain(kept);
  expect(clean).not.toContain("FINDME");
});

test.each([
  ["which a hidden layer draws", "/Kids[11 0 R]"],
  ["which it does not list", ""],
])("a field loses its value with its last widget, %s", async (_, kids) => {
  const file = pdfOf([
    ...catalogOf("3 0 R", "/AcroForm<</Fields[10 0 R]>>/OCProperties<</OCGs[12 0 R]/D<</OFF[12 0 R]>>>>"),
    pageOf(3, "/Annots[11 0 R]"),
    { num: 10, body: `<</FT/Tx/T(stays)/V(FINDME)${kids}>>` },
    { num: 11, body: "<</Subtype/Widget/Rect[0 0 9 9]/Parent 10 0 R/OC 12 0 R>>" },
    { num: 12, body: "<</Type/OCG/Name(Hidden)>>" },
  ]);
  const clean = latin1(await cleanBytes(file));
  expect(clean).not.toContain("FINDME");
  expect(clean).toContain("(stays)");
  expect(latin1(await cleanBytes(file, { keep: ["layers"] }))).toContain("FINDME");
});

test("an unknown list goes as a whole, also if some of its items are to be removed", async () => {
  const file = pdfOf([
    ...catalogOf("3 0 R", "/Outlines 12 0 R/AcroForm<</Fields[10 0 R]>>"),
    pageOf(3, "/Annots[10 0 R]"),
    { num: 10, body: "<</Subtype/Widget/FT/Btn/T(a)/Rect[0 0 9 9]>>" },
    { num: 12, body: "<</First 13 0 R/Last 13 0 R>>" },
    { num: 13, body: "<</Title(stays)/Parent 12 0 R/Dest[3 0 R/Fit]/Fields[10 0 R(FINDME)]>>" },
  ]);
  const clean = latin1(await cleanBytes(file, { flatten: true }));
  expect(clean).toContain("(stays)");
  expect(clean).not.toContain("FINDME");
});

test("media that are kept lose their scripts", async () => {
  const file = pdfOf([
    ...catalogOf("3 0 R"),
    pageOf(3, "/Annots[10 0 R 11 0 R 12 0 R]"),
    { num: 10, body: "<</Type/Annot/Subtype/3D/Rect[0 0 9 9]/3DD 13 0 R>>" },
    {
      num: 11,
      body: "<</Type/Annot/Subtype/RichMedia/Rect[0 0 9 9]/RichMediaSettings<</Activation<</Scripts[14 0 R]>>>>>>",
    },
    { num: 12, body: "<</Type/Annot/Subtype/Screen/Rect[0 0 9 9]/A<</S/Rendition/JS 14 0 R/OP 0>>>>" },
    { num: 13, body: "<</Type/3D/Subtype/U3D/OnInstantiate 14 0 R>>", stream: "scene" },
    { num: 14, body: "<<>>", stream: "FINDME" },
  ]);
  const clean = latin1(await cleanBytes(file, { keep: ["attachments"] }));
  expect(clean).not.toContain("FINDME");
  for (const kept of ["scene", "/RichMedia", "/Rendition"]) expect(clean).toContain(kept);
});

test("a membership that is shown by a hidden layer stays shown without it", async () => {
  const file = pdfOf([
    ...catalogOf("3 0 R", "/OCProperties<</OCGs[10 0 R 11 0 R]/D<</OFF[11 0 R]>>>>"),
    pageOf(3, "/Contents 4 0 R/Resources<</Properties<</M 12 0 R>>>>"),
    { num: 4, body: "<<>>", stream: "/OC/M BDC 0 0 9 9 re f EMC" },
    { num: 10, body: "<</Type/OCG/Name(a)>>" },
    { num: 11, body: "<</Type/OCG/Name(b)>>" },
    { num: 12, body: "<</Type/OCMD/OCGs[10 0 R 11 0 R]/P/AnyOff>>" },
  ]);
  const clean = latin1(await cleanBytes(file));
  expect(clean).toContain("/OC/M BDC 0 0 9 9 re f EMC");
  expect(clean).toMatch(/12 0 obj\s<<\/Type \/OCMD>>/);
});

describe("memberships with many layers", () => {
  test("are looked up once for all sections", async () => {
    const file = pdfOf([
      ...catalogOf("3 0 R", "/OCProperties<</OCGs[10 0 R]>>"),
      pageOf(3, "/Contents 4 0 R/Resources<</Properties<</M 12 0 R>>>>"),
      { num: 4, body: "<<>>", stream: "/OC/M BDC EMC ".repeat(2000) },
      { num: 10, body: "<</Type/OCG/Name(a)>>" },
      { num: 11, body: `[${"10 0 R ".repeat(10_000)}]` },
      { num: 12, body: "<</Type/OCMD/OCGs 11 0 R>>" },
    ]);
    expect(latin1(await cleanBytes(file))).toContain("/M 12 0 R");
  });

  test("may be nested in many ways", async () => {
    const file = pdfOf([
      ...catalogOf("3 0 R", "/OCProperties<</OCGs[10 0 R]>>"),
      pageOf(3, "/Resources<</Properties<</M 11 0 R>>>>/Contents 4 0 R"),
      { num: 4, body: "<<>>", stream: "/OC/M BDC EMC" },
      { num: 10, body: "<</Type/OCG/Name(a)>>" },
      { num: 11, body: "<</Type/OCMD/VE 20 0 R>>" },
      ...Array.from({ length: 30 }, (_, at) => ({
        num: at + 20,
        body: `[/Or ${(at < 29 ? `${at + 21} 0 R ` : "10 0 R ").repeat(9)}]`,
      })),
    ]);
    expect(latin1(await cleanBytes(file))).toContain("/VE");
  });
});

/** A page with the layers 10, shown, and 11, hidden, and with the form 12. */
const layered = (content: string, objects: readonly PlainObject[] = [], page = "", catalog = "") =>
  pdfOf([
    ...catalogOf("3 0 R", `/OCProperties<</OCGs[10 0 R 11 0 R]/D<</OFF[11 0 R]>>>>${catalog}`),
    pageOf(
      3,
      `/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/Properties<</S 10 0 R/H 11 0 R/A 13 0 R>>/XObject<</X 12 0 R>>>>${page}`,
    ),
    { num: 4, body: "<<>>", stream: content },
    { num: 5, body: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>" },
    { num: 10, body: "<</Type/OCG/Name(Shown)>>" },
    { num: 11, body: "<</Type/OCG/Name(Hidden)>>" },
    ...objects,
  ]);
const formWith = (num: number, stream: string, entries = ""): PlainObject => ({
  num,
  body: `<</Type/XObject/Subtype/Form/BBox[0 0 99 99]${entries}>>`,
  stream,
});
/** Returns a file with all its streams as they are drawn. */
const drawnIn = (pdf: Uint8Array) =>
  latin1(pdf).replace(/stream\r?\n([\s\S]*?)\r?\nendstream/g, (whole, data: string) => {
    try {
      return latin1(unzlibSync(bytesOf(data)));
    } catch {
      return whole;
    }
  });

describe("layers", () => {
  const hidden = "/OC/H BDC BT(gone)Tj ET EMC ";

  test.each([
    ["with a name that does not resolve", layered(`${hidden}/OC/Nope BDC BT(seen)Tj ET EMC`)],
    ["with a list of its own", layered(`${hidden}/OC<</Type/OCMD>>BDC BT(seen)Tj ET EMC`)],
    [
      "of a form that uses the page's resources",
      layered("/X Do", [formWith(12, `${hidden}/OC/S BDC BT(seen)Tj ET EMC`)]),
    ],
  ])("keep a section %s", async (_, file) => {
    const text = drawnIn(await cleanBytes(file));
    expect(text).toContain("(seen)Tj");
    expect(text).not.toContain("(gone)");
  });

  test.each([
    ["", {}],
    ["", { flatten: true }],
    ["/Resources<</ProcSet[/PDF]>>", {}],
  ])("leave a font that only an appearance uses: %j, %j", async (entries, options) => {
    const page = "/Annots[14 0 R]";
    const widget = { num: 14, body: "<</Subtype/Widget/FT/Btn/T(a)/Rect[0 0 9 9]/AP<</N 15 0 R>>>>" };
    const objects = [widget, formWith(15, "BT/F 9 Tf(seen)Tj ET", entries)];
    const file = layered("", objects, page, "/AcroForm<</Fields[14 0 R]>>");
    expect(drawnIn(await cleanBytes(file, options))).toMatch(/\/Font ?<<\/F 5 0 R/);
  });

  test("leave what tags say of another page with the same identifier", async () => {
    const element = (num: number, page: number, alt: string): PlainObject => ({
      num,
      body: `<</Type/StructElem/S/P/P 20 0 R/Pg ${page} 0 R/K 0/Alt(${alt})>>`,
    });
    const text = latin1(
      await cleanBytes(
        pdfOf([
          ...catalogOf(
            "3 0 R 6 0 R",
            "/OCProperties<</OCGs[11 0 R]/D<</OFF[11 0 R]>>>>/StructTreeRoot 20 0 R",
          ),
          pageOf(3, "/Contents 4 0 R/Resources<</Properties<</H 11 0 R>>>>"),
          pageOf(6, "/Contents 7 0 R"),
          { num: 4, body: "<<>>", stream: "/OC/H BDC/P<</MCID 0>>BDC EMC EMC" },
          { num: 7, body: "<<>>", stream: "/P<</MCID 0>>BDC EMC" },
          { num: 11, body: "<</Type/OCG/Name(Hidden)>>" },
          { num: 20, body: "<</Type/StructTreeRoot/K[21 0 R 22 0 R]>>" },
          element(21, 3, "gone"),
          element(22, 6, "stays"),
        ]),
      ),
    );
    expect([text.includes("(gone)"), text.includes("(stays)")]).toEqual([false, true]);
  });

  test.each([
    ["/Intent/Design", "", "refused"],
    ["", "/Intent[]", "refused"],
    ["/Intent[/View/Design]", "", "removed"],
    ["/Intent/Design", "/Intent/All", "removed"],
  ])("with %j, if the configuration has %j, are %s", async (intent, configuration, expected) => {
    const file = pdfOf([
      ...catalogOf("3 0 R", `/OCProperties<</OCGs[11 0 R]/D<</OFF[11 0 R]${configuration}>>>>`),
      pageOf(3),
      { num: 11, body: `<</Type/OCG/Name(Hidden)${intent}>>` },
    ]);
    const outcome = cleanBytes(file).then(
      () => "removed",
      (error) => error.details.kind === "hidden_text" && "refused",
    );
    expect(await outcome).toBe(expected);
  });

  test("are not removed from a form with a name that does not resolve", async () => {
    const file = layered("/X Do", [formWith(12, "/OC/Nope BDC(a)Tj EMC", "/Resources<<>>")]);
    await expect(cleanBytes(file)).rejects.toThrow(
      refusal("unsupported_conversion", { parameter: "keep", kind: "hidden_text", page: 1 }),
    );
  });
});

describe("a call fails", () => {
  test.each([
    [
      "a dynamic XFA form",
      pdfOf([...catalogOf("3 0 R", "/NeedsRendering true/AcroForm<</Fields[]/XFA 9 0 R>>"), pageOf(3)]),
      refusal("unsupported_conversion", { kind: "dynamic_xfa" }),
    ],
    [
      "a field whose text has no font",
      formOf({ fields: [fieldOf("a", "/FT/Tx/V<feff4e2d>")] }),
      refusal("unsupported_conversion", { parameter: "flatten", kind: "field_text", page: 1 }, "flatten"),
    ],
    [
      "a field of single letters without an appearance",
      formOf({ fields: [fieldOf("a", "/FT/Tx/Ff 16777216/MaxLen 4/V(ab)")] }),
      refusal("unsupported_conversion", { parameter: "flatten", kind: "field_text", page: 1 }),
    ],
  ])("for %s", async (_, file, error) => {
    await expect(cleanBytes(file, { flatten: true })).rejects.toThrow(error);
  });

  test("for a locked file", async () => {
    const locked = await protectBytes(plain, { password: "key" });
    expect(await codeOf(() => cleanBytes(locked))).toBe("password_required");
    expect(await codeOf(() => cleanBytes(locked, { password: "no" }))).toBe("wrong_password");
  });

  test("when the check finds what should be gone", async () => {
    const outputs = [
      [pdfOf([...catalogOf("3 0 R", "/Lang(en)/AA<<>>"), pageOf(3)]), "scripts: catalog/AA"],
      [
        pdfOf([...catalogOf("3 0 R"), pageOf(3), { num: 4, body: "(unused)" }]),
        "an object that nothing uses: 4",
      ],
      [bytesOf(latin1(plain).replace("startxref", "startxxxx")), "a broken structure"],
    ] as const;
    for (const [output, cause] of outputs) {
      const clean = cleanTo(contextOf(plain), {}, () => bufferSource(output));
      await expect(clean).rejects.toThrow(refusal("internal_error", { cause }, "Nothing is returned"));
    }
  });

  test("for an object that is fonts and names of scripts, unless the scripts are gone", async () => {
    const script = "<</Names[(a)<</S/JavaScript/JS(FINDME)>>]>>";
    const file = pdfOf([
      ...catalogOf("3 0 R", "/Names 9 0 R"),
      pageOf(3, "/Resources<</Font 9 0 R>>"),
      { num: 9, body: `<</JavaScript ${script}>>` },
    ]);
    const clean = await cleanBytes(file).then(latin1, (error) => error.code);
    expect(clean).not.toContain("FINDME");
  });
});
