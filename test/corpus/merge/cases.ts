import type { Scratch } from "../../support/native-tools.ts";
import { CHECK_VERDICTS, OracleFailure, popplerText, qpdfCheck } from "../../support/oracles.ts";
import { type Row, rowOf } from "../family.ts";
import { disasterOf } from "../faults.ts";
import type { PdfOutcome } from "../pdf/subject.ts";
import { describedOutcome, difference } from "../split/cases.ts";
import { type Contestant, type OurEngine, qpdfOutcome, rangeText } from "../split/contestant.ts";
import { DescribedDocument, digestOf, type OutlineEntry } from "../split/described-document.ts";
import { PagesOf } from "../split/feature.ts";
import { countHeld, streamsLeftBehind } from "../split/reach.ts";
import { isExplained, TEXT } from "./explained.ts";
import { MERGE_FEATURES, type MergeFeature, NEED_FOR_APPEARANCES } from "./features.ts";
import { indicesOf, type Member } from "./member.ts";

/** The operations beside those of the features. */
export const CHECKED = "qpdf --check no worse than the worst input";
export const COUNTED = "page count";
export const ENTRIES = "an outline entry for each document";
export const COLLISIONS = "no two documents share a name";
export const OTHER_PAGES = "streams of other pages";
export const RETURNED = "splitting gives the pages back, with their features";

/** Documents to merge, and the callback for the checks. */
export interface MergeCase {
  readonly members: readonly Member[];
  readonly scratch: Scratch;
  readonly onRow: (row: Row) => void;
}

/** A member as native programs read it. */
interface Source {
  readonly member: Member;
  readonly pages: PagesOf;
  /** The text of each page. Undefined when it cannot be compared. */
  readonly texts: readonly string[] | undefined;
  /** The streams that only pages draw which are not chosen. */
  readonly leftBehind: ReadonlySet<string>;
}

/** A merged file as native qpdf reads it. */
interface Merged {
  readonly path: string;
  readonly document: DescribedDocument;
}

/** Returns what is wrong with a merged file, empty when nothing is. */
type Judge = (merged: Merged) => string | Promise<string>;

/** Merges documents by each contestant and looks at what came of them. Skips what native qpdf cannot read. */
export async function examineMerge(
  { members, scratch, onRow }: MergeCase,
  mergers: readonly Contestant[],
  splitter: OurEngine,
): Promise<void> {
  const sources: Source[] = [];
  for (const member of members) {
    const source = await sourceOf(member, scratch);
    if (!source) return;
    sources.push(source);
  }
  const judges = judgesOf(sources);
  const file = members
    .map(({ entry, range }) => entry.file + (range ? ` ${range.first}-${range.last}` : ""))
    .join(" + ");
  for (const merger of mergers) {
    await merger.prepare();
    const start = performance.now();
    const outcome = await merger.merge(members, scratch);
    const milliseconds = performance.now() - start;
    const document = await describedOutcome(outcome);
    const row = {
      subject: merger.name,
      isPeer: merger.isPeer,
      file,
      disaster: disasterOf(outcome),
      milliseconds,
    };
    const all = merger.isPeer
      ? judges
      : new Map([...judges, [RETURNED, returnJudge(sources, splitter, scratch)]]);
    for (const [operation, judge] of all) {
      const why = typeof document === "string" ? document : await judge({ path: pathOf(outcome), document });
      onRow(rowOf({ ...row, operation: operationOf(operation), why }));
    }
  }
}

/** The line of the table for a feature. Other families have features of the same names. */
export function operationOf(feature: string): string {
  return `merge, ${feature}`;
}

function pathOf(outcome: PdfOutcome): string {
  return outcome.kind === "files" ? (outcome.paths[0] ?? "") : "";
}

async function sourceOf(member: Member, scratch: Scratch): Promise<Source | undefined> {
  try {
    const document = await DescribedDocument.read(member.path, member.password);
    const indices = indicesOf(member, document.pages.length);
    const isSkipped = isExplained(member.entry.file, TEXT);
    const texts = isSkipped ? undefined : await textsOf(member.path, document.pages.length, member.password);
    return {
      member,
      pages: new PagesOf(document, indices, { isWhole: false }),
      texts: texts && indices.map((index) => texts[index] ?? ""),
      leftBehind: await leftBehindBy(member, document, scratch),
    };
  } catch (error) {
    if (error instanceof OracleFailure) return undefined;
    throw error;
  }
}

