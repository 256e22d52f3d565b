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
    addNumbers(document.read(document.referenceTo(num)), numbers);
  }
  return numbers;
}

/** Adds the files that an object names. The parser bounds the depth. */
function addNumbers(object: PdfObject, numbers: Set<number>): void {
  if (Array.isArray(object)) for (const item of object) addNumbers(item, numbers);
  // Objects behind references are read by themselves.
  const dict = object instanceof PdfRef ? undefined : dictOf(object);
  if (!dict) return;
  const addFile = (file: PdfObject) => {
    if (file instanceof PdfRef) numbers.add(file.num);
  };
  for (const file of dict.dict("EF")?.values() ?? []) addFile(file);
  const related = dict.dict("RF");
  for (const [key] of related?.entries() ?? []) for (const file of related?.array(key) ?? []) addFile(file);
  for (const value of dict.values()) addNumbers(value, numbers);
}
