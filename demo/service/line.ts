import { ServiceError } from "../../src/shared/errors.ts";

/** When a caller that was turned away may come again. */
export const RETRY_AFTER_SECONDS = 5;

/** Lets a few jobs run at a time, a few more wait, and refuses the rest. */
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
   * Makes sure that there is a place, without taking it: before a file is received that would be turned away.
   *
   * @throws {ServiceError} `rate_limited` when all places are taken
   */
  check(): void {
    if (this.#inside >= this.#places + this.#waitingPlaces)
      throw new ServiceError("rate_limited", "The service has too much to do: try again in a moment.", {
        retry_after: RETRY_AFTER_SECONDS,
      });
  }

  /**
   * Takes a place, for a job whose file has been received whole: a slow upload holds none.
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

/** One job's place. */
export interface Place {
  /** Waits until the job may run. Rejects with `signal.reason` when aborted. */
  turn(signal: AbortSignal): Promise<void>;
  /** Gives the place back, once. */
  leave(): void;
}
