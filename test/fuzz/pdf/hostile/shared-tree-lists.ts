import {
  contentPart,
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
  references,
} from "./shared-parts.ts";

const GROUP = "<</Type/OCG/Name(a)>>";
const ITEM = `<</Title(t)/Parent 10 0 R/Dest[${PAGE}/Fit]>>`;
const FILE = "<</Type/Filespec/F(a)>>";

const repeated = (entries: number, text: string): Part[] => [
  listPart(`${ENTRY} `.repeat(entries)),
  entryPart(text),
];

/** Fields of the form that are widgets of the page, each with the same entries. */
const fields = (owners: number, form: string, field: string, objects: readonly Part[]): Parts => ({
  catalog: `/AcroForm<<${form}>>`,
  page: `/Annots[${references(owners)}]`,
  objects: [
    ...ownerParts(owners, () => `<</Type/Annot/Subtype/Widget/FT/Tx/T(t)/Rect[0 0 1 1]${field}>>`),
    ...objects,
  ],
});

/** Elements of the structure tree, all of which the parent tree has for the page. */
const elements = (owners: number, root: string, element: string, objects: readonly Part[]): Parts => ({
  catalog: "/MarkInfo<</Marked true>>/StructTreeRoot 10 0 R",
  page: "/StructParents 0",
  objects: [
    {
      num: 10,
      text: `<</Type/StructTreeRoot/K[${references(owners)}]/ParentTree<</Nums[0 11 0 R]>>${root}>>`,
    },
    { num: 11, text: `[${references(owners)}]` },
    ...ownerParts(owners, () => `<</Type/StructElem/S/P/P 10 0 R/Pg ${PAGE}${element}>>`),
    ...objects,
  ],
});

const elementsShare =
  (element: string, entry: string): Place =>
  ({ owners, entries }) =>
    elements(owners, "", element, repeated(entries, entry));

/** A root of the structure tree with one element, and more entries. */
const structureRoot = (root: string, objects: readonly Part[], page = ""): Parts => ({
  catalog: "/MarkInfo<</Marked true>>/StructTreeRoot 10 0 R",
  page: `/StructParents 0${page}`,
  objects: [{ num: 10, text: `<</Type/StructTreeRoot/K[${ENTRY}]${root}>>` }, ELEMENT, ...objects],
});
const ELEMENT: Part = entryPart(`<</Type/StructElem/S/P/P 10 0 R/Pg ${PAGE}/K 0/C/n1>>`);

/** A tree of many leaves that share what they list. */
const treeOf = (owners: number, key: "Names" | "Nums"): Part[] => [
  { num: 12, text: `<</Kids[${references(owners)}]>>` },
  ...ownerParts(owners, () => `<</Limits[(a)(z)]/${key} ${LIST}>>`),
];

const nameTree =
  (name: string, value: string): Place =>
  ({ owners, entries }) => ({
    catalog: `/Names<</${name} 12 0 R>>`,
    objects: [
      ...treeOf(owners, "Names"),
      listPart(each(entries, (index) => `(n${index})${ENTRY}`)),
      entryPart(value),
    ],
  });

/** Layers' default configuration, or another entry of the layers' dictionary. */
const layers = (properties: string, objects: readonly Part[]): Parts => ({
  catalog: `/OCProperties<</OCGs[${ENTRY}]${properties}>>`,
  page: `/Resources<</Properties<</a ${ENTRY}>>>>/Contents 7 0 R`,
  objects: [entryPart(GROUP), contentPart("/OC /a BDC EMC"), ...objects],
});

const layersList =
  (properties: string): Place =>
  ({ entries }) =>
    layers(properties, [listPart(`${ENTRY} `.repeat(entries))]);

const configurationsShare =
  (configuration: string): Place =>
  ({ owners, entries }) =>
    layers(`/D<<>>/Configs[${references(owners)}]`, [
      listPart(`${ENTRY} `.repeat(entries)),
      ...ownerParts(owners, () => configuration),
    ]);

/** A list that stands once, in the catalog. */
const catalogList =
  (catalog: string, entry: string): Place =>
  ({ entries }) => ({ catalog, objects: repeated(entries, entry) });

