import { tryLater } from "./answers.ts";

/** Limits the number of running and of waiting jobs. Refuses further jobs. */
export class JobQueue {
  readonly #mostRunning: number;
  readonly #mostWaiting: number;
  readonly #waiting = new Set<() => void>();
  #jobs = 0;
  #running = 0;

  constructor(mostRunning: number, mostWaiting: number) {
    this.#mostRunning = mostRunning;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Checks that there is room for a job, before its file is received. Adds no job.
   *
   * @throws {ServiceError} `rate_limited` when the queue is full
   */
  check(): void {
    if (this.#jobs >= this.#mostRunning + this.#mostWaiting) throw tryLater("The service is busy.");
  }

  /**
   * Adds a job whose file has been received. A slow upload is no job yet.
   *
   * @throws {ServiceError} `rate_limited` when the queue is full
   */
  add(): QueuedJob {
    this.check();
    this.#jobs++;
    let runs = false;
    return {
      start: async (signal) => {
        signal.throwIfAborted();
        if (this.#running < this.#mostRunning) this.#running++;
        else await this.#handedSlot(signal);
        runs = true;
      },
      end: () => {
        this.#jobs--;
        if (!runs) return;
        const [next] = this.#waiting;
        if (next === undefined) this.#running--;
        else next();
      },
    };
  }

  /** Waits until a job that ends hands its slot over. The first that waits gets it. */
  #handedSlot(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        this.#waiting.delete(take);
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.delete(take);
        reject(signal.reason);
      };
      this.#waiting.add(take);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }
}

/** A job that runs, or waits until it may run. */
export interface QueuedJob {
  /** Waits until the job may run. Rejects with `signal.reason` when aborted. */
  start(signal: AbortSignal): Promise<void>;
  /** Makes room for the next job. Call it once. */
  end(): void;
}
