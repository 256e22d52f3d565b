import type { Scratch } from "../../support/native-tools.ts";
import { OracleFailure } from "../../support/oracles.ts";
import { type Row, rowOf } from "../family.ts";
import { disasterOf } from "../faults.ts";
import type { ManifestEntry } from "../manifest.ts";
import { indicesOf } from "../merge/member.ts";
import type { PdfOutcome } from "../pdf/subject.ts";
import { CATALOG } from "./catalog.ts";
import { type Contestant, type PageRange, qpdfOutcome, rangeText } from "./contestant.ts";
import { DescribedDocument } from "./described-document.ts";
import { DROPPED } from "./dropped.ts";
import { type Feature, PagesOf } from "./feature.ts";
import { FORMS } from "./forms.ts";
import { LAYERS } from "./layers.ts";
import { NAVIGATION } from "./navigation.ts";
import { countHeld, resourceNames, streamsLeftBehind } from "./reach.ts";
import { TAGS } from "./tags.ts";

/** All that is looked at, in the order of the table. */
export const FEATURES: readonly Feature[] = [
  ...TAGS,
  ...FORMS,
  ...NAVIGATION,
  ...LAYERS,
  ...CATALOG,
  ...DROPPED,
];
export const UNUSED_RESOURCES = "unused resources";
export const OTHER_PAGES = "streams of other pages";

const LONGEST_RANGE = 12;
const MOST_RANGES = 6;

/** A file, and the callback for its checks. */
export interface SplitCase {
  readonly entry: ManifestEntry;
  readonly path: string;
  readonly password: string | undefined;
  readonly scratch: Scratch;
  readonly onRow: (row: Row) => void;
}

/** What was found in a document, and the misses of one contestant. */
interface Verdicts {
  /** Features that the document has, and why one was not treated as it should be; empty when it was. */
  readonly problems: Map<string, string>;
  milliseconds: number;
  disaster: Row["disaster"];
}

/**
 * Splits pages off a document and looks at what came of each of its features.
 *
 * @returns the document as native qpdf reads it. Undefined when qpdf cannot
 */
export async function examineFeatures(
  { entry, path, password, scratch, onRow }: SplitCase,
  contestants: readonly Contestant[],
): Promise<DescribedDocument | undefined> {
  let source: DescribedDocument;
  try {
    source = await DescribedDocument.read(path, password);
  } catch (error) {
    if (error instanceof OracleFailure) return undefined;
    throw error;
  }
  const whole = new PagesOf(source, [...source.pages.keys()]);
  const present = FEATURES.filter((feature) => feature.facts(whole).length > 0);
  const verdicts = new Map(
    contestants.map((contestant): [Contestant, Verdicts] => [
      contestant,
      { problems: new Map(), milliseconds: 0, disaster: undefined },
    ]),
  );
  for (const range of rangesOf(source, present)) {
    const native = await describedOutcome(
      await qpdfOutcome(path, password, range, scratch, ["--remove-unreferenced-resources=yes"]),
    );
    // Skips pages that native qpdf cannot extract.
    if (typeof native === "string") continue;
    const judges = judgesOf(source, range, native, present);
    for (const [contestant, verdict] of verdicts) {
      await contestant.prepare();
      const start = performance.now();
      const outcome = await contestant.take(path, password, range, scratch);
      verdict.milliseconds = Math.max(verdict.milliseconds, performance.now() - start);
      verdict.disaster ??= disasterOf(outcome);
      const output = await describedOutcome(outcome);
      for (const [name, judge] of judges) {
        const problem = typeof output === "string" ? output : judge(output);
        if (verdict.problems.get(name)) continue;
        verdict.problems.set(name, problem && `pages ${rangeText(range)}: ${problem}`);
      }
    }
  }
  for (const [{ name, isPeer }, { problems, milliseconds, disaster }] of verdicts) {
    for (const [operation, why] of problems) {
      onRow(rowOf({ subject: name, isPeer, operation, file: entry.file, why, disaster, milliseconds }));
    }
  }
  return source;
}

/** The middle third of the document, and for each feature that it does not show the first page that does. */
function rangesOf(source: DescribedDocument, present: readonly Feature[]): readonly PageRange[] {
  const count = source.pages.length;
  const length = Math.min(Math.max(1, Math.round(count / 3)), LONGEST_RANGE);
  const first = Math.floor((count - length) / 2);
  const last = first + length - 1;
  const ranges: PageRange[] = [{ first: first + 1, last: last + 1 }];
  const shows = (feature: Feature, range: PageRange) =>
    feature.facts(new PagesOf(source, indicesOf({ range }, 0))).length > 0;
  for (const feature of present) {
    if (ranges.length >= MOST_RANGES || ranges.some((range) => shows(feature, range))) continue;
    const page = source.pages.findIndex((_, index) => shows(feature, { first: index + 1, last: index + 1 }));
    if (page >= 0) ranges.push({ first: page + 1, last: page + 1 });
  }
  return ranges;
}

type Judge = (output: DescribedDocument) => string;

function judgesOf(
  source: DescribedDocument,
  range: PageRange,
  native: DescribedDocument,
  present: readonly Feature[],
): ReadonlyMap<string, Judge> {
  const indices = indicesOf({ range }, range.last);
  const pages = new PagesOf(source, indices);
  const judges = new Map<string, Judge>();
  for (const feature of present) {
    const expected = feature.fate === "kept" ? feature.facts(pages) : [];
    judges.set(feature.name, (output) => difference(feature.facts(new PagesOf(output)), expected));
  }
  const used = resourceNames(native);
  if (source.pages.length > 0 && namesOn(source, pages) > used.size) {
    judges.set(UNUSED_RESOURCES, (output) => {
      const kept = [...resourceNames(output)].filter((name) => !used.has(name));
      return kept.length > 0 ? `still has ${kept[0]} and ${kept.length - 1} more` : "";
    });
  }
  const leftBehind = streamsLeftBehind(source, indices, native);
  if (leftBehind.size > 0) {
    judges.set(OTHER_PAGES, (output) => {
      const held = countHeld(output, leftBehind);
      return held > 0 ? `holds ${held} of them` : "";
    });
  }
  return judges;
}

function namesOn(source: DescribedDocument, { pages }: PagesOf): number {
  return pages.reduce((sum, page) => {
    const resources = source.dict(source.inherited(page, "/Resources"));
    const kinds = [resources["/Font"], resources["/XObject"]];
    return sum + kinds.reduce<number>((count, kind) => count + Object.keys(source.dict(kind)).length, 0);
  }, 0);
}

/** The first thing that is said of one and not of the other. */
export function difference(facts: readonly string[], expected: readonly string[]): string {
  const at = expected.findIndex((fact, index) => facts[index] !== fact);
  const place = at >= 0 ? at : expected.length;
  if (place >= expected.length && place >= facts.length) return "";
  return `${quoted(facts[place])}, not ${quoted(expected[place])}`;
}

function quoted(fact: string | undefined): string {
  return fact === undefined ? "nothing" : `“${fact.slice(0, 140)}”`;
}

/** The document that came of it, or why none did. */
export async function describedOutcome(outcome: PdfOutcome): Promise<DescribedDocument | string> {
  if (outcome.kind !== "files") return `${outcome.kind}: ${outcome.message}`;
  try {
    return await DescribedDocument.read(outcome.paths[0] ?? "");
  } catch (error) {
    if (error instanceof OracleFailure) return error.message;
    throw error;
  }
}
