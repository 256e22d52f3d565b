import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { qpdfWrites } from "../../support/oracles.ts";
import { rowOf } from "../family.ts";
import type { SplitCase } from "./cases.ts";
import { type OurEngine, qpdfOutcome } from "./contestant.ts";
import type { DescribedDocument } from "./described-document.ts";

/** A page may be so much larger than native qpdf's, where it is taken from a resource dictionary of all. */
const TOLERANCE = 1.1;
const MOST_PAGES = 200;

/** The sizes of all pages of a document as single files, in bytes. */
export interface BurstSizes {
  readonly pages: number;
  readonly ours: number;
  /** `qpdf --pages . N --` with its defaults, for each page. */
  readonly native: number;
  /** `qpdf --split-pages`, which keeps nothing of the document but its pages. */
  readonly bare: number;
}

const SHARED_RESOURCES = "page out of one resource dictionary";

/**
 * Splits a document into its pages and measures them. Undefined when a program fails.
 *
 * @param source the document as native qpdf reads it
 * @param withBare whether `qpdf --split-pages` is measured, too
 */
export async function weighBurst(
  { entry, path, password, scratch, onRow }: SplitCase,
  source: DescribedDocument | undefined,
  engine: OurEngine,
  withBare: boolean,
): Promise<BurstSizes | undefined> {
  const pages = entry.qpdfPages ?? 0;
  if (pages < 2 || pages > MOST_PAGES) return undefined;
  await engine.prepare();
  const start = performance.now();
  const outcome = await engine.split(path, password, "all", scratch);
  const milliseconds = performance.now() - start;
  if (outcome.kind !== "files" || outcome.paths.length !== pages) return undefined;
  const ours = outcome.paths.map((output) => statSync(output).size);
  const nativeSizes = async (options: readonly string[]) => {
    const sizes: number[] = [];
    for (let page = 1; page <= pages; page++) {
      const single = await qpdfOutcome(path, password, { first: page, last: page }, scratch, options);
      if (single.kind !== "files") return undefined;
      sizes.push(statSync(single.paths[0] ?? "").size);
    }
    return sizes;
  };
  const native = await nativeSizes([]);
  if (native === undefined) return undefined;
  // Native qpdf may find fewer pages in a damaged document.
  if (entry.qpdfCheck === "ok" && source && sharesResources(source)) {
    const strict = (await nativeSizes(["--remove-unreferenced-resources=yes"])) ?? [];
    const page = ours.findIndex((size, index) => size > TOLERANCE * (strict[index] ?? 0));
    const why = page < 0 ? "" : `page ${page + 1}: ${ours[page]} bytes, not ${strict[page]}`;
    onRow(rowOf({ subject: "ours", operation: SHARED_RESOURCES, file: entry.file, why, milliseconds }));
  }
  const bare = withBare ? await bareBurst(path, password, scratch.path("bare")) : 0;
  return { pages, ours: sum(ours), native: sum(native), bare };
}

async function bareBurst(path: string, password: string | undefined, directory: string): Promise<number> {
  mkdirSync(directory);
  const opening = password === undefined ? [] : [`--password=${password}`];
  await qpdfWrites([...opening, "--decrypt", "--split-pages=1", path, join(directory, "%d.pdf")]);
  return sum(readdirSync(directory).map((name) => statSync(join(directory, name)).size));
}

function sharesResources(source: DescribedDocument): boolean {
  const dictionaries = source.pages.map((page) => JSON.stringify(source.inherited(page, "/Resources")));
  return new Set(dictionaries).size < dictionaries.length;
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
