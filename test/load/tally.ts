/** Shown of the failures. */
const MOST_SHOWN = 20;

/** Counts the answers to the requests of the load, and collects failures. */
export class Tally {
  readonly #times = new Map<string, Map<string, number[]>>();
  readonly #failures: string[] = [];

  /**
   * @param title of the request
   * @param outcome status and code
   * @param milliseconds from the start of the request to the end of the answer
   */
  count(title: string, outcome: string, milliseconds: number): void {
    const outcomes = this.#times.get(title) ?? new Map<string, number[]>();
    this.#times.set(title, outcomes);
    const times = outcomes.get(outcome) ?? [];
    outcomes.set(outcome, times);
    times.push(milliseconds);
  }

  fail(message: string): void {
    this.#failures.push(message);
  }

  get failureCount(): number {
    return this.#failures.length;
  }

  /** Returns a line for each kind of answer, and the first failures. */
  summary(): string {
    const lines = [...this.#times].flatMap(([title, outcomes]) =>
      [...outcomes].map(([outcome, times]) => {
        const sorted = times.toSorted((one, other) => one - other);
        const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
        const figures = `${String(times.length).padStart(6)}   ${at(0.5)} ms, 95 %: ${at(0.95)} ms`;
        return `${title.padEnd(15)} ${outcome.padEnd(28)} ${figures}`;
      }),
    );
    const failures = this.#failures.slice(0, MOST_SHOWN).map((failure) => `FAILED  ${failure}`);
    return [...lines, "", ...failures, `${this.#failures.length} failures`].join("\n");
  }
}
