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
        while (this.#running >= this.#mostRunning) await this.#nextEnd(signal);
        signal.throwIfAborted();
        runs = true;
        this.#running++;
      },
      end: () => {
        this.#jobs--;
        if (runs) this.#running--;
        const [next] = this.#waiting;
        next?.();
      },
    };
  }

  /** Waits until a job has ended. */
  #nextEnd(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.delete(wake);
        reject(signal.reason);
      };
      this.#waiting.add(wake);
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
