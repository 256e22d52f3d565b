import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Run } from "./pdf/engine-thread.ts";
import type { FuzzCase } from "./pdf/fuzz-case.ts";
import { nameOf, type Operation } from "./pdf/operations.ts";

/** What must not happen with any input. */
export type Defect =
  | "hang"
  | "crash"
  | "untyped error"
  | "too much memory"
  | "unreadable output"
  | "unsound output"
  | "sound file refused";

const MEGABYTE = 1 << 20;
/** How many cases of one kind of defect are printed and saved. */
const SAVED_PER_SIGNATURE = 5;

/** Counts how runs ended, and saves the inputs of the runs that failed. */
export class Tally {
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

  constructor(seedNumber: number) {
    this.#seedNumber = seedNumber;
  }

  get runs(): number {
    return this.#runs;
  }

  get failed(): number {
    return this.#failed;
  }

  count({ index }: FuzzCase, operation: Operation, run: Run): void {
    const { outcome, milliseconds, heap, grown, blocks } = run;
    this.#runs++;
    const ending = outcome.kind === "typed error" ? outcome.code : outcome.kind;
    const own = this.#outcomes.get(nameOf(operation)) ?? new Map<string, number>();
    own.set(ending, (own.get(ending) ?? 0) + 1);
    this.#outcomes.set(nameOf(operation), own);
    if (outcome.kind === "typed error") this.#messages.add(outcome.message.replace(/\d+|"[^"]*"/g, "…"));
    for (const block of blocks) this.#blocks.add(block);
    const place = `case ${index}, ${nameOf(operation)}`;
    if (milliseconds > this.#slowest.milliseconds) this.#slowest = { milliseconds, place };
    if (grown > this.#grown.bytes) this.#grown = { bytes: grown, place };
    this.#heap = Math.max(this.#heap, heap);
  }

  /** Counts a defect, prints it with the command that repeats it, and saves the input. */
  fail({ index, input, log }: FuzzCase, operation: Operation, defect: Defect, message: string): void {
    this.#failed++;
    const signature = `${defect}: ${signatureOf(message)}`;
    const known = this.#defects.get(signature);
    const count = (known?.count ?? 0) + 1;
    this.#directory ??= mkdtempSync(join(tmpdir(), "stayput-fuzz-"));
    const name = `${index}-${nameOf(operation).replace(/\W+/g, "-")}`;
    this.#defects.set(signature, { count, first: known?.first ?? name });
    if (count > SAVED_PER_SIGNATURE) return;
    const repeat = `npm run fuzz -- --seed ${this.#seedNumber} --only ${index}`;
    const file = join(this.#directory, `${name}.pdf`);
    writeFileSync(file, input);
    writeFileSync(
      join(this.#directory, `${name}.txt`),
      `${defect} in ${nameOf(operation)}\n${message}\n\n${log.join("\n")}\n\n${repeat}\n`,
    );
    const [reason = ""] = message.split("\n");
    const details = [reason, `file: ${log.join("; ")}`, `repeat: ${repeat}`, `input: ${file}`];
    console.log(`FAILED  ${defect} in ${nameOf(operation)}, case ${index}: ${details.join(" | ")}`);
  }

  print(): void {
    const seconds = (performance.now() - this.#start) / 1000;
    const lines = [
      "",
      `${this.#runs} runs in ${Math.round(seconds)} s: ${(this.#runs / seconds).toFixed(1)} a second, seed ${this.#seedNumber}`,
      ...[...this.#outcomes].map(([operation, outcomes]) => `  ${operation.padEnd(12)} ${listed(outcomes)}`),
      `slowest: ${Math.round(this.#slowest.milliseconds)} ms (${this.#slowest.place})`,
      `largest heap after a run: ${megabytes(this.#heap)}; most growth in one: ${megabytes(this.#grown.bytes)} (${this.#grown.place})`,
      `reached: ${this.#blocks.size} blocks of the engine's code, ${this.#messages.size} different error messages`,
      ...[...this.#defects].map(
        ([signature, { count, first }]) => `${count} × ${signature} (first: ${first})`,
      ),
      ...(this.#directory === undefined ? [] : [`failing inputs are in ${this.#directory}`]),
      `${this.#runs - this.#failed} passed, ${this.#failed} failed`,
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

/** The message and the line of the engine that it came from. Runs with the same defect mostly have the same ones. */
function signatureOf(message: string): string {
  const [first = ""] = message.split("\n");
  const frame = /workers\/pdf\/[^\s)]*?:\d+/.exec(message)?.[0];
  return `${first.replace(/\d+/g, "…").slice(0, 160)}${frame === undefined ? "" : ` at ${frame}`}`;
}
