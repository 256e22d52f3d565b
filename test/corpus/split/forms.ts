import type { DescribedDocument, Dict, Value } from "./described-document.ts";
import { type Feature, type PagesOf, writtenOut } from "./feature.ts";

const FIELD_DEPTH = 32;
const FIELD_KEYS = [
  "fieldtype",
  "fieldflags",
  "alternativename",
  "mappingname",
  "quadding",
  "choices",
  "defaultvalue",
];
const FONT_FILES = ["/FontFile", "/FontFile2", "/FontFile3"];

/** The fields with a widget on these pages, as qpdf lists them: once for each widget. */
function fieldsOn(pages: PagesOf): readonly { readonly field: Dict; readonly position: number }[] {
  return pages.document.fields.flatMap((field) => {
    const page = Number(field.pageposfrom1 ?? 0) - 1;
    const position = page < 0 ? undefined : pages.positionOf(page);
    return position === undefined ? [] : [{ field, position }];
  });
}

function fullNameOf(document: DescribedDocument, field: Value): string {
  const names: string[] = [];
  let node = document.dict(field);
  for (let depth = 0; depth < FIELD_DEPTH && Object.keys(node).length > 0; depth++) {
    if (node["/T"] !== undefined) names.unshift(String(document.resolve(node["/T"])).slice(2));
    node = document.dict(node["/Parent"]);
  }
  return names.join(".");
}

const fields: Feature = {
  name: "form fields",
  fate: "kept",
  facts: (pages) =>
    fieldsOn(pages)
      .map(({ field, position }) => {
        // A signature is void in another file: the field stays, unsigned.
        const signature = field.fieldtype === "/Sig";
        const signed = pages.isWhole && field.value !== null ? "signed" : "unsigned";
        const value = signature ? signed : writtenOut(pages, field.value);
        const rest = FIELD_KEYS.map((key) => writtenOut(pages, field[key])).join(" ");
        const state = pages.document.dict(field.annotation).appearancestate;
        return `page ${position} ${field.fullname} = ${value} ${state} ${rest}`;
      })
      .sort(),
};

/** Whether a font comes with glyphs, which may be another page's. */
function hasGlyphs(document: DescribedDocument, object: Value): boolean {
  const font = document.dict(object);
  const parts = [font, ...document.list(font["/DescendantFonts"]).map((part) => document.dict(part))];
  return parts.some((part) => {
    const descriptor = document.dict(part["/FontDescriptor"]);
    return [part["/CharProcs"], ...FONT_FILES.map((key) => descriptor[key])].some(
      (glyphs) => glyphs !== undefined,
    );
  });
}

/** What sets text on these pages: the default appearances of the form, of annotations and of the fields above them. */
function appearancesOn({ document, pages }: PagesOf): readonly string[] {
  const appearances = [document.dict(document.catalog["/AcroForm"])["/DA"]];
  for (const annotation of pages.flatMap((page) => document.list(document.dict(page)["/Annots"]))) {
    let node = document.dict(annotation);
    for (let depth = 0; depth < FIELD_DEPTH && Object.keys(node).length > 0; depth++) {
      appearances.push(node["/DA"]);
      node = document.dict(node["/Parent"]);
    }
  }
  return appearances.map((appearance) => String(document.resolve(appearance ?? null)));
}

const defaults: Feature = {
  name: "form defaults",
  fate: "kept",
  facts(pages) {
    if (fieldsOn(pages).length === 0) return [];
    const { document } = pages;
    const form = document.dict(document.catalog["/AcroForm"]);
    const resources = document.dict(form["/DR"]);
    const named = appearancesOn(pages).join(" ");
    const said = ["/DA", "/Q", "/NeedAppearances"].filter((key) => form[key] !== undefined);
    return [
      ...said.map((key) => `${key} ${writtenOut(pages, form[key])}`),
      ...Object.entries(document.dict(resources["/Font"]))
        .filter(([name, font]) => named.includes(`${name} `) || !hasGlyphs(document, font))
        .map(([name, font]) => `font ${name} ${document.dict(font)["/BaseFont"]}`),
    ];
  },
};

const calculationOrder: Feature = {
  name: "calculation order",
  fate: "kept",
  facts(pages) {
    const { document } = pages;
    const kept = new Set(fieldsOn(pages).map(({ field }) => String(field.fullname)));
    const form = document.dict(document.catalog["/AcroForm"]);
    const names = document.list(form["/CO"]).map((field) => fullNameOf(document, field));
    return pages.isWhole ? names : names.filter((name) => kept.has(name));
  },
};

/** What belongs to the form. */
export const FORMS: readonly Feature[] = [fields, defaults, calculationOrder];
