import type { PdfDocument } from "../file/document.ts";
import type { PdfObject } from "../syntax/objects.ts";
import { signatureFields } from "./signature-fields.ts";

/**
 * Returns whether a form has a signature: a signature field with a value (ISO 32000-2, 12.7.5.5). Whether the signature
 * is valid is not checked.
 *
 * @param form the entry `AcroForm` of the catalog
 */
export function hasSignature(document: PdfDocument, form: PdfObject | undefined): boolean {
  const resolve = (object: PdfObject | undefined) => document.resolve(object);
  for (const { dict } of signatureFields(document, form, resolve)) {
    if (document.dict(dict.get("V"))?.has("Contents")) return true;
  }
  return false;
}
