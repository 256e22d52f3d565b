interface Waiting {
  readonly rows: number;
  resolve(): void;
  reject(reason: unknown): void;
}

/** Rows of a picture that come one after the other, from the top, while the first are in use. */
export class RowProgress {
  /** How many rows come so early that whoever wants a look at the picture should be content with them. */
  readonly early: number;
  #there = 0;
  #failure: { readonly reason: unknown } | undefined;
  #isCancelled = false;
  #waiting: readonly Waiting[] = [];
  /** Whether somebody is at work on rows that are there, and nobody waits for others. */
  #isInUse = false;
  #onIdle: (() => void) | undefined;

  constructor(early: number) {
    this.early = early;
  }

  /** Whether nobody wants the rows that are not there. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Waits until so many rows are there; rejects with the reason why they never will be. */
  until(rows: number): Promise<void> {
    if (rows <= this.#there) {
      this.#isInUse = this.#waiting.length === 0;
      return Promise.resolve();
    }
    this.#idle();
    if (this.#failure !== undefined) return Promise.reject(this.#failure.reason);
    return new Promise((resolve, reject) => {
      this.#waiting = [...this.#waiting, { rows, resolve, reject }];
    });
  }

  /** Says that so many rows are there. */
  advance(rows: number): void {
    this.#there = rows;
    const taken = this.#take((one) => one.rows <= rows);
    this.#isInUse ||= taken.length > 0 && this.#waiting.length === 0;
    for (const waiting of taken) waiting.resolve();
  }

  /** Waits until whoever takes the rows has none left to work on. One waits at a time. */
  used(): Promise<void> {
    if (!this.#isInUse) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Says that no more rows will come. */
  fail(reason: unknown): void {
    this.#failure = { reason };
    for (const waiting of this.#take(() => true)) waiting.reject(reason);
  }

  /** Says that nobody wants more rows. */
  cancel(): void {
    this.#isCancelled = true;
    this.#idle();
  }

  #idle(): void {
    this.#isInUse = false;
    this.#onIdle?.();
    this.#onIdle = undefined;
  }

  #take(isTaken: (waiting: Waiting) => boolean): readonly Waiting[] {
    const taken = this.#waiting.filter(isTaken);
    this.#waiting = this.#waiting.filter((one) => !isTaken(one));
    return taken;
  }
}
