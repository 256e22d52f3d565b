import { NumberSet } from "../file/cross-reference.ts";
import type { PdfDocument } from "../file/document.ts";
import { PdfName, type PdfObject, PdfRef } from "../syntax/objects.ts";

/**
 * Returns whether a form has a signature: a signature field with a value (ISO 32000-2, 12.7.5.5). Whether the signature
 * is valid is not checked.
 *
 * @param fields the entry `Fields` of the form
 */
export function hasSignature(document: PdfDocument, fields: readonly PdfObject[]): boolean {
  const seen = new NumberSet();
  const stack = fields.map((field) => ({ field, inherited: null as PdfObject }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { field, inherited } = next;
    if (field instanceof PdfRef) {
      if (seen.has(field.num)) continue;
      seen.add(field.num);
    }
    const dict = document.dict(field);
    if (dict === undefined) continue;
    const type = document.resolve(dict.get("FT")) ?? inherited;
    const isSignature = type instanceof PdfName && type.value === "Sig";
    if (isSignature && document.dict(dict.get("V"))?.has("Contents")) return true;
    for (const kid of document.array(dict.get("Kids"))) stack.push({ field: kid, inherited: type });
  }
  return false;
}
