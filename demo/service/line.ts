import { ServiceError } from "../../src/shared/errors.ts";

/** The `Retry-After` of a refused request. */
export const RETRY_AFTER_SECONDS = 5;

/** Limits the number of running and of waiting jobs. Refuses further jobs. */
export class Line {
  readonly #places: number;
  readonly #waitingPlaces: number;
  readonly #waiting = new Set<() => void>();
  #inside = 0;
  #running = 0;

  constructor(places: number, waitingPlaces: number) {
    this.#places = places;
    this.#waitingPlaces = waitingPlaces;
  }

  /**
   * Checks that a place is free, before a file is received. Takes no place.
   *
   * @throws {ServiceError} `rate_limited` when all places are taken
   */
  check(): void {
    if (this.#inside >= this.#places + this.#waitingPlaces)
      throw new ServiceError("rate_limited", "The service is busy. Try again in a moment.", {
        retry_after: RETRY_AFTER_SECONDS,
      });
  }

  /**
   * Takes a place, for a job whose file has been received. Slow uploads take no places.
   *
   * @throws {ServiceError} `rate_limited` when all places are taken
   */
  enter(): Place {
    this.check();
    this.#inside++;
    let runs = false;
    return {
      turn: async (signal) => {
        while (this.#running >= this.#places) await this.#change(signal);
        signal.throwIfAborted();
        runs = true;
        this.#running++;
      },
      leave: () => {
        this.#inside--;
        if (runs) this.#running--;
        const [next] = this.#waiting;
        next?.();
      },
    };
  }

  #change(signal: AbortSignal): Promise<void> {
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

/** The place of one job. */
export interface Place {
  /** Waits until the job may run. Rejects with `signal.reason` when aborted. */
  turn(signal: AbortSignal): Promise<void>;
  /** Frees the place. Call it once. */
  leave(): void;
}
