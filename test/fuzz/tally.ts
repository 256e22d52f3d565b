import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MutatedInput, Run } from "./target.ts";

/** What must not happen with any input. */
export type Defect =
  | "hang"
  | "crash"
  | "untyped error"
  | "internal error"
  | "too much memory"
  | "unreadable output"
  | "unsound output"
  | "different output"
  | "sound file refused";

const MEGABYTE = 1 << 20;
/** How many cases of one kind of defect are printed and saved. */
const SAVED_PER_SIGNATURE = 5;

/** Counts how runs ended, judges them, and saves the inputs of those that failed. */
export class Tally {
  readonly #target: string;
  readonly #seedNumber: number;
  readonly #outcomes = new Map<string, Map<string, number>>();
  readonly #defects = new Map<string, { count: number; first: string }>();
  readonly #messages = new Set<string>();
  readonly #blocks = new Set<string>();
  readonly #start = performance.now();
  #directory: string | undefined;
  #runs = 0;
  #failed = 0;
  #slowest = { milliseconds: 0, place: "" };
  #heap = 0;
  #grown = { bytes: 0, place: "" };

  constructor(target: string, seedNumber: number) {
    this.#target = target;
    this.#seedNumber = seedNumber;
  }

  get runs(): number {
    return this.#runs;
  }

  get failed(): number {
    return this.#failed;
  }

  /**
   * Counts a run, and fails it for what must not happen in any target.
   *
   * @param growthLimit by how much the processes may grow, in bytes
   */
  count(mutated: MutatedInput, operation: string, run: Run, growthLimit: number): void {
    const { outcome, milliseconds, heap, grown, blocks } = run;
    this.#runs++;
    const ending = outcome.kind === "typed error" ? outcome.code : outcome.kind;
    const own = this.#outcomes.get(operation) ?? new Map<string, number>();
    own.set(ending, (own.get(ending) ?? 0) + 1);
    this.#outcomes.set(operation, own);
    for (const block of blocks) this.#blocks.add(block);
    const place = `case ${mutated.index}, ${operation}`;
    if (milliseconds > this.#slowest.milliseconds) this.#slowest = { milliseconds, place };
    if (grown > this.#grown.bytes) this.#grown = { bytes: grown, place };
    this.#heap = Math.max(this.#heap, heap);

    if (outcome.kind === "typed error") {
      this.#messages.add(outcome.message.replace(/\d+|"[^"]*"/g, "…"));
      if (outcome.code === "internal_error") this.fail(mutated, operation, "internal error", outcome.message);
    } else if (outcome.kind !== "files") {
      this.fail(mutated, operation, outcome.kind, outcome.message);
    }
    if (grown > growthLimit) {
      this.fail(mutated, operation, "too much memory", `${operation} took ${grown} bytes`);
    }
  }

  /** Counts a defect, prints it with the command that repeats it, and saves the input. */
  fail({ index, input, log }: MutatedInput, operation: string, defect: Defect, message: string): void {
    this.#failed++;
    const signature = `${defect}: ${signatureOf(message)}`;
    const known = this.#defects.get(signature);
    const count = (known?.count ?? 0) + 1;
    this.#directory ??= mkdtempSync(join(tmpdir(), `stayput-fuzz-${this.#target}-`));
    const name = `${index}-${operation.replace(/\W+/g, "-")}`;
    this.#defects.set(signature, { count, first: known?.first ?? name });
    if (count > SAVED_PER_SIGNATURE) return;
    const repeat = `npm run fuzz -- --target ${this.#target} --seed ${this.#seedNumber} --only ${index}`;
    const file = join(this.#directory, `${name}.bin`);
    writeFileSync(file, input);
    writeFileSync(
      join(this.#directory, `${name}.txt`),
      `${defect} in ${operation}\n${message}\n\n${log.join("\n")}\n\n${repeat}\n`,
    );
    const [reason = ""] = message.split("\n");
    const details = [reason, `file: ${log.join("; ")}`, `repeat: ${repeat}`, `input: ${file}`];
    console.log(`FAILED  ${defect} in ${operation}, case ${index}: ${details.join(" | ")}`);
  }

  print(): void {
    const seconds = (performance.now() - this.#start) / 1000;
    const reached = this.#blocks.size > 0 ? `${this.#blocks.size} blocks of the engine's code, ` : "";
    const lines = [
      "",
      `${this.#target}: ${this.#runs} runs in ${Math.round(seconds)} s: ${(this.#runs / seconds).toFixed(1)} a second, seed ${this.#seedNumber}`,
      ...[...this.#outcomes].map(([operation, outcomes]) => `  ${operation.padEnd(12)} ${listed(outcomes)}`),
      `slowest: ${Math.round(this.#slowest.milliseconds)} ms (${this.#slowest.place})`,
      `largest heap after a run: ${megabytes(this.#heap)}; most growth in one: ${megabytes(this.#grown.bytes)} (${this.#grown.place})`,
      `reached: ${reached}${this.#messages.size} different error messages`,
      ...[...this.#defects].map(
        ([signature, { count, first }]) => `${count} × ${signature} (first: ${first})`,
      ),
      ...(this.#directory === undefined ? [] : [`failing inputs are in ${this.#directory}`]),
    ];
    console.log(lines.join("\n"));
  }
}

const listed = (outcomes: ReadonlyMap<string, number>) =>
  [...outcomes]
    .sort(([, one], [, other]) => other - one)
    .map(([ending, count]) => `${ending} ${count}`)
    .join(", ");

const megabytes = (bytes: number) => `${Math.round(bytes / MEGABYTE)} MB`;

/** The message and the line of our code that it came from. Runs with the same defect mostly have the same ones. */
function signatureOf(message: string): string {
  const [first = ""] = message.split("\n");
  const frame = /(workers|src)\/[^\s)]*?:\d+/.exec(message)?.[0];
  return `${first.replace(/\d+/g, "…").slice(0, 160)}${frame === undefined ? "" : ` at ${frame}`}`;
}
