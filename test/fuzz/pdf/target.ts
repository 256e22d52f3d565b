import { hasTool, Scratch } from "../../support/native-tools.ts";
import { Random } from "../random.ts";
import type { Run, Settings, StartedTarget } from "../target.ts";
import { EngineThread } from "./engine-thread.ts";
import type { EngineOutcome } from "./engine-worker.ts";
import { type FuzzCase, makeCase } from "./fuzz-case.ts";
import { NEW_PASSWORD, nameOf, type Operation } from "./operations.ts";
import { loadSeeds, type Seed } from "./seeds.ts";
import { firstComplaint, isSound } from "./soundness.ts";

/** Buffers count here, which the thread's own limit leaves out. */
const GROWTH_LIMIT = 600 * 1024 ** 2;
const CASES_PER_COVERAGE = 100;

/** Starts the fuzzer of the PDF engine: each case goes through all operations. */
export async function startPdf(settings: Settings): Promise<StartedTarget> {
  if (settings.checked > 0 && !hasTool("qpdf"))
    process.stderr.write("SKIPPED: native qpdf's judgement of outputs\n");
  return new PdfFuzzer(settings, await loadSeeds(settings.folder));
}

class PdfFuzzer implements StartedTarget {
  readonly #settings: Settings;
  readonly #seeds: readonly Seed[];
  readonly #thread = new EngineThread();
  readonly #scratch = new Scratch();

  constructor(settings: Settings, seeds: readonly Seed[]) {
    this.#settings = settings;
    this.#seeds = seeds;
  }

  get seeds(): number {
    return this.#seeds.length;
  }

  async examine(index: number): Promise<readonly string[]> {
    const { seedNumber, checked, tally } = this.#settings;
    const fuzzCase = makeCase(this.#seeds, seedNumber, index);
    const { input, password, operations, reread, log } = fuzzCase;
    const isChecked = hasTool("qpdf") && new Random(index, 1).chance(checked);
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
      tally.count(fuzzCase, nameOf(operation), run, GROWTH_LIMIT);
      if (sound) await this.#judge(fuzzCase, operation, run);
    }
    return log;
  }

  /** Judges what became of a sound file. */
  async #judge(fuzzCase: FuzzCase, operation: Operation, { outcome }: Run<EngineOutcome>): Promise<void> {
    const { tally } = this.#settings;
    if (outcome.kind === "typed error") {
      // Crowded files are too much work on purpose. A split refuses a page that has too many filters.
      const isBomb = fuzzCase.log[0]?.startsWith("crowded");
      const isRefusal = isBomb || "filter_limit" in outcome.details;
      if (!isRefusal && ["damaged_file", "out_of_memory"].includes(outcome.code))
        tally.fail(fuzzCase, nameOf(operation), "sound file refused", outcome.message);
    }
    if (outcome.kind !== "files") return;
    const password = operation.kind === "protect" ? NEW_PASSWORD : undefined;
    const complaint = await firstComplaint(outcome.outputs, password, this.#scratch);
    if (complaint !== "") tally.fail(fuzzCase, nameOf(operation), "unsound output", complaint);
  }

  async close(): Promise<void> {
    await this.#thread.close();
    this.#scratch.remove();
  }
}
