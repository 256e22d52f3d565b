import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { OracleFailure, qpdfWrites } from "../../support/oracles.ts";
import type { SplitCase } from "./cases.ts";
import { type OurEngine, qpdfOutcome } from "./contestant.ts";
import { DescribedDocument } from "./described-document.ts";

/** A page may be so much larger than native qpdf's, where it is taken from a resource dictionary of all. */
const TOLERANCE = 1.1;
const MOST_PAGES = 200;

/** The sizes of all pages of a document as single files, in bytes. */
export interface BurstSizes {
  readonly file: string;
  readonly pages: number;
  readonly ours: number;
  /** `qpdf --pages . N --` with its defaults, for each page. */
  readonly native: number;
  /** `qpdf --split-pages`, which keeps nothing of the document but its pages. */
  readonly bare: number;
}

export const SHARED_RESOURCES = "page out of one resource dictionary";

/** Splits a document into its pages and measures them. Undefined when a program fails. */
export async function weighBurst(
  { entry, path, password, scratch, onRow }: SplitCase,
  engine: OurEngine,
): Promise<BurstSizes | undefined> {
  const pages = entry.qpdfPages ?? 0;
  if (pages < 2 || pages > MOST_PAGES) return undefined;
  const start = performance.now();
  const outcome = await engine.burst(path, password, scratch);
  const milliseconds = performance.now() - start;
  if (outcome.kind !== "files" || outcome.paths.length !== pages) return undefined;
  const ours = outcome.paths.map((output) => statSync(output).size);
  const native: number[] = [];
  const strict: number[] = [];
  for (let page = 1; page <= pages; page++) {
    const range = { first: page, last: page };
    const option = "--remove-unreferenced-resources";
    const whole = await qpdfOutcome(path, password, range, scratch);
    const pruned = await qpdfOutcome(path, password, range, scratch, [`${option}=yes`]);
    if (whole.kind !== "files" || pruned.kind !== "files") return undefined;
    native.push(statSync(whole.paths[0] ?? "").size);
    strict.push(statSync(pruned.paths[0] ?? "").size);
  }
  // Native qpdf may find fewer pages in a damaged document.
  if (entry.qpdfCheck === "ok" && (await sharesResources(path, password))) {
    const page = ours.findIndex((size, index) => size > TOLERANCE * (strict[index] ?? 0));
    const why = page < 0 ? "" : `page ${page + 1}: ${ours[page]} bytes, not ${strict[page]}`;
    onRow({
      subject: "ours",
      operation: SHARED_RESOURCES,
      file: entry.file,
      passed: why === "",
      why,
      disaster: undefined,
      milliseconds,
    });
  }
  const bare = await bareBurst(path, password, scratch.path("bare"));
  return { file: entry.file, pages, ours: sum(ours), native: sum(native), bare };
}

async function bareBurst(path: string, password: string | undefined, directory: string): Promise<number> {
  mkdirSync(directory);
  const opening = password === undefined ? [] : [`--password=${password}`];
  await qpdfWrites([...opening, "--decrypt", "--split-pages=1", path, join(directory, "%d.pdf")]);
  return sum(readdirSync(directory).map((name) => statSync(join(directory, name)).size));
}

async function sharesResources(path: string, password: string | undefined): Promise<boolean> {
  try {
    const source = await DescribedDocument.read(path, password);
    const dictionaries = source.pages.map((page) => JSON.stringify(source.inherited(page, "/Resources")));
    return new Set(dictionaries).size < dictionaries.length;
  } catch (error) {
    if (error instanceof OracleFailure) return false;
    throw error;
  }
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
