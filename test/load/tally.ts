/** Shown of the failures. */
const MOST_SHOWN = 20;

/** Counts the answers to the requests of the load, and collects failures. */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #failures: string[] = [];

  /**
   * @param title of the request
   * @param outcome status and code
   */
  count(title: string, outcome: string): void {
    const row = `${title.padEnd(15)} ${outcome.padEnd(28)}`;
    this.#counts.set(row, (this.#counts.get(row) ?? 0) + 1);
  }

  fail(message: string): void {
    this.#failures.push(message);
  }

  get failureCount(): number {
    return this.#failures.length;
  }

  /** Returns a line for each kind of answer, and the first failures. */
  summary(): string {
    const rows = [...this.#counts].sort().map(([row, count]) => `${row} ${String(count).padStart(6)}`);
    const failures = this.#failures.slice(0, MOST_SHOWN).map((failure) => `FAILED  ${failure}`);
    return [...rows, "", ...failures, `${this.#failures.length} failures`].join("\n");
  }
}