/** Lists of forms, tags, navigation, layers and of the document as a whole. */
export const TREE_PLACES: Readonly<Record<string, Place>> = {
  "form: Fields": catalogList(`/AcroForm<</Fields ${LIST}>>`, "<</FT/Tx/T(t)>>"),
  "form: Fields and CO": ({ owners }) =>
    fields(owners, `/Fields[${references(owners)}]/CO[${references(owners)}]`, "", []),
  "form: fields share Kids": ({ owners, entries }) =>
    fields(owners, `/Fields[${references(owners)}]`, `/Kids ${LIST}`, repeated(entries, "<<>>")),
  "form: fields share Kids that are fields": ({ owners, entries }) =>
    fields(owners, `/Fields[${references(owners)}]`, `/Kids ${LIST}`, [
      listPart(each(entries, (index) => `${OWNER + (index % owners)} 0 R `)),
    ]),
  "form: fields share Opt": ({ owners, entries }) =>
    fields(owners, `/Fields[${references(owners)}]`, `/Opt ${LIST}`, repeated(entries, "(o)")),
  "form: fields share DR": ({ owners, entries }) =>
    fields(
      owners,
      `/Fields[${references(owners)}]/DR<</Font ${LIST}>>`,
      `/DR<</Font ${LIST}>>/DA(/n1 9 Tf)`,
      [dictPart(named(entries)), entryPart("<</Type/Font>>")],
    ),
  "form: CO": catalogList(`/AcroForm<</Fields[${ENTRY}]/CO ${LIST}>>`, "<</FT/Tx/T(t)>>"),
  "form: XFA": catalogList(`/AcroForm<</Fields[]/XFA ${LIST}>>`, "(x)"),
  "tags: elements share K": elementsShare(`/K ${LIST}`, "<</Type/StructElem/S/P/K 0>>"),
  "tags: elements share K of elements": ({ owners, entries }) =>
    elements(owners, "", `/K ${LIST}`, [
      listPart(each(entries, (index) => `${OWNER + (index % owners)} 0 R `)),
    ]),
  "tags: elements share K of marked content": elementsShare(`/K ${LIST}`, "<</Type/MCR/MCID 0>>"),
  "tags: elements share K of numbers": elementsShare(`/K ${LIST}`, "0"),
  "tags: elements share K of objects": elementsShare(`/K ${LIST}`, `<</Type/OBJR/Obj ${PAGE}>>`),
  "tags: elements share Ref": elementsShare(`/K 0/Ref ${LIST}`, "<</Type/StructElem/S/P>>"),
  "tags: elements share A": elementsShare(`/K 0/A ${LIST}`, "<</O/Layout>>"),
  "tags: elements share C": elementsShare(`/K 0/C ${LIST}`, "/n1"),
  "tags: elements share AF": elementsShare(`/K 0/AF ${LIST}`, FILE),
  "tags: elements within elements share K": ({ owners, entries }) =>
    elements(1, "", `/K[${`<</S/P/K ${LIST}>>`.repeat(owners)}]`, repeated(entries, "<</Type/MCR/MCID 0>>")),
  "tags: K of the root": ({ entries }) => ({
    ...structureRoot("", []),
    objects: [
      { num: 10, text: `<</Type/StructTreeRoot/K ${LIST}/ParentTree<</Nums[0[${ENTRY}]]>>>>` },
      listPart(`${ENTRY} `.repeat(entries)),
      ELEMENT,
    ],
  }),
  "tags: ParentTree's values": ({ owners, entries }) =>
    structureRoot(
      `/ParentTree<</Nums[${each(owners, (index) => `${index} ${LIST} `)}]>>`,
      [listPart(`${ENTRY} `.repeat(entries))],
      `/X[${each(owners, (index) => `<</StructParent ${index}>>`)}]`,
    ),
  "tags: ParentTree's leaves": ({ owners, entries }) =>
    structureRoot("/ParentTree 12 0 R", [
      ...treeOf(owners, "Nums"),
      listPart(each(entries, (index) => `${index} ${ENTRY} `)),
    ]),
  "tags: pages share a value of ParentTree": ({ owners, entries }) => ({
    ...structureRoot(`/ParentTree<</Nums[${each(owners, (index) => `${index} ${LIST} `)}]>>`, []),
    kids: references(owners),
    objects: [
      ...structureRoot(`/ParentTree<</Nums[${each(owners, (index) => `${index} ${LIST} `)}]>>`, []).objects,
      listPart(`${ENTRY} `.repeat(entries)),
      ...ownerParts(
        owners,
        (index) => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/StructParents ${index}>>`,
      ),
    ],
  }),
  "tags: IDTree": ({ owners, entries }) =>
    structureRoot(`/ParentTree<</Nums[0[${ENTRY}]]>>/IDTree 12 0 R`, [
      ...treeOf(owners, "Names"),
      listPart(each(entries, (index) => `(n${index})${ENTRY}`)),
    ]),
  "tags: ClassMap": ({ owners, entries }) =>
    elements(owners, `/ClassMap ${LIST}`, "/K 0/C/n1", [
      dictPart(named(entries)),
      entryPart("<</O/Layout>>"),
    ]),
  "tags: ClassMap of lists": ({ owners, entries }) =>
    elements(owners, `/ClassMap<<${named(owners, LIST)}>>`, "/K 0/C/n1", repeated(entries, "<</O/Layout>>")),
  "tags: RoleMap": ({ owners, entries }) =>
    elements(owners, `/RoleMap<<${each(entries, (index) => `/n${index}/n${index + 1}`)}>>`, "/K 0/S/n0", []),
  "tags: Namespaces": ({ owners, entries }) =>
    elements(owners, `/Namespaces ${LIST}`, `/K 0/NS ${ENTRY}`, repeated(entries, "<</Type/Namespace>>")),
  "names: Dests": nameTree("Dests", `[${PAGE}/Fit]`),
  "names: EmbeddedFiles": nameTree("EmbeddedFiles", FILE),
  "names: JavaScript": nameTree("JavaScript", "<</S/JavaScript/JS(a)>>"),
  "names: AP": nameTree("AP", "<<>>"),
  "names: Pages": nameTree("Pages", "<</Type/Page>>"),
  "names: Kids": ({ owners, entries }) => ({
    catalog: "/Names<</Dests 12 0 R>>",
    objects: [
      { num: 12, text: `<</Kids[${references(owners)}]>>` },
      ...ownerParts(owners, () => `<</Limits[(a)(z)]/Kids ${LIST}>>`),
      ...repeated(entries, `<</Names[(a)[${PAGE}/Fit]]>>`),
    ],
  }),
  "names: links look for a name": ({ owners, entries }) => ({
    catalog: `/Names<</Dests<</Names[${each(entries, () => `(b)[${PAGE}/Fit]`)}]>>>>`,
    page: `/Annots[${references(owners)}]`,
    objects: ownerParts(owners, () => "<</Type/Annot/Subtype/Link/Rect[0 0 1 1]/Dest(a)>>"),
  }),
  "destinations: one array": ({ owners, entries }) => ({
    catalog: `/Dests<<${each(owners, (index) => `/n${index}<</D ${LIST}>>`)}>>`,
    objects: [listPart(`${PAGE} `.repeat(entries))],
  }),
  "destinations: links share a name": ({ owners, entries }) => ({
    catalog: `/Dests ${LIST}`,
    page: `/Annots[${references(owners)}]`,
    objects: [
      dictPart(named(entries)),
      entryPart(`[${PAGE}/Fit]`),
      ...ownerParts(owners, () => "<</Type/Annot/Subtype/Link/Rect[0 0 1 1]/Dest/n0>>"),
    ],
  }),
  "outline: items share First": ({ owners, entries }) => ({
    catalog: "/Outlines 10 0 R",
    objects: [
      { num: 10, text: `<</First ${OWNER} 0 R>>` },
      ...ownerParts(
        owners,
        (index) =>
          `<</Title(t)/Dest[${PAGE}/Fit]/First ${OWNER + owners} 0 R/Next ${OWNER + 1 + (index % owners)} 0 R>>`,
      ),
      ...ownerParts(
        entries,
        (index) => `<</Title(t)/Dest[${PAGE}/Fit]/Next ${OWNER + owners + index + 1} 0 R>>`,
        OWNER + owners,
      ),
    ],
  }),
  "outline: items share a destination": ({ owners, entries }) => ({
    catalog: "/Outlines 10 0 R",
    objects: [
      { num: 10, text: `<</First ${OWNER} 0 R>>` },
      ...ownerParts(owners, (index) => `<</Title(t)/Dest ${LIST}/Next ${OWNER + 1 + index} 0 R>>`),
      listPart(`${PAGE} `.repeat(entries)),
    ],
  }),
  "outline: First": catalogList(`/Outlines<</First ${LIST}>>`, ITEM),
  "page labels: Nums": ({ entries }) => ({
    catalog: `/PageLabels<</Nums ${LIST}>>`,
    objects: [listPart(each(entries, (index) => `${index} ${ENTRY} `)), entryPart("<</S/D>>")],
  }),
  "page labels: leaves": ({ owners, entries }) => ({
    catalog: "/PageLabels 12 0 R",
    objects: [
      ...treeOf(owners, "Nums"),
      listPart(each(entries, (index) => `${index} ${ENTRY} `)),
      entryPart("<</S/D>>"),
    ],
  }),
  "layers: OCGs": ({ entries }) => ({
    ...layers("", []),
    catalog: `/OCProperties<</OCGs ${LIST}/D<</ON ${LIST}/OFF ${LIST}/Order ${LIST}/Locked ${LIST}>>>>`,
    objects: [...layers("", []).objects, listPart(`${ENTRY} `.repeat(entries))],
  }),
  "layers: Order": ({ owners, entries }) =>
    layers(`/D<</Order[${`${LIST} `.repeat(owners)}]>>`, [listPart(`${ENTRY} `.repeat(entries))]),
  "layers: RBGroups": ({ owners, entries }) =>
    layers(`/D<</RBGroups[${`${LIST} `.repeat(owners)}]>>`, [listPart(`${ENTRY} `.repeat(entries))]),
  "layers: AS": ({ owners, entries }) =>
    layers(`/D<</AS[${`<</Event/View/Category[/View]/OCGs ${LIST}>>`.repeat(owners)}]>>`, [
      listPart(`${ENTRY} `.repeat(entries)),
    ]),
  "layers: Locked": layersList(`/D<</Locked ${LIST}>>`),
  "layers: configurations share ON": configurationsShare(`<</BaseState/OFF/ON ${LIST}>>`),
  "layers: configurations share OFF": configurationsShare(`<</OFF ${LIST}>>`),
  "layers: configurations share Order": configurationsShare(`<</Order ${LIST}>>`),
  "layers: configurations share RBGroups": configurationsShare(`<</RBGroups[${LIST}]>>`),
  "layers: configurations share AS": configurationsShare(`<</AS[<</OCGs ${LIST}>>]>>`),
  "catalog: OutputIntents": catalogList(`/OutputIntents ${LIST}`, "<</Type/OutputIntent/S/GTS_PDFA1>>"),
  "catalog: AF": catalogList(`/AF ${LIST}`, FILE),
  "catalog: Threads": catalogList(`/Threads ${LIST}`, "<</Type/Thread>>"),
  "catalog: DPartRoot": catalogList(`/DPartRoot<</DPartRootNode<</DParts[${LIST}]>>>>`, "<</Type/DPart>>"),
  "catalog: Requirements": catalogList(`/Requirements ${LIST}`, "<</S/EnableJavaScripts>>"),
  "catalog: Extensions": ({ entries }) => ({
    catalog: `/Extensions ${LIST}`,
    objects: [dictPart(named(entries)), entryPart("<<>>")],
  }),
  "catalog: OpenAction": catalogList(`/OpenAction<</S/Named/Next ${LIST}>>`, "<</S/Named>>"),
  "catalog: files share related files": ({ owners, entries }) => ({
    catalog: `/AF[${references(owners)}]`,
    objects: [
      ...ownerParts(owners, () => `<</Type/Filespec/F(a)/RF<</F ${LIST}>>>>`),
      ...repeated(entries, FILE),
    ],
  }),
  "catalog: lists within lists": ({ owners, entries }) => ({
    page: `/X[${references(owners)}]`,
    objects: [...ownerParts(owners, () => `[${LIST}]`), ...repeated(entries, "<<>>")],
  }),
};