async function leftBehindBy(
  { path, password, range }: Member,
  document: DescribedDocument,
  scratch: Scratch,
): Promise<ReadonlySet<string>> {
  if (!range) return new Set();
  const options = ["--remove-unreferenced-resources=yes"];
  const native = await describedOutcome(await qpdfOutcome(path, password, range, scratch, options));
  if (typeof native === "string") return new Set();
  return streamsLeftBehind(document, indicesOf({ range }, range.last), native);
}

/** The text of each page as poppler finds it. Undefined when it finds other pages than qpdf. */
async function textsOf(
  path: string,
  count: number,
  password?: string,
): Promise<readonly string[] | undefined> {
  try {
    const texts = (await popplerText(path, password)).toString("utf8").split("\f").slice(0, -1);
    return texts.length === count ? texts : undefined;
  } catch (error) {
    if (error instanceof OracleFailure) return undefined;
    throw error;
  }
}

function judgesOf(sources: readonly Source[]): ReadonlyMap<string, Judge> {
  const count = sources.reduce((sum, { pages }) => sum + pages.pages.length, 0);
  const judges = new Map<string, Judge>([
    [CHECKED, ({ path }) => checkedAgainst(path, sources)],
    [ENTRIES, ({ document }) => entriesDifference(document, sources)],
  ]);
  const isCounted = !sources.some(({ member }) => isExplained(member.entry.file, COUNTED));
  if (isCounted) {
    judges.set(COUNTED, ({ document: { pages } }) =>
      pages.length === count ? "" : `${pages.length}, not ${count}`,
    );
    const comparable = comparableTexts(sources);
    judges.set(TEXT, ({ path }) => textDifference(path, comparable, count));
  }
  for (const feature of MERGE_FEATURES) {
    const expected = expectedOf(feature, sources);
    if (!expected) continue;
    judges.set(feature.name, ({ document }) => {
      const found = partsOf(document, sources, feature).map((part) => feature.facts(part));
      return (
        partsDifference(feature, sources, { found, expected }) ||
        strangers(document, feature, { found, expected })
      );
    });
  }
  const others = new Set(sources.flatMap((source) => [...source.leftBehind]));
  for (const { member, pages } of sources) {
    // Documents may have the same stream.
    if (!member.range) for (const [, { data }] of pages.document.streams()) others.delete(digestOf(data));
  }
  if (others.size > 0) {
    judges.set(OTHER_PAGES, ({ document }) => {
      const held = countHeld(document, others);
      return held > 0 ? `holds ${held} of them` : "";
    });
  }
  if (sharedNames(sources.map(({ pages }) => pages)) !== undefined) {
    judges.set(COLLISIONS, ({ document }) => sharedNames(partsOf(document, sources)) ?? "");
  }
  return judges;
}

/**
 * The sources, without the texts of forms of which a reader draws the fields anew before or after the merge only: poppler
 * formats their values in another way.
 */
function comparableTexts(sources: readonly Source[]): readonly Source[] {
  const need = MERGE_FEATURES.find(({ name }) => name === NEED_FOR_APPEARANCES);
  const needs = sources.map(({ pages }) => (need?.facts(pages).length ?? 0) > 0);
  const isDropped = sources.some(({ pages }, index) => !needs[index] && fieldNames(pages).length > 0);
  if (!isDropped) return sources;
  return sources.map((source, index) => (needs[index] ? { ...source, texts: undefined } : source));
}

/** What is to be said of each document's pages. Undefined when no document has the feature. */
function expectedOf(
  feature: MergeFeature,
  sources: readonly Source[],
): readonly (readonly string[])[] | undefined {
  const parts = sources.map(({ pages }) => pages);
  const facts = parts.map((part) => feature.facts(part));
  if (facts.every((own) => own.length === 0)) return undefined;
  if (feature.fate === "dropped") return facts.map(() => []);
  return feature.combined?.(facts, parts) ?? facts;
}

/** The pages of each document in the output. */
function partsOf(
  document: DescribedDocument,
  sources: readonly Source[],
  { isStrict }: Pick<MergeFeature, "isStrict"> = { isStrict: false },
): readonly PagesOf[] {
  let first = 0;
  return sources.map(({ member, pages: { pages } }, index) => {
    const start = first;
    first += pages.length;
    const entry = document.outlines[index];
    const isBelowEntry = entry?.title === member.title;
    const outlines = isBelowEntry ? entry.kids : document.outlines;
    return new PagesOf(
      document,
      pages.map((_, position) => start + position),
      { isWhole: isStrict, outlines },
    );
  });
}

/** What is said of each document's pages in the output, and what is to be said. */
interface Comparison {
  readonly found: readonly (readonly string[])[];
  readonly expected: readonly (readonly string[])[];
}

