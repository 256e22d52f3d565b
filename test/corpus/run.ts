import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { oneOf, readOptions, wholeNumber } from "../../scripts/options.mjs";
import { announceBrowser } from "../support/browsers/browser-session.ts";
import { announceMissing } from "../support/native-tools.ts";
import { compressFamily } from "./compress/family.ts";
import { CorpusRun, type Lane, newLanes } from "./corpus-run.ts";
import type { CorpusFamily, Row, RunSettings } from "./family.ts";
import { imageFamily } from "./image/family.ts";
import { inspectFamily } from "./inspect/family.ts";
import { type ManifestEntry, readManifest } from "./manifest.ts";
import { mergeFamily } from "./merge/family.ts";
import { pdfFamily } from "./pdf/family.ts";
import { renderFamily } from "./render/family.ts";
import { oneLine, tableOf, targetsOf } from "./report.ts";
import { splitFamily } from "./split/family.ts";
import { textFamily } from "./text/family.ts";

/**
 * `npm run corpus -- DIR`: every operation over a folder of real files with a `manifest.json`, judged by native
 * programs. Each family has a table, then a row for each miss. `N passed, N failed` counts targets.
 */

const FAMILIES: readonly CorpusFamily[] = [
  pdfFamily,
  renderFamily,
  textFamily,
  imageFamily,
  splitFamily,
  mergeFamily,
  inspectFamily,
  compressFamily,
];

/** What `--quick` takes of a family, if not everything. */
const QUICK: Readonly<Record<string, Partial<RunSettings>>> = {
  PDF: { otherBrowsersSample: 0 },
  pages: { sample: 240, otherBrowsersSample: 4 },
  images: { formats: 2 },
  merge: { sample: 130 },
  compress: { sample: 40 },
};

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
    quick: {
      type: "boolean",
      default: false,
      about:
        "all files; but 240 PDFs are drawn, 40 compressed, 130 merges made, and images converted to two formats each",
    },
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
    peers: {
      type: "boolean",
      default: false,
      about: "native qpdf and @cantoo/pdf-lib split and merge, too, for comparison",
    },
    json: { type: "string", value: "FILE", about: "where the rows are written, too" },
  },
  true,
);

function settingsFor({ name }: CorpusFamily): RunSettings {
  // All when absent.
  const numberOf = (text: string | undefined) => Number(text ?? Number.POSITIVE_INFINITY);
  return {
    directory: positionals[0] ?? "",
    browserSample: numberOf(options.browser),
    otherBrowsersSample: numberOf(options["other-browsers"]),
    sample: numberOf(options.sample),
    formats: numberOf(options.formats),
    peers: options.peers,
    ...(options.quick && QUICK[name]),
  };
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

/** Sorts rows by subject, then by the manifest's order. Parallel lanes mix them. */
function inOrder(rows: readonly Row[], entries: readonly ManifestEntry[]): readonly Row[] {
  const place = new Map(entries.map((entry, index) => [entry.file, index]));
  const subjects = [...new Set(rows.map((row) => row.subject))];
  return subjects.flatMap((subject) =>
    rows
      .filter((row) => row.subject === subject)
      .sort((one, other) => (place.get(one.file) ?? 0) - (place.get(other.file) ?? 0)),
  );
}

/** Whether this machine has what a family needs. Prints a SKIPPED line when it has not. */
function canExamine({ name, tools, needsChromium = false }: CorpusFamily): boolean {
  const suite = `the corpus's ${name}`;
  return announceMissing(suite, tools).length === 0 && (!needsChromium || announceBrowser("chromium", suite));
}

/** Examines the files of a family, and prints what came of it. */
async function examine(
  family: CorpusFamily,
  entries: readonly ManifestEntry[],
  lanes: readonly Lane[],
): Promise<{ readonly rows: readonly Row[]; readonly passed: number; readonly failed: number }> {
  console.log(`${family.name}: ${entries.length} files`);
  if (entries.length === 0 || !canExamine(family)) return { rows: [], passed: 0, failed: 0 };
  const start = performance.now();
  const found: Row[] = [];
  const tell = progressTeller(entries.length);
  const onRow = (row: Row) => {
    found.push(row);
    tell(row);
  };
  await family.examine(entries, new CorpusRun(settingsFor(family), lanes, onRow));
  const rows = inOrder(found, entries);
  const targets = targetsOf(rows);
  const missed = targets.filter((target) => !target.met);
  console.log(tableOf(rows));
  for (const { name, detail } of missed) console.log(`TARGET MISSED  ${name}: ${detail}`);
  console.log(
    `${family.name}: ${rows.length} checks in ${((performance.now() - start) / 1000).toFixed(0)} s\n`,
  );
  return { rows, passed: targets.length - missed.length, failed: missed.length };
}

async function main(directory: string): Promise<void> {
  const entries = (await readManifest(directory)).filter(({ file }) => file.includes(options.only ?? ""));
  const absent = entries.filter(({ file }) => !existsSync(join(directory, file)));
  if (absent.length > 0) throw new Error(`not on disk: ${absent.map(({ file }) => file).join(", ")}`);
  const lanes = newLanes();
  const rows: Row[] = [];
  let [passed, failed] = [0, 0];
  for (const family of FAMILIES) {
    if ((options.family ?? family.name) !== family.name) continue;
    try {
      const outcome = await examine(family, entries.filter(family.accepts), lanes);
      rows.push(...outcome.rows);
      passed += outcome.passed;
      failed += outcome.failed;
    } catch (error) {
      // The families after it may show the cause.
      console.error(error);
      console.log(`FAILED  ${family.name}: ${oneLine(String(error))}`);
      failed += 1;
    }
  }
  for (const lane of lanes) await lane.close();
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify(rows, undefined, 1));
  console.log(`${passed} passed, ${failed} failed`);
  if (rows.length === 0) console.error("Nothing was checked: no file is of that family and of that name.");
  process.exitCode = failed > 0 || rows.length === 0 ? 1 : 0;
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
} else await main(directory);
