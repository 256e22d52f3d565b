import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { oneOf, readOptions, wholeNumber } from "../../scripts/options.mjs";
import type { CorpusFamily, Row } from "./family.ts";
import { imageFamily } from "./image/family.ts";
import { inspectFamily } from "./inspect/family.ts";
import { type ManifestEntry, readManifest } from "./manifest.ts";
import { mergeFamily } from "./merge/family.ts";
import { pdfFamily } from "./pdf/family.ts";
import { renderFamily } from "./render/family.ts";
import { tableOf, targetsOf } from "./report.ts";
import { roundTripFamily } from "./round-trip/family.ts";
import { splitFamily } from "./split/family.ts";
import { textFamily } from "./text/family.ts";

/**
 * `npm run corpus -- DIR`: every operation over a folder of real files with a `manifest.json`, judged by native
 * programs; one table, then a row for each miss. `N passed, N failed` counts targets.
 */

const FAMILIES: readonly CorpusFamily[] = [
  pdfFamily,
  renderFamily,
  textFamily,
  imageFamily,
  splitFamily,
  mergeFamily,
  roundTripFamily,
  inspectFamily,
];

const { values: options, positionals } = readOptions(
  "npm run corpus -- DIR",
  {
    family: {
      type: "string",
      value: "NAME",
      takes: oneOf(FAMILIES.map(({ name }) => name)),
      about: `one alone of ${FAMILIES.map(({ name }) => name).join(", ")}`,
    },
    only: { type: "string", about: "a part of the names of the files to take" },
    browser: {
      type: "string",
      value: "N",
      takes: wholeNumber(0),
      default: "60",
      about: "how many PDFs go through the client in Chromium, too",
    },
    "other-browsers": {
      type: "string",
      value: "N",
      takes: wholeNumber(0),
      default: "12",
      about: "how many files of a kind Firefox and WebKit are given",
    },
    formats: {
      type: "string",
      value: "N",
      takes: wholeNumber(0),
      about: "into how many formats each image is converted; all when absent",
    },
    sample: {
      type: "string",
      value: "N",
      takes: wholeNumber(0),
      about: "how many files are drawn or read as text, and how many merges are made; all when absent",
    },
    pictures: {
      type: "boolean",
      default: false,
      about: "compares what the first pages of PDFs look like, too",
    },
    reference: {
      type: "boolean",
      default: false,
      about: "native programs stand in for Stayput: proves the comparison",
    },
    json: { type: "string", value: "FILE", about: "where the rows are written, too" },
  },
  true,
);

/** The number of an option. Infinity when it is absent. */
function numberOf(option: "browser" | "other-browsers" | "formats" | "sample"): number {
  return Number(options[option] ?? Number.POSITIVE_INFINITY);
}

/** Prints the progress of the run on stderr every ten seconds. */
function progressTeller(fileCount: number): (row: Row) => void {
  const files = new Set<string>();
  let told = performance.now();
  return (row) => {
    files.add(`${row.subject} ${row.file}`);
    if (performance.now() - told < 10_000) return;
    told = performance.now();
    process.stderr.write(`… ${files.size} files seen (${fileCount} in the corpus), now ${row.subject}\n`);
  };
}

async function run(directory: string): Promise<readonly Row[]> {
  const listed = await readManifest(directory);
  const entries = listed.filter((entry) => entry.file.includes(options.only ?? ""));
  const rows: Row[] = [];
  for (const family of FAMILIES) {
    if (options.family !== undefined && options.family !== family.name) continue;
    const members = entries.filter(family.accepts);
    const absent = members.filter((entry) => !existsSync(join(directory, entry.file)));
    if (absent.length > 0) throw new Error(`not on disk: ${absent.map((entry) => entry.file).join(", ")}`);
    const tell = progressTeller(members.length);
    const { pictures, reference } = options;
    const settings = {
      directory,
      browserSample: numberOf("browser"),
      otherBrowsersSample: numberOf("other-browsers"),
      formats: numberOf("formats"),
      sample: numberOf("sample"),
      pictures,
      reference,
    };
    console.log(`${family.name}: ${members.length} files`);
    await family.examine(members, settings, (row) => {
      rows.push(row);
      tell(row);
    });
  }
  return mapOrdered(rows, entries);
}

/** Sorts rows by subject, then by the manifest's order. Parallel lanes mix them. */
function mapOrdered(rows: readonly Row[], entries: readonly ManifestEntry[]): readonly Row[] {
  const place = new Map(entries.map((entry, index) => [entry.file, index]));
  const subjects = [...new Set(rows.map((row) => row.subject))];
  return subjects.flatMap((subject) =>
    rows
      .filter((row) => row.subject === subject)
      .sort((one, other) => (place.get(one.file) ?? 0) - (place.get(other.file) ?? 0)),
  );
}

const [directory] = positionals;
if (directory === undefined) {
  console.error("Which folder? npm run corpus -- DIR; --help tells the options.");
  process.exitCode = 1;
} else if (!existsSync(join(directory, "manifest.json"))) {
  // A wrong folder name must not count as success.
  console.error(
    `There is no manifest.json in ${directory}; test/corpus/manifest.ts says what it has to hold.`,
  );
  process.exitCode = 1;
} else {
  const start = performance.now();
  const rows = await run(directory);
  const targets = targetsOf(rows);
  const missed = targets.filter((target) => !target.met);
  console.log(tableOf(rows));
  for (const { name, detail } of missed) console.log(`TARGET MISSED  ${name}: ${detail}`);
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify(rows, undefined, 1));
  console.log(`${rows.length} checks in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  console.log(`${targets.length - missed.length} passed, ${missed.length} failed`);
  if (rows.length === 0) console.error("Nothing was checked: no file is of that family and of that name.");
  process.exitCode = missed.length > 0 || rows.length === 0 ? 1 : 0;
}