function partsDifference(
  { name }: MergeFeature,
  sources: readonly Source[],
  { found, expected }: Comparison,
): string {
  for (const [index, facts] of found.entries()) {
    if (isExplained(sources[index]?.member.entry.file ?? "", name)) continue;
    const problem = difference(facts, expected[index] ?? []);
    if (problem) return `document ${index + 1}: ${problem}`;
  }
  return "";
}

/** What the output says beside the facts of the documents. Strict features show it already. */
function strangers(
  document: DescribedDocument,
  feature: MergeFeature,
  { found, expected }: Comparison,
): string {
  if (feature.isStrict) return "";
  // What is explained is as it was found.
  const wanted = expected.reduce(
    (sum, facts, index) => sum + Math.max(facts.length, found[index]?.length ?? 0),
    0,
  );
  const all = feature.facts(new PagesOf(document)).length;
  return all > wanted ? `${all - wanted} beside those of the documents` : "";
}

async function checkedAgainst(path: string, sources: readonly Source[]): Promise<string> {
  const { verdict, complaint } = await qpdfCheck(path);
  const worst = Math.max(
    ...sources.map(({ member }) => CHECK_VERDICTS.indexOf(member.entry.qpdfCheck ?? "ok")),
  );
  return CHECK_VERDICTS.indexOf(verdict) > worst ? `${verdict}: ${complaint}` : "";
}

async function textDifference(path: string, sources: readonly Source[], count: number): Promise<string> {
  const found = await textsOf(path, count);
  if (!found) return "poppler cannot read the pages";
  let first = 0;
  for (const [index, { texts, pages }] of sources.entries()) {
    const at = (texts ?? []).findIndex((text, position) => text !== found[first + position]);
    if (at >= 0) {
      return `document ${index + 1}, page ${at + 1}: ${difference([found[first + at] ?? ""], [texts?.[at] ?? ""])}`;
    }
    first += pages.pages.length;
  }
  return "";
}

function entriesDifference(document: DescribedDocument, sources: readonly Source[]): string {
  let first = 0;
  const expected = sources.map(({ member, pages }) => {
    const start = first;
    first += pages.pages.length;
    return `${member.title} → ${document.pages[start]}`;
  });
  return difference(document.outlines.map(written), expected);
}

function written({ title, dest }: OutlineEntry): string {
  return `${title} → ${Array.isArray(dest) ? dest[0] : dest}`;
}

/** A name that several documents have: of a field, or of a destination. */
function sharedNames(parts: readonly PagesOf[]): string | undefined {
  const seen = new Set<string>();
  for (const part of parts) {
    const own = new Set([...fieldNames(part), ...destinationNames(part)]);
    const shared = [...own].find((name) => seen.has(name));
    if (shared !== undefined) return shared;
    for (const name of own) seen.add(name);
  }
  return undefined;
}

function fieldNames(pages: PagesOf): readonly string[] {
  return pages.document.fields.flatMap((field) => {
    const page = Number(field.pageposfrom1 ?? 0) - 1;
    return page >= 0 && pages.positionOf(page) !== undefined ? [`field ${field.fullname}`] : [];
  });
}

function destinationNames(pages: PagesOf): readonly string[] {
  const { document } = pages;
  const named = document.pairs(document.dict(document.catalog["/Names"])["/Dests"], "/Names");
  return named.flatMap(([name, destination]) => {
    const found = document.resolve(destination);
    const [page] = document.list(Array.isArray(found) ? found : document.dict(found)["/D"]);
    return pages.positionOf(page) === undefined ? [] : [`destination ${name}`];
  });
}

/** Splits the merged file and compares each part with the document that it came from. */
function returnJudge(sources: readonly Source[], splitter: OurEngine, scratch: Scratch): Judge {
  return async ({ path }) => {
    let first = 1;
    const ranges = sources.map(({ pages: { pages } }) => {
      const last = first + pages.length - 1;
      const range = rangeText({ first, last });
      first = last + 1;
      return range;
    });
    const outcome = await splitter.split(path, undefined, ranges.join(","), scratch);
    if (outcome.kind !== "files") return `${outcome.kind}: ${outcome.message}`;
    const parts = await Promise.all(outcome.paths.map((part) => DescribedDocument.read(part)));
    if (parts.length !== sources.length) return `${parts.length} files`;
    const views = parts.map(
      (part) => new PagesOf(part, undefined, { outlines: part.outlines[0]?.kids ?? [] }),
    );
    for (const feature of MERGE_FEATURES.filter(({ returns }) => returns)) {
      const expected = expectedOf(feature, sources);
      const found = views.map((view) => feature.facts(view));
      const problem = expected && partsDifference(feature, sources, { found, expected });
      if (problem) return `${feature.name}, ${problem}`;
    }
    return "";
  };
}
