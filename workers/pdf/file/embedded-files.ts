import { dictOf, type PdfObject, PdfRef } from "../syntax/objects.ts";
import type { PdfDocument } from "./document.ts";

/**
 * Returns the object numbers of embedded file streams, which file specifications name (ISO 32000-2, 7.11.4). Their type
 * is optional (Table 44), and any object may name them, so every object is read.
 *
 * @throws {ServiceError} `damaged_file`
 */
export function embeddedFileNumbers(document: PdfDocument): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const [num, entry] of document.crossReference.entries()) {
    if (entry.kind === "free") continue;
    addNumbers(document, document.read(document.referenceTo(num)), numbers);
  }
  return numbers;
}

/** Adds the files that an object names. The parser bounds the depth. */
function addNumbers(document: PdfDocument, object: PdfObject, numbers: Set<number>): void {
  if (object instanceof PdfRef) return;
  const dict = dictOf(object);
  const addFile = (file: PdfObject) => {
    if (file instanceof PdfRef) numbers.add(file.num);
  };
  if (dict) {
    const valuesOf = (key: string) => {
      const files = document.dict(dict.get(key));
      // Very many file specifications may share one dictionary.
      document.budget.charge("entry", files?.size ?? 0);
      return files?.values() ?? [];
    };
    for (const file of valuesOf("EF")) addFile(file);
    for (const related of valuesOf("RF")) for (const file of document.array(related)) addFile(file);
    for (const value of dict.values()) addNumbers(document, value, numbers);
  } else if (Array.isArray(object)) {
    for (const item of object) addNumbers(document, item, numbers);
  }
}
