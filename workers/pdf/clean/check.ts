import type { ServiceError } from "../../../src/shared/errors.ts";
import { internalError } from "../../../src/shared/failure.ts";
import type { PdfDocument } from "../file/document.ts";
import { dictOf } from "../syntax/objects.ts";
import { PlaceFinder } from "./place-finder.ts";
import type { Category } from "./places.ts";
import { walkDocument } from "./walk.ts";

/** Streams that hold the structure of the file, to which no reference leads. */
const OF_FILE = ["ObjStm", "XRef"];

/**
 * Checks that a document that was cleaned has nothing of some categories, and no object that nothing leads to.
 *
 * @throws {ServiceError} `internal_error`
 */
export function checkClean(output: PdfDocument, removed: ReadonlySet<Category>): void {
  if (output.isRebuilt) throw notClean("a broken structure");
  const { reached } = walkDocument(output, new PlaceFinder(output, removed), ({ category, place }) => {
    throw notClean(`${category} (${place})`);
  });
  for (const [num, entry] of output.crossReference.entries()) {
    if (entry.kind === "free" || reached.has(num)) continue;
    const type = dictOf(output.referenceTo(num))?.name("Type") ?? "";
    if (!OF_FILE.includes(type)) throw notClean(`an object that nothing uses (${num})`);
  }
}

/** @param what what is left, for the developer */
function notClean(what: string): ServiceError {
  return internalError("The cleaned PDF still has data that should be gone. Nothing is returned.", what);
}
