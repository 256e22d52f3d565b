import { join } from "node:path";
import { announceMissing, type Scratch } from "../../support/native-tools.ts";
import { median } from "../contest.ts";
import { gather } from "./contestants.ts";
import { writeScan } from "./inputs/scan.ts";
import { writeSmallObjects } from "./inputs/small-objects.ts";
import { protectNatively } from "./native.ts";
import { emptyFolder, runScratch } from "./output-folder.ts";
import { takeTurns } from "./rounds.ts";
import { megabytes, milliseconds } from "./table.ts";
import { type BenchOperation, type Contestant, OPERATIONS, type Run } from "./task.ts";

const FACTORS = [1, 4, 16] as const;
const TIME_LIMIT_MS = 60_000;

/** A document of which one thing grows, while the rest stays as it is. */
interface Series {
  readonly name: string;
  /** How much of it there is, by the factor. */
  readonly base: number;
  write(path: string, amount: number): void;
  pageCount(amount: number): number;
}

const SERIES: readonly Series[] = [
  {
    name: "pages",
    base: 125,
    write: (path, pages) => writeScan(path, { pages, bytesPerPage: 10_000 }),
    pageCount: (pages) => pages,
  },
  {
    name: "small objects",
    base: 12_500,
    write: (path, objects) => writeSmallObjects(path, { pages: 100, objectsPerPage: objects / 100 }),
    pageCount: () => 100,
  },
  {
    name: "bytes",
    base: 13_000_000,
    write: (path, bytes) => writeScan(path, { pages: 100, bytesPerPage: bytes / 100 }),
    pageCount: () => 100,
  },
];

export interface GrowthSettings {
  readonly rounds: number;
  /** A part of the name of what is to grow; all when empty. */
  readonly only: string;
}

/**
 * Prints, as a table for docs/performance.md, how time and memory in Chromium grow with the pages, the objects and the bytes
 * of a document.
 */
export async function benchGrowth({ rounds, only }: GrowthSettings): Promise<void> {
  if (announceMissing("the growth of time and memory", ["qpdf", "unzip"]).length > 0) return;
  const scratch = runScratch();
  const field = await gather(new Set(["chromium"]), scratch);
  try {
    const [chromium] = field;
    if (chromium === undefined) return;
    console.log(
      "In Chromium: time of a warm client's call (median), and what is added to the renderer's memory (most).\n",
    );
    console.log(`| what grows | operation | ${FACTORS.map((factor) => `${factor}×`).join(" | ")} |`);
    console.log(`| --- | --- | ${FACTORS.map(() => "---").join(" | ")} |`);
    for (const series of SERIES) {
      if (series.name.includes(only)) await benchSeries(series, chromium, rounds, scratch);
    }
  } finally {
    for (const contestant of field) await contestant.close();
    scratch.remove();
  }
}

async function benchSeries(
  series: Series,
  contestant: Contestant,
  rounds: number,
  scratch: Scratch,
): Promise<void> {
  const { name, base } = series;
  const cells = new Map<BenchOperation, string[]>(OPERATIONS.map((operation) => [operation, []]));
  const folder = scratch.path("input");
  const folders = { output: scratch.path("output"), unpacked: scratch.path("unpacked") };
  for (const factor of FACTORS) {
    emptyFolder(folder);
    const plain = join(folder, "bench.pdf");
    series.write(plain, base * factor);
    const pageCount = series.pageCount(base * factor);
    for (const [operation, row] of cells) {
      const input = operation === "unlock" ? await protectNatively(plain, folder) : plain;
      const work = { operation, input, pageCount, timeLimitMs: TIME_LIMIT_MS };
      const measured = await takeTurns(work, [contestant], rounds, folders);
      row.push(cell(measured.get(contestant) ?? []));
    }
  }
  const grows = `${FACTORS.map((factor) => (base * factor).toLocaleString("en")).join(", ")} ${name}`;
  for (const [operation, row] of cells) console.log(`| ${[grows, operation, ...row].join(" | ")} |`);
}

/** The median time, and what the work adds to the memory of the process that does it. */
function cell(runs: readonly Run[]): string {
  const failure = runs.find((run) => run.kind === "failed");
  if (failure !== undefined) return `failed: ${failure.why}`;
  const done = runs.flatMap((run) => (run.kind === "done" ? [run] : []));
  const growth = done.map(({ memory: [own] }) => (own === undefined ? 0 : own.peakBytes - own.idleBytes));
  return `${milliseconds(median(done.map((run) => run.milliseconds)))}, ${megabytes(Math.max(...growth))}`;
}
