import { NumberSet } from "../file/cross-reference.ts";
import type { PdfDocument } from "../file/document.ts";
import type { SignatureNumbers } from "../security/decryptor.ts";
import { dictOf, type PdfDict, PdfName, type PdfObject, PdfRef } from "../syntax/objects.ts";

type Resolve = (object: PdfObject | undefined) => PdfObject;

/** A signature field. */
interface SignatureField {
  readonly dict: PdfDict;
  /** Its object number; undefined when it is a direct object. */
  readonly num: number | undefined;
}

/**
 * Generates the signature fields of a form (ISO 32000-2, 12.7.5.5). Fields inherit their type. Charges the budget for the
 * entries of lists.
 *
 * @param form the entry `AcroForm` of the catalog
 * @param resolve charges for the entries of arrays behind references
 */
function* signatureFields(
  { budget }: PdfDocument,
  form: PdfObject | undefined,
  resolve: Resolve,
): Generator<SignatureField> {
  const seen = new NumberSet();
  const stack: { readonly field: PdfObject; readonly inherited: PdfObject }[] = [];
  const push = (list: PdfObject | undefined, inherited: PdfObject) => {
    const fields = resolve(list);
    if (!Array.isArray(fields)) return;
    if (fields === list) budget.charge("entry", fields.length);
    for (const field of fields) stack.push({ field, inherited });
  };
  push(dictOf(resolve(form))?.get("Fields"), null);
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { field, inherited } = next;
    const num = field instanceof PdfRef ? field.num : undefined;
    if (num !== undefined) {
      if (seen.has(num)) continue;
      seen.add(num);
    }
    const dict = dictOf(resolve(field));
    if (dict === undefined) continue;
    const type = resolve(dict.get("FT")) ?? inherited;
    if (type instanceof PdfName && type.value === "Sig") yield { dict, num };
    push(dict.get("Kids"), type);
  }
}

/**
 * Returns whether a form has a signature: a signature field with a value (ISO 32000-2, 12.7.5.5). Whether the signature
 * is valid is not checked.
 *
 * @param form the entry `AcroForm` of the catalog
 */
export function hasSignature(document: PdfDocument, form: PdfObject | undefined): boolean {
  const resolve = (object: PdfObject | undefined) => document.resolve(object);
  for (const { dict } of signatureFields(document, form, resolve)) {
    if (dict.dict("V")?.has("Contents")) return true;
  }
  return false;
}

/** Returns the numbers of the signature fields of a document, and of their values. Decrypts no string. */
export function signatureNumbers(document: PdfDocument): SignatureNumbers {
  const resolve = (object: PdfObject | undefined) => encryptedObject(document, object);
  const fields = new NumberSet();
  const values = new NumberSet();
  const catalog = dictOf(resolve(document.trailer.get("Root")));
  for (const { dict, num } of signatureFields(document, catalog?.get("AcroForm"), resolve)) {
    if (num !== undefined) fields.add(num);
    const value = dict.get("V");
    if (value instanceof PdfRef) values.add(value.num);
  }
  return { fields, values };
}

/**
 * Resolves a reference without decryption of strings, which may need the result of this search. Charges the budget as
 * {@link PdfDocument.resolve} does.
 */
function encryptedObject(document: PdfDocument, object: PdfObject | undefined): PdfObject {
  if (!(object instanceof PdfRef)) return object ?? null;
  const { num, gen } = object;
  const entry = document.crossReference.get(num);
  // The strings in object streams are not encrypted by themselves.
  if (entry?.kind !== "file") return document.resolve(object);
  if (entry.gen !== gen) return null;
  document.budget.charge("object");
  const found = document.objects.readAt(num, entry.offset)?.value ?? null;
  if (Array.isArray(found)) document.budget.charge("entry", found.length);
  return found;
}
