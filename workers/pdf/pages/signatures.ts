import { NumberSet } from "../file/cross-reference.ts";
import type { PdfDocument } from "../file/document.ts";
import type { SignatureNumbers } from "../security/decryptor.ts";
import { dictOf, type ObjectSource, type PdfDict, type PdfObject, PdfRef } from "../syntax/objects.ts";
import { boundTo } from "../syntax/parts.ts";

/** A signature field. */
interface SignatureField {
  readonly dict: PdfDict;
  /** Its object number; undefined when it is a direct object. */
  readonly num: number | undefined;
}

/**
 * Generates the signature fields of a form (ISO 32000-2, 12.7.5.5). Fields inherit their type.
 *
 * @param form the entry `AcroForm` of the catalog
 */
function* signatureFields(form: PdfDict | undefined): Generator<SignatureField> {
  const seen = new NumberSet();
  const stack: { readonly field: PdfObject; readonly inherited: string | undefined }[] = [];
  const push = (fields: readonly PdfObject[], inherited?: string) => {
    for (const field of fields) stack.push({ field, inherited });
  };
  push(form?.array("Fields") ?? []);
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { field, inherited } = next;
    const num = field instanceof PdfRef ? field.num : undefined;
    if (num !== undefined) {
      if (seen.has(num)) continue;
      seen.add(num);
    }
    const dict = dictOf(field);
    if (dict === undefined) continue;
    const type = dict.name("FT") ?? inherited;
    if (type === "Sig") yield { dict, num };
    push(dict.array("Kids"), type);
  }
}

/**
 * Returns whether a form has a signature: a signature field with a value (ISO 32000-2, 12.7.5.5). Whether the signature
 * is valid is not checked.
 *
 * @param form the entry `AcroForm` of the catalog
 */
export function hasSignature(form: PdfDict | undefined): boolean {
  for (const { dict } of signatureFields(form)) if (dict.dict("V")?.has("Contents")) return true;
  return false;
}

/** Returns the numbers of the signature fields of a document, and of their values. Decrypts no string. */
export function signatureNumbers(document: PdfDocument): SignatureNumbers {
  const fields = new NumberSet();
  const values = new NumberSet();
  const trailer = boundTo(new EncryptedObjects(document), document.trailer);
  for (const { dict, num } of signatureFields(trailer.dict("Root")?.dict("AcroForm"))) {
    if (num !== undefined) fields.add(num);
    const value = dict.reference("V");
    if (value) values.add(value.num);
  }
  return { fields, values };
}

/** The objects of a document without decryption of strings, which may need the result of this search. */
class EncryptedObjects implements ObjectSource {
  readonly #document: PdfDocument;

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  get budget() {
    return this.#document.budget;
  }

  read(ref: PdfRef): PdfObject {
    const { objects, crossReference, budget } = this.#document;
    const entry = crossReference.get(ref.num);
    // The strings in object streams are not encrypted by themselves.
    if (entry?.kind !== "file") return boundTo(this, this.#document.read(ref));
    if (entry.gen !== ref.gen) return null;
    budget.charge("object");
    return boundTo(this, objects.readAt(ref.num, entry.offset)?.value ?? null);
  }
}
