import { IDENTIFIERS } from "../../copy/renaming.ts";
import { PdfDict, type PdfObject, PdfStream, PdfString, resolved } from "../../syntax/objects.ts";

/** The most nested lists in an attribute. An example is a color for each side of a box. */
const ATTRIBUTE_DEPTH = 2;

/**
 * Returns the attributes (ISO 32000-2, 14.7.6) whose values are numbers, names or identifiers of elements. User properties,
 * streams and other texts may describe content.
 */
export function withoutTexts(attributes: PdfObject): PdfObject[] {
  const found = resolved(attributes);
  const kept: PdfObject[] = [];
  let isAfterKept = false;
  for (const item of Array.isArray(found) ? found : [found]) {
    const object = resolved(item);
    // A revision number may follow an attribute object.
    if (typeof object === "number" && isAfterKept) kept.push(object);
    isAfterKept = object instanceof PdfDict && !object.is("O", "UserProperties");
    if (!isAfterKept || !(object instanceof PdfDict)) continue;
    const plain = [...object.entries()].filter(
      ([key]) => IDENTIFIERS.includes(key) || isPlain(object.value(key), 0),
    );
    kept.push(PdfDict.from(plain));
  }
  return kept;
}

function isPlain(value: PdfObject, depth: number): boolean {
  const found = resolved(value);
  if (Array.isArray(found)) return depth < ATTRIBUTE_DEPTH && found.every((item) => isPlain(item, depth + 1));
  return !(found instanceof PdfString || found instanceof PdfDict || found instanceof PdfStream);
}
