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

const defaults: Feature = {
  name: "form defaults",
  fate: "kept",
  facts(pages) {
    if (fieldsOn(pages).length === 0) return [];
    const { document } = pages;
    const form = document.dict(document.catalog["/AcroForm"]);
    const resources = document.dict(form["/DR"]);
    const said = ["/DA", "/Q", "/NeedAppearances"].filter((key) => form[key] !== undefined);
    return [
      ...said.map((key) => `${key} ${writtenOut(pages, form[key])}`),
      ...Object.entries(document.dict(resources["/Font"])).map(
        ([name, font]) => `font ${name} ${document.dict(font)["/BaseFont"]}`,
      ),
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
