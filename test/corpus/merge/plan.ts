import { join } from "node:path";
import { OracleFailure } from "../../support/oracles.ts";
import { type ManifestEntry, passwordOf } from "../manifest.ts";
import { DescribedDocument, type Dict } from "../split/described-document.ts";
import type { Member } from "./member.ts";

/** One of so many merges is of three documents, takes only some pages, or is of a document with itself. */
const TRIPLES = 4;
const SELECTIONS = 3;
const TWINS = 5;

/** A document that is merged, and what it has: documents with the same things are merged with each other. */
export interface Known {
  readonly entry: ManifestEntry;
  /** A digit for each thing, rare things first. */
  readonly traits: string;
}

/** Returns what a document has; undefined when native qpdf cannot read it. */
export async function knownOf(entry: ManifestEntry, directory: string): Promise<Known | undefined> {
  try {
    const path = join(directory, entry.file);
    const document = await DescribedDocument.read(path, passwordOf(entry), "left out");
    return { entry, traits: traitsOf(document) };
  } catch (error) {
    if (error instanceof OracleFailure) return undefined;
    throw error;
  }
}

function traitsOf(document: DescribedDocument): string {
  const { catalog } = document;
  const form: Dict = document.dict(catalog["/AcroForm"]);
  const names = document.dict(catalog["/Names"]);
  const things = [
    form["/CO"] !== undefined,
    catalog["/OCProperties"] !== undefined,
    Object.keys(document.attachments).length > 0,
    names["/Dests"] !== undefined || catalog["/Dests"] !== undefined,
    catalog["/OutputIntents"] !== undefined,
    document.pageLabels.length > 0,
    document.fields.length > 0,
    catalog["/StructTreeRoot"] !== undefined,
    document.outlines.length > 0,
  ];
  return things.map(Number).join("");
}

/**
 * Puts each document into a merge. Documents that have something to confuse are in a second one, with others, and some of
 * them are merged with themselves.
 */
export function planMerges(known: readonly Known[], directory: string): readonly (readonly Member[])[] {
  const sorted = [...known].sort(
    (one, other) =>
      other.traits.localeCompare(one.traits) || one.entry.file.localeCompare(other.entry.file, "en"),
  );
  const rich = sorted.filter(({ traits }) => traits.includes("1"));
  const plain = sorted.slice(rich.length);
  const merges: (readonly Member[])[] = [];
  for (const [number, group] of [
    ...groupsOf(rich, 0),
    ...groupsOf(rich, 1),
    ...groupsOf(plain, 0),
  ].entries()) {
    merges.push(membersOf(group, directory, number % SELECTIONS === 0));
    const [first] = group;
    if (first?.traits.includes("1") && number % TWINS === 0) {
      merges.push(membersOf([first, first], directory, false));
    }
  }
  return merges;
}

/** Divides documents into twos and threes. */
function groupsOf(documents: readonly Known[], skipped: number): readonly (readonly Known[])[] {
  const groups: (readonly Known[])[] = [];
  for (let at = skipped; at + 1 < documents.length; ) {
    const left = documents.length - at;
    // No document is left over.
    const size = left === 3 || (groups.length % TRIPLES === 0 && left !== 4) ? 3 : 2;
    groups.push(documents.slice(at, at + size));
    at += size;
  }
  return groups;
}

function membersOf(documents: readonly Known[], directory: string, selects: boolean): readonly Member[] {
  return documents.map(({ entry }, index) => {
    const { file, qpdfPages: count = 0 } = entry;
    const isLast = index === documents.length - 1;
    const length = Math.max(1, Math.round(count / 3));
    const first = Math.floor((count - length) / 2) + 1;
    const range = selects && isLast && count > 1 ? { first, last: first + length - 1 } : undefined;
    const title = `${index + 1} ${file}`;
    return { entry, path: join(directory, file), title, password: passwordOf(entry), range };
  });
}
