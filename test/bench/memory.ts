import { memoryOf } from "../support/process-files.ts";

const POLL_MS = 20;

/** Measures the peak memory of several processes together. */
export class MemoryWatch {
  readonly #pids: readonly number[];
  readonly #timer: NodeJS.Timeout;
  #peak = 0;

  constructor(pids: readonly number[]) {
    this.#pids = pids;
    this.#look();
    this.#timer = setInterval(() => this.#look(), POLL_MS);
  }

  /** Ends the measurement and returns the peak in bytes. */
  stop(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#peak;
  }

  #look(): void {
    const now = this.#pids.reduce((sum, pid) => sum + memoryOf(pid), 0);
    if (now > this.#peak) this.#peak = now;
  }
}
