interface Waiting {
  readonly rows: number;
  resolve(): void;
  reject(reason: unknown): void;
}

/** Tracks the rows of a picture that is decoded from the top while its first rows are in use. */
export class RowProgress {
  /** The number of first rows that are enough to choose coding tables. */
  readonly early: number;
  #available = 0;
  #failure: { readonly reason: unknown } | undefined;
  #isCancelled = false;
  #waiting: readonly Waiting[] = [];
  /** Whether a consumer works on the available rows and none waits for others. */
  #isInUse = false;
  #onIdle: (() => void) | undefined;

  constructor(early: number) {
    this.early = early;
  }

  /** Whether the remaining rows are not needed. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Waits until that many rows are available. Rejects with the reason when they never will be. */
  until(rows: number): Promise<void> {
    if (rows <= this.#available) {
      this.#isInUse = this.#waiting.length === 0;
      return Promise.resolve();
    }
    this.#idle();
    if (this.#failure !== undefined) return Promise.reject(this.#failure.reason);
    return new Promise((resolve, reject) => {
      this.#waiting = [...this.#waiting, { rows, resolve, reject }];
    });
  }

  /** Announces that the first `rows` rows are available. */
  advance(rows: number): void {
    this.#available = rows;
    const taken = this.#take((one) => one.rows <= rows);
    this.#isInUse ||= taken.length > 0 && this.#waiting.length === 0;
    for (const waiting of taken) waiting.resolve();
  }

  /** Waits until the consumer has no row left to work on. Only one producer may wait. */
  used(): Promise<void> {
    if (!this.#isInUse) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Announces that no more rows will come. */
  fail(reason: unknown): void {
    this.#failure = { reason };
    for (const waiting of this.#take(() => true)) waiting.reject(reason);
  }

  /** Announces that no more rows are needed. */
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
