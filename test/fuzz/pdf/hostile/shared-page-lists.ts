import {
  CONTENT,
  contentPart,
  deflate,
  dictPart,
  ENTRY,
  each,
  entryPart,
  LIST,
  listPart,
  named,
  OWNER,
  ownerParts,
  PAGE,
  type Part,
  type Parts,
  type Place,
  pageParts,
  references,
} from "./shared-parts.ts";

const LINK = `<</Type/Annot/Subtype/Link/Rect[0 0 1 1]/Dest[${PAGE}/Fit]>>`;
const FORM: Part = { num: 6, text: "<</Type/XObject/Subtype/Form/BBox[0 0 1 1]>>", data: Buffer.from("q Q") };
const FONT = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";

/** Many pages, each with the same entries. */
const pages = (owners: number, entries: string, objects: readonly Part[]): Parts => ({
  kids: references(owners),
  objects: [{ num: 3, text: "<<>>" }, ...pageParts(owners, () => entries), ...objects],
});

/** Pages that share an array of one object, again and again. */
const pagesShare =
  (key: string, entry: Part): Place =>
  ({ owners, entries }) =>
    pages(owners, `/${key} ${LIST}`, [listPart(`${ENTRY} `.repeat(entries)), entry]);

/** Pages that share an array of different objects. */
const pagesShareMany =
  (key: string, entry: string): Place =>
  ({ owners, entries }) =>
    pages(owners, `/${key} ${LIST}`, [
      listPart(references(entries, OWNER + owners)),
      ...ownerParts(entries, () => entry, OWNER + owners),
    ]);

/** Pages that share one kind of resources, all of which their content names. */
const pagesShareResources =
  (kind: string, entry: Part, operator: string): Place =>
  ({ owners, entries }) =>
    pages(owners, `/Resources<</${kind} ${LIST}>>/Contents ${CONTENT}`, [
      dictPart(named(entries)),
      entry,
      contentPart(each(entries, (index) => `/n${index} ${operator} `)),
    ]);

/** One page with many annotations, each with the same entries. */
const annotations = (owners: number, entries: string, objects: readonly Part[]): Parts => ({
  page: `/Annots[${references(owners)}]`,
  objects: [
    ...ownerParts(owners, () => `<</Type/Annot/Subtype/Widget/Rect[0 0 1 1]/P ${PAGE}${entries}>>`),
    ...objects,
  ],
});

const annotationsShare =
  (entries: string, entry = "<<>>"): Place =>
  ({ owners, entries: count }) =>
    annotations(owners, entries, [listPart(`${ENTRY} `.repeat(count)), entryPart(entry)]);

const annotationsShareStates =
  (entries: string, entry: Part): Place =>
  ({ owners, entries: count }) =>
    annotations(owners, entries, [dictPart(named(count)), entry]);

/** One page with many resources of a kind, each the same text. */
const resources = (kind: string, owners: number, text: string, objects: readonly Part[]): Parts => ({
  page: `/Resources<</${kind}<<${each(owners, (index) => `/n${index} ${OWNER + index} 0 R`)}>>>>/Contents ${CONTENT}`,
  objects: [
    ...ownerParts(owners, () => text),
    contentPart(each(owners, (index) => `/n${index} x `)),
    ...objects,
  ],
});

const resourcesShare =
  (kind: string, text: string, entry = "<<>>"): Place =>
  ({ owners, entries }) =>
    resources(kind, owners, text, [listPart(`${ENTRY} `.repeat(entries)), entryPart(entry)]);

const resourcesShareDict =
  (kind: string, text: string, entry: Part): Place =>
  ({ owners, entries }) =>
    resources(kind, owners, text, [dictPart(named(entries)), entry]);

/** Many forms that one page draws. */
const forms = (owners: number, entries: string, objects: readonly Part[]): Parts => ({
  page: `/Resources<</XObject<<${each(owners, (index) => `/x${index} ${OWNER + index} 0 R`)}>>>>/Contents 9 0 R`,
  objects: [
    {
      num: 9,
      text: "<</Filter/FlateDecode>>",
      data: deflate(each(owners, (index) => `/x${index} Do `)),
    },
    ...ownerParts(
      owners,
      () => `<</Type/XObject/Subtype/Form/BBox[0 0 1 1]/Filter/FlateDecode${entries}>>`,
    ).map((part) => ({ ...part, data: FORM_CONTENT })),
    ...objects,
  ],
});
const FORM_CONTENT = deflate("/n1 Do");

