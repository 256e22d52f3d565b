import { writeFileSync } from "node:fs";
import { arch, cpus, platform } from "node:os";
import { announceMissing, runTool, type Scratch } from "../../support/native-tools.ts";
import { type BenchInput, benchInputs, describe } from "./bench-inputs.ts";
import { gather } from "./contestants.ts";
import { protectNatively } from "./native.ts";
import { emptyFolder, runScratch } from "./output-folder.ts";
import { type ResultRow, resultRows } from "./result-rows.ts";
import { takeTurns } from "./rounds.ts";
import { HEADINGS, tableLine } from "./table.ts";
import { type BenchOperation, type Contestant, type ContestantName, OPERATIONS } from "./task.ts";

export interface PdfBenchSettings {
  readonly by: ReadonlySet<ContestantName>;
  readonly rounds: number;
  /** Multiplies the inputs' sizes. */
  readonly scale: number;
  readonly huge: boolean;
  /** A part of the names of what is to run, as `objects split`; all when empty. */
  readonly only: string;
  /** The `dist` folder of another build to measure beside this one. */
  readonly against: string | undefined;
  /** Where the results are written, too. */
  readonly json: string | undefined;
}

/** Measures all contestants, and prints one table of ratios to native qpdf. */
export async function benchPdf(settings: PdfBenchSettings): Promise<void> {
  if (announceMissing("the benchmark", ["qpdf", "unzip"]).length > 0) return;
  const { rounds, scale, huge, only } = settings;
  const scratch = runScratch();
  const field: Contestant[] = [];
  const rows: ResultRow[] = [];
  const inputs: string[] = [];
  try {
    field.push(...(await gather(settings.by, scratch, settings.against)));
    const sizes = scale === 1 ? "" : ` Sizes times ${scale}, for which the targets are not meant.`;
    console.log(`Medians of ${rounds}, ratios to native qpdf in this run.${sizes}\n${HEADINGS}`);
    for (const input of benchInputs(scale)) {
      if (input.name === "huge scan" && !huge) continue;
      const operations = OPERATIONS.filter((operation) => `${input.name} ${operation}`.includes(only));
      if (operations.length === 0) continue;
      const result = await benchInput(input, operations, field, rounds, scratch);
      inputs.push(result.description);
      rows.push(...result.rows);
    }
    summarize(inputs, rows);
    if (settings.json !== undefined) {
      const about = { machine: await machine(), rounds, scale, inputs };
      writeFileSync(settings.json, `${JSON.stringify({ ...about, rows }, undefined, 2)}\n`);
    }
  } finally {
    for (const contestant of field) await contestant.close();
    scratch.remove();
  }
}

async function benchInput(
  input: BenchInput,
  operations: readonly BenchOperation[],
  field: readonly Contestant[],
  rounds: number,
  scratch: Scratch,
) {
  const folder = scratch.path("input");
  emptyFolder(folder);
  const plain = `${folder}/bench.pdf`;
  await input.write(plain);
  const { pageCount, timeLimitMs } = input;
  const isSmall = input.name === "document";
  const folders = { output: scratch.path("output"), unpacked: scratch.path("unpacked") };
  const rows: ResultRow[] = [];
  for (const operation of operations) {
    const path = operation === "unlock" ? await protectNatively(plain, folder) : plain;
    const work = { operation, input: path, pageCount, isSmall, timeLimitMs };
    const measured = await takeTurns(work, field, rounds, folders);
    for (const row of resultRows(input.name, operation, measured)) {
      console.log(tableLine(row));
      rows.push(row);
    }
  }
  const description = describe(input, plain);
  emptyFolder(folder);
  return { rows, description };
}

function summarize(inputs: readonly string[], rows: readonly ResultRow[]): void {
  const verdicts = rows.flatMap((row) =>
    row.kind === "done" ? [row.time?.verdict ?? [], row.memoryVerdict ?? []].flat() : [],
  );
  const within = verdicts.filter((verdict) => verdict === "within").length;
  console.log(
    [
      "",
      "Time: from the call, with the input on the disk, until every byte of the output can be read; of native qpdf with",
      "its start, of Chromium a call of a client that has worked for a second (cold: its first; idle: what the browser",
      "takes when a worker reads the input, does nothing with it, and makes a Blob as long as the output).",
      "Memory: the most of each process, of Chromium's what is added to its idle size; its target is the renderer's.",
      ...inputs,
      `${within} of ${verdicts.length} targets met.`,
    ].join("\n"),
  );
  // A benchmark in which Stayput itself does not do the work has not shown anything.
  if (rows.some(({ kind, by }) => kind === "failed" && (by === "node" || by === "chromium"))) {
    process.exitCode = 1;
  }
}

async function machine() {
  const qpdf = (await runTool("qpdf", ["--version"])).stdout.toString().split("\n")[0];
  return {
    system: `${platform()} ${arch()}`,
    processor: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    node: process.version,
    qpdf,
  };
}
