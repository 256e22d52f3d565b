import { ServiceError } from "../../src/shared/errors.ts";
import type { SequenceEntry } from "../../src/shared/protocol.ts";
import { addTurns, type Turns } from "../../src/shared/rotation.ts";

/** A page of a part, and its place in the output, from 0. */
interface PlacedPage {
  readonly page: number;
  readonly place: number;
}

/** Pages of a document that are copied together, each once. */
export interface SequencePart {
  /** In the order of the output. */
  readonly entries: readonly PlacedPage[];
  readonly turns: Turns;
}

/** The parts of each file, by its index, in the order in which the files come first in the sequence. */
export type PartsByFile = ReadonlyMap<number, readonly SequencePart[]>;

/**
 * Divides a sequence into parts. The first part of a file has all of its pages that the sequence names, each once. A page
 * that is named again is copied again, with its annotations and fields: the second part has the second copies, and so on.
 */
export function partsByFile(sequence: readonly SequenceEntry[]): PartsByFile {
  const files = new Map<number, { readonly counts: Map<number, number>; readonly rounds: Round[] }>();
  for (const [place, { file, page, rotate = 0 }] of sequence.entries()) {
    const { counts, rounds } = files.get(file) ?? { counts: new Map<number, number>(), rounds: [] };
    files.set(file, { counts, rounds });
    const count = counts.get(page) ?? 0;
    counts.set(page, count + 1);
    const round = rounds[count] ?? { entries: [], angles: new Map<number, number>() };
    rounds[count] = round;
    round.entries.push({ page, place });
    round.angles.set(page, rotate);
  }
  return new Map([...files].map(([file, { rounds }]) => [file, rounds.map(partOf)]));
}

interface Round {
  readonly entries: PlacedPage[];
  readonly angles: Map<number, number>;
}

function partOf({ entries, angles }: Round): SequencePart {
  return { entries, turns: (page) => addTurns(angles.get(page) ?? 0, 0) };
}

/** @throws {ServiceError} `invalid_page_selection` for a page that the document does not have */
export function checkPages(parts: readonly SequencePart[], pageCount: number): void {
  // The first part has all pages.
  const wrong = parts[0]?.entries.find(({ page }) => page > pageCount);
  if (wrong === undefined) return;
  const { page, place } = wrong;
  const count = pageCount === 1 ? "1 page" : `${pageCount} pages`;
  throw new ServiceError(
    "invalid_page_selection",
    `The field "sequence" names page ${page} of this file as entry ${place}, counted from 0, and the file has ${count}.`,
    { parameter: "sequence", position: place, page_count: pageCount },
  );
}
