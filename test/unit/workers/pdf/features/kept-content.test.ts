import { describe, expect, it } from "vitest";
import { catalogOf, imageOf, pageOf, pdfOf, streamOf } from "../../../../support/fixtures/pdf-objects.ts";
import { splitTexts } from "../../../../support/made-texts.ts";

it("writes metadata without a filter", async () => {
  const stream =
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:d="http://purl.org/dc/elements/1.1/">' +
    "<rdf:Description><d:title>y</d:title></rdf:Description></rdf:RDF>";
  const [text] = await splitTexts(
    pdfOf([
      ...catalogOf("3 0 R", "/Metadata 5 0 R"),
      pageOf(3),
      streamOf(5, stream, "/Type/Metadata/Subtype/XML"),
    ]),
  );
  const dict = /<<([^>]*)>>\s*stream\s*<\?xpacket/.exec(text ?? "")?.[1];
  expect(dict).toContain("/XML");
  expect(dict).not.toContain("Filter");
  expect(text).toContain("<dc:title>y</dc:title>");
});

describe("split keeps what a page draws", () => {
  /** A form that draws the image `I`. */
  const form = (entries = "") => ({
    num: 8,
    body: `<</Type/XObject/Subtype/Form/BBox[0 0 9 9]${entries}>>`,
    stream: "/I Do",
  });

  /** A Type 3 font whose glyph `a` draws. */
  const type3 = (entries: string, content: string) => [
    {
      num: 8,
      body: `<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[1]/Encoding<</Differences[97/a]>>/CharProcs<</a 11 0 R>>${entries}>>`,
    },
    { num: 11, body: "<<>>", stream: `1 0 d0 ${content}` },
  ];

  it.each([
    [
      "behind an inline image and text that is not ASCII",
      "BI /W 1 /H 1 /BPC 8 /CS /G ID x\nEI Q (\x81\x82) Tj /I Do",
      [],
    ],
    ["by a form that lacks the name", "/F Do", [form("/Resources<<>>")]],
    ["by a form with no resources at all", "/F Do", [form()]],
    ["by a soft mask with no resources", "/G gs", [form()]],
    ["by an operator that is not known", "/I XX", []],
    ["behind a bracket too many", "(a)) Tj /I Do", []],
    ["by a form whose resources lead nowhere", "/F Do", [form("/Resources 99 0 R")]],
    [
      "by a Type 3 font whose resources lead nowhere",
      "BT /T 9 Tf (a) Tj ET",
      type3("/Resources 99 0 R", "/I Do"),
    ],
    [
      "by a Type 3 font that lacks the name",
      "BT /T 9 Tf (a) Tj ET",
      type3("/Resources<</ProcSet[/PDF]>>", "/I Do"),
    ],
    ["by a Type 3 font that a graphics state selects", "/S gs BT (a) Tj ET", type3("", "/I Do")],
    [
      "by a form that a Type 3 font draws",
      "BT /T 9 Tf (a) Tj ET",
      [...type3("/Resources<</XObject<</J 12 0 R>>>>", "/J Do"), { ...form(), num: 12 }],
    ],
  ])("%s", async (_, content, more) => {
    const [text] = await splitTexts(
      pdfOf([
        ...catalogOf("3 0 R"),
        pageOf(3, "/Resources 5 0 R/Contents 6 0 R"),
        {
          num: 5,
          body:
            "<</XObject<</I 9 0 R/F 8 0 R/J 10 0 R>>/Font<</T 8 0 R>>/ExtGState<</G<</SMask<</G 8 0 R>>>>/S<</Font[8 0 R 9]>>>>" +
            "/ColorSpace<</DefaultRGB/NAMELESS>>>>",
        },
        { num: 6, body: "<<>>", stream: content },
        imageOf(9, "NEEDED"),
        imageOf(10, "OTHERS"),
        ...more,
      ]),
    );
    expect(text).toContain("NEEDED");
    // Color spaces that stand in for others need not be named.
    expect(text).toContain("/DefaultRGB /NAMELESS");
    expect(text).not.toContain("OTHERS");
  });

  it.each([
    ["on the page", "", "/MediaBox 99 0 R/Resources 98 0 R/Rotate null"],
    ["on a node in between", "/MediaBox 99 0 R/Resources 98 0 R/Rotate 97 0 R", ""],
  ])("or said of it from above, where an entry leads nowhere: %s", async (_, node, page) => {
    const [text] = await splitTexts(
      pdfOf([
        { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
        {
          num: 2,
          body: "<</Type/Pages/Count 1/Kids[7 0 R]/MediaBox[0 0 50 60]/Rotate 90/Resources<</XObject<</I 9 0 R>>>>>>",
        },
        { num: 7, body: `<</Type/Pages/Parent 2 0 R/Count 1/Kids[3 0 R]${node}>>` },
        { num: 3, body: `<</Type/Page/Parent 7 0 R/Contents 6 0 R${page}>>` },
        { num: 6, body: "<<>>", stream: "/I Do" },
        imageOf(9, "NEEDED"),
      ]),
    );
    for (const part of ["[0 0 50 60]", "/Rotate 90", "NEEDED"]) expect(text).toContain(part);
  });

  it.each([
    ["resources lead nowhere", "12 0 R", "99 0 R", "/I Do"],
    ["resources lead nowhere", "<</On 12 0 R/Off null>>", "99 0 R", "/I Do"],
    ["resources lack the name", "12 0 R", "<</ProcSet[/PDF]>>", "/I Do"],
    ["forms lack the name", "12 0 R", "<</XObject<</F 8 0 R>>>>", "/F Do"],
  ])("by an appearance whose %s: %s %s", async (_, appearance, resources, content) => {
    const [text] = await splitTexts(
      pdfOf([
        ...catalogOf("3 0 R"),
        pageOf(
          3,
          `/Resources<</XObject<</I 9 0 R/F 10 0 R>>>>/Annots[<</Subtype/Stamp/Rect[0 0 9 9]/AP<</N ${appearance}>>>>]`,
        ),
        { num: 12, body: `<</Subtype/Form/BBox[0 0 9 9]/Resources ${resources}>>`, stream: content },
        form(),
        imageOf(9, "NEEDED"),
        imageOf(10, "OTHERS"),
      ]),
    );
    expect(text).toContain("NEEDED");
    expect(text).not.toContain("OTHERS");
  });
});

it("keeps catalog entries about the whole document", async () => {
  const said =
    "/Version/1.7/Lang(de)/URI<</Base(https://example.org/)>>/PageLayout/TwoColumnLeft/PageMode/UseThumbs" +
    "/OutputIntents[<</S/GTS_PDFX/OutputConditionIdentifier(FOGRA39)>>]";
  const split = async (entries: string) =>
    (await splitTexts(pdfOf([...catalogOf("3 0 R 4 0 R", entries), pageOf(3), pageOf(4)])))[0];
  const text = await split(`${said}/ViewerPreferences<</HideToolbar true/PrintPageRange[1 2]>>`);
  for (const part of [
    ...["/Version /1.7", "/Lang (de)", "/Base (https://example.org/)", "/PageLayout /TwoColumnLeft"],
    ...["/PageMode /UseThumbs", "(FOGRA39)", "/HideToolbar true"],
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain("PrintPageRange");
  for (const panel of ["UseAttachments", "UseOutlines"]) {
    expect(await split(`/PageMode/${panel}`)).not.toContain("PageMode");
  }
});
