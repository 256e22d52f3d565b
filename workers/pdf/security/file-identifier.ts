import type { PdfDocument } from "../file/document.ts";
import { type PdfDict, PdfString } from "../syntax/objects.ts";

/**
 * Puts a document's file identifier (ISO 32000-2, 14.4) into the trailer of a new file: in an encrypted one, nothing of
 * it may be a reference (Table 15). What is not two strings is left out.
 */
export function setIdentifier(trailer: PdfDict, document: PdfDocument): void {
  const [one, other] = document.array(document.trailer.get("ID")).slice(0, 2);
  const strings = [document.resolve(one), document.resolve(other)];
  if (strings.every((string) => string instanceof PdfString)) trailer.set("ID", strings);
  else trailer.delete("ID");
}
