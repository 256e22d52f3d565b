import { yieldToEventLoop } from "./yield-to-event-loop.ts";

/** Helpers always get at least this long for an answer. */
const SHORTEST_MS = 5_000;
/** A helper may take this many times as long as the longest task took in this worker. */
const TIMES_LONGEST = 3;

/** The time after which a silent helper becomes suspect. It depends on how long tasks take in this worker. */
export class StallTimeout {
  #longestMs = 0;
  #clock: ReturnType<typeof setTimeout> | undefined;

  /** Runs a task in this worker, and measures it. */
  async measure<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#longestMs = Math.max(this.#longestMs, performance.now() - start);
    }
  }

  /** Restarts the timeout. Calls `onStall` at its end, unless it is restarted or stopped before. */
  restart(onStall: () => void): void {
    this.stop();
    const clock = setTimeout(
      async () => {
        // While this thread was busy, an answer may have arrived.
        await yieldToEventLoop();
        if (this.#clock === clock) onStall();
      },
      Math.max(SHORTEST_MS, TIMES_LONGEST * this.#longestMs),
    );
    this.#clock = clock;
  }

  stop(): void {
    clearTimeout(this.#clock);
    this.#clock = undefined;
  }
}
