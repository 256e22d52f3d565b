import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import { findChromium } from "../../scripts/machine.mjs";
import { qpdfPageCount } from "../native/oracles.ts";
import { announceMissing, Scratch } from "../native/tools.ts";
import { chromiumClient } from "./chromium.ts";
import {
  type Contestant,
  type Measurement,
  median,
  OPERATIONS,
  PASSWORD,
  pagesToSplit,
  type Task,
} from "./contest.ts";
import { writeScannedDocument } from "./document.ts";
import { nativeQpdf } from "./native.ts";
import { nodeEngine } from "./node.ts";

/**
 * `npm run bench`: protect, unlock and split of a large scanned document, in Node and in Chromium, as ratios to
 * native qpdf's time on the same file in the same run. With `--images`, conversions of images instead; with `--render`,
 * pages of PDFs to JPEG.
 */

const MEGABYTE = 1_000_000;

const { values: options } = parseArgs({
  options: {
    megabytes: { type: "string", default: "210" },
    pages: { type: "string", default: "100" },
    rounds: { type: "string", default: "3" },
    "no-browser": { type: "boolean", default: false },
    images: { type: "boolean", default: false },
    megapixels: { type: "string", default: "12,48" },
    only: { type: "string", default: "" },
    "no-peers": { type: "boolean", default: false },
    heic: { type: "string" },
    render: { type: "boolean", default: false },
    "page-counts": { type: "string", default: "20,200" },
  },
});

function positive(name: "megabytes" | "pages" | "rounds"): number {
  const value = Number(options[name]);
  if (value > 0 && (name === "megabytes" || Number.isInteger(value))) return value;
  throw new Error(`--${name} takes a number above 0`);
}

async function contestants(): Promise<readonly Contestant[]> {
  if (options["no-browser"]) return [nativeQpdf, nodeEngine];
  if (findChromium() !== undefined) return [nativeQpdf, nodeEngine, await chromiumClient()];
  process.stderr.write("SKIPPED: the benchmark in a browser: no Chromium on this machine\n");
  return [nativeQpdf, nodeEngine];
}

/** Rounds go by turns, so that whatever else the machine does falls on all alike. */
async function measure(
  task: Task,
  field: readonly Contestant[],
  rounds: number,
): Promise<ReadonlyMap<Contestant, readonly Measurement[]>> {
  const measured = new Map(field.map((contestant) => [contestant, [] as Measurement[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const contestant of field) measured.get(contestant)?.push(await contestant.run(task));
  }
  return measured;
}

const medianOf = (runs: readonly Measurement[], key: keyof Measurement) =>
  median(runs.map((run) => run[key]));
const inMegabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(0)} MB`;

function row(operation: string, name: string, runs: readonly Measurement[], native: readonly Measurement[]) {
  const milliseconds = medianOf(runs, "milliseconds");
  return [
    operation,
    name,
    `${milliseconds.toFixed(0)} ms`,
    (milliseconds / medianOf(native, "milliseconds")).toFixed(2),
    inMegabytes(medianOf(runs, "peakBytes")),
    inMegabytes(medianOf(runs, "outputBytes")),
  ];
}

function print(rows: readonly (readonly string[])[]): void {
  const width = (column: number) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0));
  for (const cells of rows) {
    const line = cells.map((cell, column) =>
      column < 2 ? cell.padEnd(width(column)) : cell.padStart(width(column)),
    );
    console.log(line.join("  "));
  }
}

/** What Node, the last to write, wrote: speed counts only when the work was done. */
async function expectSound(output: string, pages: number): Promise<void> {
  const found = await qpdfPageCount(output, PASSWORD);
  if (found !== pages) throw new Error(`the output has ${found} pages, not ${pages}`);
}

async function run(): Promise<void> {
  const [pages, rounds] = [positive("pages"), positive("rounds")];
  const scratch = new Scratch();
  const field = await contestants();
  try {
    const plain = scratch.path("scan.pdf");
    const bytesPerPage = Math.round((positive("megabytes") * MEGABYTE) / pages);
    writeScannedDocument(plain, { pages, bytesPerPage });
    console.log(
      `${inMegabytes(statSync(plain).size)}, ${pages} pages of JPEG, medians of ${rounds}; ` +
        `peak memory of Node with Node itself, of Chromium above what it took before`,
    );
    const locked = scratch.path("locked.pdf");
    const output = scratch.path("output.pdf");
    const selection = pagesToSplit(pages);
    await nativeQpdf.run({ operation: "protect", input: plain, output: locked, pages: selection });
    const rows = [["operation", "by", "time", "ratio", "peak memory", "output"]];
    for (const operation of OPERATIONS) {
      const input = operation === "unlock" ? locked : plain;
      const measured = await measure({ operation, input, output, pages: selection }, field, rounds);
      const native = measured.get(nativeQpdf) ?? [];
      await expectSound(output, operation === "split" ? Math.min(10, pages) : pages);
      for (const [contestant, runs] of measured) rows.push(row(operation, contestant.name, runs, native));
    }
    print(rows);
  } finally {
    for (const contestant of field) await contestant.close();
    scratch.remove();
  }
}

async function runImages(): Promise<void> {
  const megapixels = options.megapixels.split(",").map(Number);
  if (!megapixels.every((value) => value > 0)) throw new Error("--megapixels takes numbers above 0");
  const { benchImages } = await import("./image/run.ts");
  const { only, heic } = options;
  await benchImages({ megapixels, rounds: positive("rounds"), only, peers: !options["no-peers"], heic });
}

async function runRender(): Promise<void> {
  const pageCounts = options["page-counts"].split(",").map(Number);
  if (!pageCounts.every((value) => value > 0)) throw new Error("--page-counts takes numbers above 0");
  const { benchRender } = await import("./render/run.ts");
  await benchRender({ pageCounts, rounds: positive("rounds"), peers: !options["no-peers"] });
}

if (options.images) await runImages();
else if (options.render) await runRender();
else if (announceMissing("the benchmark", ["qpdf"]).length === 0) await run();
