import { CLEANED, type HiddenData, type HiddenKind } from "../../../src/shared/protocol.ts";
import type { PdfDocument } from "../file/document.ts";
import { latin1 } from "../syntax/characters.ts";
import { PlaceFinder } from "./place-finder.ts";
import { walkDocument } from "./walk.ts";

const ALL: ReadonlySet<HiddenKind> = new Set(["private", ...CLEANED] as const);
/** Where readers look for the last `startxref`. */
const END_OF_FILE = 1024;

/**
 * Counts what cleaning would remove. What is in something that is counted is not counted by itself.
 *
 * @throws {ServiceError} `damaged_file`, `input_too_large`
 */
export function hiddenDataOf(document: PdfDocument): HiddenData {
  const counts = { metadata: 0, scripts: 0, attachments: 0, comments: 0, layers: 0, private: 0 };
  walkDocument(document, new PlaceFinder(document, ALL), ({ category }) => {
    if (category !== "drawn") counts[category]++;
  });
  return { ...counts, earlier_revisions: hasEarlierRevisions(document) };
}

/**
 * Returns whether changes were appended to the file (ISO 32000-2, 7.5.6): its last section leads to one that stands before it. The
 * first section of a linearized file leads to one after it.
 */
function hasEarlierRevisions({ source, trailer, isRebuilt }: PdfDocument): boolean {
  const end = latin1(source.read(source.size - END_OF_FILE, source.size));
  const start = Number(/^startxref\s+(\d+)/.exec(end.slice(end.lastIndexOf("startxref")))?.[1] ?? 0);
  const previous = trailer.integer("Prev") ?? 0;
  return !isRebuilt && previous > 0 && previous < start;
}