/** Lists of pages, annotations, resources and streams. */
export const PAGE_PLACES: Readonly<Record<string, Place>> = {
  "pages: one page, listed again and again": ({ owners }) => ({
    kids: `${PAGE} `.repeat(owners),
    page: `/Contents ${CONTENT}`,
    objects: [contentPart("q Q")],
  }),
  "pages: nodes share Kids": ({ owners, entries }) => ({
    kids: references(owners),
    objects: [
      ...ownerParts(owners, () => `<</Type/Pages/Parent 2 0 R/Count ${entries}/Kids ${LIST}>>`),
      listPart(`${PAGE} `.repeat(entries)),
    ],
  }),
  "pages: nodes share Kids of many pages": ({ owners, entries }) => ({
    kids: references(owners),
    objects: [
      ...ownerParts(owners, () => `<</Type/Pages/Parent 2 0 R/Count ${entries}/Kids ${LIST}>>`),
      listPart(references(entries, OWNER + owners)),
      ...ownerParts(entries, () => `<</Type/Page/Parent ${OWNER} 0 R/MediaBox[0 0 9 9]>>`, OWNER + owners),
    ],
  }),
  "pages: Annots": pagesShare("Annots", entryPart(LINK)),
  "pages: Annots of many": pagesShareMany("Annots", LINK),
  "pages: Contents": pagesShare("Contents", { ...contentPart("q Q"), num: 6 }),
  "pages: Contents, all null": pagesShare("Contents", entryPart("null")),
  "pages: B": pagesShare("B", entryPart("<<>>")),
  "pages: AF": pagesShare("AF", entryPart("<</Type/Filespec/F(a)>>")),
  "pages: unknown key": pagesShareMany("X", "<<>>"),
  "pages: MediaBox": pagesShare("MediaBox", entryPart("1")),
  "pages: PieceInfo": ({ owners, entries }) =>
    pages(owners, `/PieceInfo ${LIST}`, [dictPart(named(entries)), entryPart("<<>>")]),
  "pages: Resources": ({ owners, entries }) =>
    pages(owners, `/Resources ${LIST}/Contents ${CONTENT}`, [
      dictPart(`/XObject<<${named(entries)}>>`),
      FORM,
      contentPart(each(entries, (index) => `/n${index} Do `)),
    ]),
  "pages: XObject": pagesShareResources("XObject", FORM, "Do"),
  "pages: Font": pagesShareResources("Font", entryPart(FONT), "1 Tf"),
  "pages: ExtGState": pagesShareResources("ExtGState", entryPart("<<>>"), "gs"),
  "pages: ColorSpace": pagesShareResources("ColorSpace", entryPart("[/Lab<<>>]"), "cs"),
  "pages: Pattern": pagesShareResources("Pattern", entryPart("<</PatternType 2>>"), "scn"),
  "pages: Shading": pagesShareResources("Shading", entryPart("<</ShadingType 2>>"), "sh"),
  "pages: Properties": pagesShareResources("Properties", entryPart("<</Type/OCG/Name(a)>>"), "BDC"),
  "pages: a content that names nothing there": ({ owners, entries }) =>
    pages(owners, `/Resources<</XObject ${LIST}>>/Contents ${CONTENT}`, [
      dictPart(named(entries)),
      FORM,
      contentPart("/a Do ".repeat(entries)),
    ]),
  "annotations: AP": annotationsShareStates(`/AP<</N ${LIST}>>`, FORM),
  "annotations: AP of null": annotationsShareStates(`/AP ${LIST}`, entryPart("null")),
  "annotations: fonts of an appearance": ({ owners, entries }) =>
    annotations(owners, `/FT/Tx/T(t)/DA(/n0 9 Tf)/AP<</N ${ENTRY}>>/DR<</Font ${LIST}>>`, [
      dictPart(named(entries, "9 0 R")),
      { ...FORM, text: FORM.text.replace(">>", `/Resources<</Font ${LIST}>>>>`) },
      { num: 9, text: FONT },
    ]),
  "annotations: QuadPoints": annotationsShare(`/QuadPoints ${LIST}`, "1"),
  "annotations: Dest": annotationsShare(`/Dest ${LIST}`, "1"),
  "annotations: A": annotationsShare(`/A<</S/GoTo/D[${PAGE}/Fit]/Next ${LIST}>>`, "<</S/Named/N/NextPage>>"),
  "annotations: AF": annotationsShare(`/AF ${LIST}`, "<</Type/Filespec/F(a)>>"),
  "annotations: Kids": annotationsShare(`/FT/Tx/T(t)/Kids ${LIST}`),
  "annotations: Opt": annotationsShare(`/FT/Ch/T(t)/Opt ${LIST}`, "(o)"),
  "annotations: OC": annotationsShare(`/OC<</Type/OCMD/OCGs ${LIST}>>`, "<</Type/OCG/Name(a)>>"),
  "annotations: fields with signatures": annotationsShare(
    `/FT/Sig/T(t)/V<</Type/Sig/Reference ${LIST}>>`,
    "<</Type/SigRef>>",
  ),
  "fonts: CharProcs": resourcesShareDict("Font", `<</Type/Font/Subtype/Type3/CharProcs ${LIST}>>`, FORM),
  "fonts: Type 3 Resources": resourcesShareDict(
    "Font",
    `<</Type/Font/Subtype/Type3/CharProcs<</a ${ENTRY}>>/Resources<</XObject ${LIST}>>>>`,
    FORM,
  ),
  "fonts: CharProcs of fonts with Resources": resourcesShareDict(
    "Font",
    `<</Type/Font/Subtype/Type3/CharProcs ${LIST}/Resources<</XObject<</a ${ENTRY}>>>>>>`,
    FORM,
  ),
  "fonts: unknown entries of Resources": resourcesShareDict(
    "Font",
    `<</Type/Font/Subtype/Type3/CharProcs<</a ${ENTRY}>>/Resources ${LIST}>>`,
    FORM,
  ),
  "fonts: Differences": resourcesShare(
    "Font",
    `<</Type/Font/Subtype/Type3/CharProcs<</a ${ENTRY}>>/Encoding<</Differences ${LIST}>>>>`,
    "/a",
  ),
  "fonts: DescendantFonts": resourcesShare("Font", `<</Type/Font/DescendantFonts ${LIST}>>`, FONT),
  "fonts: W": resourcesShare("Font", `<</Type/Font/Subtype/CIDFontType2/W ${LIST}>>`, "1"),
  "color spaces: DeviceN": resourcesShare("ColorSpace", `[/DeviceN ${LIST}/DeviceRGB ${ENTRY}]`, "/a"),
  "color spaces: Separation": resourcesShare("ColorSpace", `[/Separation ${LIST}/DeviceRGB ${ENTRY}]`, "/a"),
  "functions: Functions": resourcesShare(
    "Shading",
    `<</ShadingType 2/Function<</FunctionType 3/Functions ${LIST}>>>>`,
    "<</FunctionType 2>>",
  ),
  "layers: OCGs of membership": resourcesShare("Properties", `<</Type/OCMD/OCGs ${LIST}>>`, "<</Type/OCG>>"),
  "layers: VE of membership": resourcesShare("Properties", `<</Type/OCMD/VE ${LIST}>>`, "<</Type/OCG>>"),
  "forms: Resources": ({ owners, entries }) =>
    forms(owners, `/Resources<</XObject ${LIST}>>`, [dictPart(named(entries)), FORM]),
  "forms: Resources in full": ({ owners, entries }) =>
    forms(owners, `/Resources ${LIST}`, [dictPart(`/XObject<<${named(entries)}>>`), FORM]),
  "forms: Resources of many forms": ({ owners, entries }) =>
    forms(owners, `/Resources ${LIST}`, [
      dictPart(`/XObject<<${each(entries, (index) => `/n${index} ${OWNER + (index % owners)} 0 R`)}>>`),
    ]),
  "streams: Filter": ({ owners, entries }) => ({
    ...forms(owners, "", []),
    objects: forms(owners, "", [listPart("/ASCIIHexDecode ".repeat(entries))]).objects.map((part) =>
      part.num >= OWNER ? { ...part, text: part.text.replace("/FlateDecode", ` ${LIST}`) } : part,
    ),
  }),
  "streams: DecodeParms": ({ owners, entries }) =>
    forms(owners, `/DecodeParms ${LIST}`, [listPart(`${ENTRY} `.repeat(entries)), entryPart("<<>>")]),
  "streams: filters of one stream": ({ entries }) => ({
    page: `/Contents ${CONTENT}/Resources<</XObject<</a ${CONTENT}>>>>`,
    objects: [{ num: 7, text: `<</Filter[${"/ASCIIHexDecode ".repeat(entries)}]>>`, data: Buffer.from(">") }],
  }),
};
