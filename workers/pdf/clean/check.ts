import type { PdfDocument } from "../file/document.ts";
import { dictOf } from "../syntax/objects.ts";
import { PlaceFinder } from "./place-finder.ts";
import type { Category } from "./places.ts";
import { walkDocument } from "./walk.ts";

/** Streams that hold the structure of the file, to which no reference leads. */
const OF_FILE = ["ObjStm", "XRef"];

/**
 * Looks for what cleaning should have removed from a document, and for objects that nothing leads to.
 *
 * @param removed the categories that should be gone
 * @returns what is left, for the developer; undefined when nothing is
 */
export function leftIn(output: PdfDocument, removed: ReadonlySet<Category>): string | undefined {
  if (output.isRebuilt) return "a broken structure";
  const left: string[] = [];
  const { reached } = walkDocument(output, new PlaceFinder(output, removed), ({ category, place }) => {
    if (left.length === 0) left.push(`${category}: ${place}`);
  });
  if (left[0] !== undefined) return left[0];
  for (const [num, entry] of output.crossReference.entries()) {
    if (entry.kind === "free" || reached.has(num)) continue;
    const type = dictOf(output.referenceTo(num))?.name("Type") ?? "";
    if (!OF_FILE.includes(type)) return `an object that nothing uses: ${num}`;
  }
  return undefined;
}
