import { FEATURES } from "../split/cases.ts";
import type { DescribedDocument, Dict, Value } from "../split/described-document.ts";
import { digestOf, isDict } from "../split/described-document.ts";
import { type PagesOf, writtenOut } from "../split/feature.ts";

const FIELD_DEPTH = 32;
const ELEMENT_DEPTH = 256;
/** The numbers that programs add to names that two documents have: `name#2`, `name_2`, and `name+1` by qpdf. */
const NUMBERED = /[#+_]\d+(?=[\s.,/\]]|$)/g;
/** A named destination of the `Dests` dictionary. A merge writes it into the name tree. */
const OLD_DESTINATION = /^\/(?=.* → )/;
/** A role that says nothing. */
const ROLE_OF_ITS_OWN = /^(\/\S+) is \1$/;
const FONT_IN_APPEARANCE = /\/([^\s()<>[\]{}/%]+)\s+\S+\s+Tf/;

export const NEED_FOR_APPEARANCES = "need for appearances";

type Facts = readonly string[];

/** Something that documents have, and that a merge keeps or drops. */
export interface MergeFeature {
  readonly name: string;
  readonly fate: "kept" | "dropped";
  /** Whether what leads out of a document's pages counts as dangling in the output. */
  readonly isStrict: boolean;
  /** Whether splitting the output again gives it back. */
  readonly returns: boolean;
  /** What can be said of it for the pages of one document. */
  facts(pages: PagesOf): Facts;
  /** What is to be said of each document's pages in the output. Default: what is said in the document. */
  combined?(facts: readonly Facts[], parts: readonly PagesOf[]): readonly Facts[];
}

/** A feature of pages, whose facts are those of a split. Names without the numbers that a merge adds. */
function ofPages(name: string, isStrict: boolean, combined?: MergeFeature["combined"]): MergeFeature {
  const facts = (pages: PagesOf) =>
    splitFeature(name)
      .facts(pages)
      .map((fact) => fact.replace(NUMBERED, ""))
      .map((fact) => (name === "named destinations" ? fact.replace(OLD_DESTINATION, "u:") : fact))
      .filter((fact) => !ROLE_OF_ITS_OWN.test(fact));
  const sorted = (pages: PagesOf) => [...facts(pages)].sort();
  const isSorted = name === "form fields" || name === "named destinations" || name === "role map";
  return {
    name,
    fate: "kept",
    isStrict,
    returns: true,
    facts: isSorted ? sorted : facts,
    ...(combined && { combined }),
  };
}

/** A feature of the document as a whole. */
function ofDocument(name: string, combined: MergeFeature["combined"]): MergeFeature {
  const { fate, facts } = splitFeature(name);
  return { name, fate, isStrict: true, returns: false, facts, ...(combined && { combined }) };
}

function splitFeature(name: string) {
  const feature = FEATURES.find((known) => known.name === name);
  if (!feature) throw new Error(`no feature ${name}`);
  return feature;
}

const firstOnly = (facts: readonly Facts[]): readonly Facts[] => facts.map(() => facts[0] ?? []);

function onlyWhenEqual(facts: readonly Facts[]): readonly Facts[] {
  const [first, ...others] = facts.map((own) => own.join("\n"));
  return others.every((other) => other === first) ? facts : facts.map(() => []);
}

/** When one document has labels, the pages of the others are numbered. */
function labelsOrNumbers(facts: readonly Facts[], parts: readonly PagesOf[]): readonly Facts[] {
  if (facts.every((own) => own.length === 0)) return facts;
  return facts.map((own, index) => {
    if (own.length > 0) return own;
    return (parts[index]?.pages ?? []).map((_, position) => `u: /D ${position + 1}`);
  });
}

/** Every document shows what any of them has. */
function together(facts: readonly Facts[]): readonly Facts[] {
  const all = facts.flat().sort();
  return facts.map(() => all);
}

/** A widget, and the fields above it up to the form. */
function lineageOf(document: DescribedDocument, widget: Value): readonly Dict[] {
  const lineage: Dict[] = [];
  for (let node = document.dict(widget); Object.keys(node).length > 0 && lineage.length < FIELD_DEPTH; ) {
    lineage.push(node);
    node = document.dict(node["/Parent"]);
  }
  return [...lineage, document.dict(document.catalog["/AcroForm"])];
}

function widgetsOn({ document, pages }: PagesOf): readonly (readonly [position: number, widget: Value])[] {
  return pages.flatMap((page, position) =>
    document
      .list(document.dict(page)["/Annots"])
      .filter((annotation) => document.dict(annotation)["/Subtype"] === "/Widget")
      .map((widget) => [position, widget] as const),
  );
}

/** How readers set the text of each field: its appearance with the font that its name stands for, and its side. */
const fieldDefaults: MergeFeature = {
  name: "form defaults",
  fate: "kept",
  isStrict: false,
  returns: true,
  facts(pages) {
    const { document } = pages;
    if (document.catalog["/AcroForm"] === undefined) return [];
    return widgetsOn(pages).flatMap(([position, widget]) => {
      const lineage = lineageOf(document, widget);
      const inherited = (key: string) =>
        document.resolve(lineage.find((node) => node[key] !== undefined)?.[key]);
      const appearance = inherited("/DA");
      const type = inherited("/FT");
      if (appearance === null || (type !== "/Tx" && type !== "/Ch")) return [];
      const text = String(appearance);
      const font = FONT_IN_APPEARANCE.exec(text)?.[1];
      const fonts = lineage.map((node) => document.dict(document.dict(node["/DR"])["/Font"])[`/${font}`]);
      const base = document.dict(fonts.find((found) => found !== undefined))["/BaseFont"];
      const set = text.replace(FONT_IN_APPEARANCE, (whole) => whole.replace(`/${font}`, ""));
      const place = writtenOut(pages, document.dict(widget)["/Rect"]);
      return [`page ${position} ${place} ${set} ${base} ${inherited("/Q") ?? 0}`];
    });
  },
};

/** Whether readers are to draw the fields anew. It holds for all fields of a file, so all documents must ask for it. */
const needAppearances: MergeFeature = {
  name: NEED_FOR_APPEARANCES,
  fate: "kept",
  isStrict: true,
  returns: false,
  facts(pages) {
    const { document } = pages;
    const isAsked = document.dict(document.catalog["/AcroForm"])["/NeedAppearances"] === true;
    return isAsked && (pages.isWhole || widgetsOn(pages).length > 0) ? ["needed"] : [];
  },
  combined: (facts, parts) => {
    const isNeeded = parts.every((part, index) => facts[index]?.length !== 0 || widgetsOn(part).length === 0);
    return facts.map(() => (isNeeded ? ["needed"] : []));
  },
};

/** The language of the content of each page, as its elements or the document say. */
const contentLanguage: MergeFeature = {
  name: "language of tagged content",
  fate: "kept",
  isStrict: false,
  returns: true,
  facts(pages) {
    const { document } = pages;
    const root = document.dict(document.catalog["/StructTreeRoot"]);
    const parents = new Map(document.pairs(root["/ParentTree"], "/Nums").map(([key, value]) => [key, value]));
    const languageOf = (element: Value): Value => {
      let node = document.dict(element);
      for (let depth = 0; depth < ELEMENT_DEPTH; depth++) {
        if (node["/Lang"] !== undefined) return document.resolve(node["/Lang"]);
        if (node["/P"] === undefined) break;
        node = document.dict(node["/P"]);
      }
      return document.resolve(document.catalog["/Lang"]);
    };
    return pages.pages.flatMap((page, position) => {
      const key = document.resolve(document.dict(page)["/StructParents"]);
      const elements = document.list(parents.get(key)).filter((element) => element !== null);
      const languages = new Set(elements.map((element) => String(languageOf(element))));
      return [...languages].sort().map((language) => `page ${position} ${language}`);
    });
  },
};

/** The files that are attached to a document as a whole, with their content. */
const attachments: MergeFeature = {
  name: "attachments",
  fate: "kept",
  isStrict: true,
  returns: false,
  facts(pages) {
    const { document } = pages;
    if (!pages.isWhole && pages.pages.length < document.pages.length) return [];
    const tree = document.dict(document.catalog["/Names"])["/EmbeddedFiles"];
    const named = document.pairs(tree, "/Names").map(([, file]) => file);
    const facts = named.map((file) => {
      const spec = document.dict(file);
      const data = Object.values(document.dict(spec["/EF"])).map(
        (stream) => document.stream(stream)?.data ?? "",
      );
      return `${spec["/UF"] ?? spec["/F"]} ${writtenOut(pages, spec["/Desc"])} ${[...new Set(data.map(digestOf))]}`;
    });
    const associated = document
      .list(document.catalog["/AF"])
      .filter((file) => isDict(document.resolve(file)));
    return [...facts, ...associated.map(() => "associated file")].sort();
  },
  combined: together,
};

/** All that is looked at, in the order of the table. */
export const MERGE_FEATURES: readonly MergeFeature[] = [
  ofPages("tags", false),
  ofPages("role map", false),
  contentLanguage,
  ofPages("form fields", true),
  fieldDefaults,
  needAppearances,
  ofPages("calculation order", false),
  ofPages("page labels", true, labelsOrNumbers),
  ofPages("outlines", true),
  ofPages("named destinations", false),
  ofPages("links", true),
  ofPages("layers", false),
  ofPages("annotations", true),
  attachments,
  ofDocument("output intents", onlyWhenEqual),
  ofDocument("language", onlyWhenEqual),
  ofDocument("viewer preferences", firstOnly),
  ofDocument("page layout", firstOnly),
  ofDocument("document scripts", undefined),
  ofDocument("signature values", undefined),
  ofDocument("article threads", undefined),
];
