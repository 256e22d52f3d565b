import type { Helper } from "./helper-pool.ts";

/** Helpers are waited for at least so long. */
const SHORTEST_MS = 5_000;
/** What they are at may take so many times as long as anything has taken here. */
const MOST_OF_LONGEST = 3;

/** Waits for what helpers are at, whatever they promise, no longer than makes sense by what tasks have taken here. */
export class StallTimeout {
  #longest = 0;

  /** Does a task here, and sees how long it takes. */
  async timed<Result>(work: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#longest = Math.max(this.#longest, performance.now() - start);
    }
  }

  /**
   * Waits for news with nothing left to do meanwhile. Where none come for too long, the helpers that they are awaited
   * from are doubted.
   *
   * @returns whether that has happened
   */
  async isLostOn(
    helpers: readonly Pick<Helper<never, unknown>, "suspect">[],
    news: Promise<unknown>,
  ): Promise<boolean> {
    let clock: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<true>((resolve) => {
      clock = setTimeout(() => resolve(true), Math.max(SHORTEST_MS, MOST_OF_LONGEST * this.#longest));
    });
    try {
      const isLost = await Promise.race([news.then(() => false), silence]);
      if (isLost) for (const helper of helpers) helper.suspect();
      return isLost;
    } finally {
      clearTimeout(clock);
    }
  }
}
