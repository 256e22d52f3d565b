import type { PdfDocument } from "../file/document.ts";
import { dictOf, type PdfObject, PdfRef } from "../syntax/objects.ts";

/**
 * The numbers of a document's embedded files: the streams that its file specifications name (ISO 32000-2, 7.11.4). They
 * need not say themselves what they are (Table 44), and may be named from anywhere, so that every object is read.
 *
 * @throws {ServiceError} `damaged_file`
 */
export function embeddedFileNumbers(document: PdfDocument): ReadonlySet<number> {
  for (;;) {
    const { crossReference } = document;
    const numbers = new Set<number>();
    for (const [num, entry] of crossReference.entries()) {
      if (entry.kind === "free") continue;
      addNumbers(document, document.read(new PdfRef(num, entry.kind === "file" ? entry.gen : 0)), numbers);
    }
    // Damage that is met on the way makes another one, once.
    if (document.crossReference === crossReference) return numbers;
  }
}

/** Adds what is named in an object itself. Depth is bounded by what the parser lets in. */
function addNumbers(document: PdfDocument, object: PdfObject, numbers: Set<number>): void {
  const dict = dictOf(object);
  const addFile = (file: PdfObject) => {
    if (file instanceof PdfRef) numbers.add(document.lastReference(file).num);
  };
  if (dict) {
    const valuesOf = (key: string) => {
      const files = document.dict(dict.get(key));
      // Very many file specifications may share one dictionary.
      document.budget.list(files?.size ?? 0);
      return files?.values() ?? [];
    };
    for (const file of valuesOf("EF")) addFile(file);
    for (const related of valuesOf("RF")) for (const file of document.array(related)) addFile(file);
    for (const value of dict.values()) addNumbers(document, value, numbers);
  } else if (Array.isArray(object)) {
    for (const item of object) addNumbers(document, item, numbers);
  }
}
