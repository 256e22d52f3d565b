import { existsSync } from "node:fs";
import { join } from "node:path";
import { number, POSITIVE, readOptions, wholeNumber } from "../../scripts/options.mjs";
import { hasTool, Scratch } from "../support/native-tools.ts";
import { EngineThread, type Run } from "./pdf/engine-thread.ts";
import { type FuzzCase, makeCase } from "./pdf/fuzz-case.ts";
import { NEW_PASSWORD, type Operation } from "./pdf/operations.ts";
import { Random } from "./random.ts";
import { loadSeeds } from "./pdf/seeds.ts";
import { firstComplaint, isSound } from "./pdf/soundness.ts";
import { Tally } from "./tally.ts";

/** The process may grow by this much in one run: buffers count here, which the thread's own limit leaves out. */
const GROWTH_LIMIT_BYTES = 600 * 1024 ** 2;
const CASES_PER_COVERAGE = 100;
const CASES_PER_PROGRESS = 1000;

const { values, positionals } = readOptions(
  "npm run fuzz -- [DIR]",
  {
    runs: {
      type: "string",
      value: "N",
      takes: wholeNumber(1),
      default: "4000",
      about: "how many runs of an operation",
    },
    seconds: {
      type: "string",
      value: "N",
      takes: POSITIVE,
      about: "how long it runs, in place of --runs",
    },
    seed: {
      type: "string",
      value: "N",
      takes: wholeNumber(0),
      about: "makes the same cases again; another each time when absent",
    },
    only: { type: "string", value: "N", takes: wholeNumber(0), about: "makes this case alone" },
    check: {
      type: "string",
      value: "SHARE",
      takes: number(0, 1),
      default: "0.01",
      about: "the share of cases whose outputs native qpdf judges, from 0 to 1",
    },
  },
  true,
);

class Fuzzer {
  readonly #thread = new EngineThread();
  readonly #scratch = new Scratch();
  readonly #tally: Tally;
  readonly #checked: number;

  constructor(tally: Tally, checked: number) {
    this.#tally = tally;
    this.#checked = checked;
  }

  async examine(fuzzCase: FuzzCase): Promise<void> {
    const { index, input, password, operations, reread } = fuzzCase;
    const isChecked = new Random(index, 1).chance(this.#checked);
    const sound = isChecked && (await isSound(input, password, this.#scratch));
    for (const operation of operations) {
      const request = {
        operation,
        input,
        reread,
        outputs: sound ? 3 : 0,
        coverage: index % CASES_PER_COVERAGE === 0,
      };
      const run = await this.#thread.run(request);
      this.#tally.count(fuzzCase, operation, run);
      this.#judge(fuzzCase, operation, run, sound);
      if (sound) await this.#checkOutputs(fuzzCase, operation, run);
    }
  }

  #judge(fuzzCase: FuzzCase, operation: Operation, { outcome, grown }: Run, sound: boolean): void {
    if (outcome.kind === "typed error") {
      // Crowded files are too much work on purpose. A split refuses a page that has too many filters.
      const isBomb = fuzzCase.log[0]?.startsWith("crowded");
      const hasTooManyFilters = "filter_limit" in outcome.details;
      const isRefusal = isBomb || hasTooManyFilters;
      if (sound && !isRefusal && ["damaged_file", "internal_error", "out_of_memory"].includes(outcome.code)) {
        this.#tally.fail(fuzzCase, operation, "sound file refused", outcome.message);
      }
    } else if (outcome.kind !== "files") {
      this.#tally.fail(fuzzCase, operation, outcome.kind, outcome.message);
    }
    if (grown > GROWTH_LIMIT_BYTES) {
      this.#tally.fail(fuzzCase, operation, "too much memory", `${operation.kind} took ${grown} bytes`);
    }
  }

  async #checkOutputs(fuzzCase: FuzzCase, operation: Operation, { outcome }: Run): Promise<void> {
    if (outcome.kind !== "files") return;
    const password = operation.kind === "protect" ? NEW_PASSWORD : undefined;
    const complaint = await firstComplaint(outcome.outputs, password, this.#scratch);
    if (complaint !== "") this.#tally.fail(fuzzCase, operation, "unsound output", complaint);
  }

  async close(): Promise<void> {
    await this.#thread.close();
    this.#scratch.remove();
  }
}

const defaultFolder = join(import.meta.dirname, "../../../shared/corpus");
const folder = positionals[0] ?? (existsSync(defaultFolder) ? defaultFolder : undefined);
const seedNumber = Number(values.seed ?? Date.now() % 1e9);
const only = values.only === undefined ? undefined : Number(values.only);
const deadline = values.seconds === undefined ? undefined : performance.now() + Number(values.seconds) * 1000;
const runs = deadline === undefined ? Number(values.runs) : Number.POSITIVE_INFINITY;
const checked = hasTool("qpdf") ? Number(values.check) : 0;
if (checked === 0) process.stderr.write("SKIPPED: native qpdf's judgement of outputs\n");

const seeds = await loadSeeds(folder);
console.log(`${seeds.length} seeds; seed number ${seedNumber}`);
const tally = new Tally(seedNumber);
const fuzzer = new Fuzzer(tally, only === undefined ? checked : 1);
for (let index = only ?? 0; tally.runs < runs && performance.now() < (deadline ?? Infinity); index++) {
  const fuzzCase = makeCase(seeds, seedNumber, index);
  await fuzzer.examine(fuzzCase);
  if (only !== undefined) {
    console.log(fuzzCase.log.join("\n"));
    break;
  }
  if (index > 0 && index % CASES_PER_PROGRESS === 0)
    console.log(`${tally.runs} runs, ${tally.failed} failed`);
}
await fuzzer.close();
tally.print();
process.exitCode = tally.failed > 0 ? 1 : 0;
