import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { CorpusFamily, Row } from "./family.ts";
import { imageFamily } from "./image/family.ts";
import { type ManifestEntry, readManifest } from "./manifest.ts";
import { pdfFamily } from "./pdf/family.ts";
import { renderFamily } from "./render/family.ts";
import { tableOf, targetsOf } from "./report.ts";
import { roundTripFamily } from "./round-trip/family.ts";
import { splitFamily } from "./split/family.ts";

/**
 * `npm run corpus -- DIR`: every operation over a folder of real files with a `manifest.json`, judged by native
 * programs; one table, then a row for each miss. `N passed, N failed` counts targets.
 */

const FAMILIES: readonly CorpusFamily[] = [
  pdfFamily,
  renderFamily,
  imageFamily,
  splitFamily,
  roundTripFamily,
];
const DEFAULT_BROWSER_SAMPLE = 60;
const DEFAULT_OTHER_BROWSERS_SAMPLE = 12;
const USAGE =
  "usage: npm run corpus -- DIR [--family PDF|pages|images|split|round-trip] [--only SUBSTRING] [--browser FILES] [--other-browsers FILES] [--formats NUMBER] [--sample FILES] [--pictures] [--reference] [--json FILE]";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    family: { type: "string" },
    only: { type: "string" },
    browser: { type: "string" },
    "other-browsers": { type: "string" },
    formats: { type: "string" },
    sample: { type: "string" },
    pictures: { type: "boolean", default: false },
    reference: { type: "boolean", default: false },
    json: { type: "string" },
  },
});

function numberOf(option: "browser" | "other-browsers" | "formats" | "sample", otherwise: number): number {
  const given = options[option];
  if (given === undefined) return otherwise;
  const asked = Number(given);
  if (Number.isInteger(asked) && asked >= 0) return asked;
  throw new Error(`--${option} takes a number\n${USAGE}`);
}

/** Tells every few seconds how far the run has come; what it says is not part of the result. */
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
      browserSample: numberOf("browser", DEFAULT_BROWSER_SAMPLE),
      otherBrowsersSample: numberOf("other-browsers", DEFAULT_OTHER_BROWSERS_SAMPLE),
      formats: numberOf("formats", Number.POSITIVE_INFINITY),
      sample: numberOf("sample", Number.POSITIVE_INFINITY),
      pictures,
      reference,
    };
    console.log(`${family.name}: ${members.length} files`);
    await family.examine(members, settings, (row) => {
      rows.push(row);
      tell(row);
    });
  }
  return inOrder(rows, entries);
}

/** Rows by subject, then in the manifest's order: lanes that work side by side mix them up. */
function inOrder(rows: readonly Row[], entries: readonly ManifestEntry[]): readonly Row[] {
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
  console.error(USAGE);
  process.exitCode = 1;
} else if (!existsSync(join(directory, "manifest.json"))) {
  console.log(`SKIPPED: the corpus: there is no manifest.json in ${directory}`);
  console.log("0 passed, 0 failed");
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
  process.exitCode = missed.length > 0 ? 1 : 0;
}
