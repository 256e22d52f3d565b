import { dictOf, PdfDict, type PdfObject, PdfRef, PdfStream, resolved } from "../syntax/objects.ts";

/** The icons of a button (ISO 32000-2, Table 192). */
const ICONS = ["I", "RI", "IX"];

/** Returns the streams that draw a page's annotations: see {@link appearancesOf}. */
export function appearancesOn(page: PdfDict): readonly PdfObject[] {
  return appearancesOf(page.array("Annots"));
}

/**
 * Returns the streams that draw annotations: their appearances (ISO 32000-2, 12.5.5), for every state, and the icons of
 * buttons. Visits objects that annotations share only once.
 */
export function appearancesOf(annotations: readonly PdfObject[]): readonly PdfObject[] {
  const drawn: PdfObject[] = [];
  const seen = new Set<number>();
  const isNew = (object: PdfObject | undefined) => {
    if (!(object instanceof PdfRef)) return true;
    if (seen.has(object.num)) return false;
    seen.add(object.num);
    return true;
  };
  const add = (object: PdfObject) => {
    if (isNew(object) && resolved(object) instanceof PdfStream) drawn.push(object);
  };
  for (const annotation of annotations) {
    const dict = dictOf(annotation);
    const appearances = isNew(dict?.get("AP")) ? dict?.dict("AP") : undefined;
    for (const appearance of appearances?.values() ?? []) {
      const found = resolved(appearance);
      // An appearance is a stream, or a dictionary with a stream for each state.
      if (!(found instanceof PdfDict)) add(appearance);
      else if (isNew(appearance)) for (const state of found.values()) add(state);
    }
    const icons = dict?.dict("MK");
    for (const key of ICONS) add(icons?.get(key) ?? null);
  }
  return drawn;
}

/** Returns whether users fill in the text of an annotation: a field, or free text (Tables 177 and 191). */
export function hasText(annotation: PdfObject): boolean {
  const dict = dictOf(annotation);
  return dict?.is("Subtype", "Widget") === true || dict?.has("DA") === true;
}
