// Active time: the time that the page or the worker can run. Intervals between two readings count 5 s at most, so sleep,
// background tabs and debugging do not trigger timeouts.
const LONGEST_STEP_MS = 5_000;
const TICK_MS = 1_000;

/** Measures active time. Read it more often than every 5 s. */
export class ActiveTime {
  #milliseconds = 0;
  #last = performance.now();

  /** Returns the active time since the start, in milliseconds. */
  elapsed(): number {
    const now = performance.now();
    this.#milliseconds += Math.min(now - this.#last, LONGEST_STEP_MS);
    this.#last = now;
    return this.#milliseconds;
  }
}

/** A limit of active time. Read it more often than every 5 s. */
export class TimeLimit {
  readonly #time = new ActiveTime();
  readonly #milliseconds: number;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  isOver(): boolean {
    return this.#time.elapsed() > this.#milliseconds;
  }
}

/**
 * Calls `act` after some active time. On the clock it may be later: in a background tab, where browsers run timers once a
 * minute, each minute counts 5 s.
 *
 * @returns a function that cancels the call
 */
export function afterActiveTime(milliseconds: number, act: () => void): () => void {
  const time = new ActiveTime();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (elapsed: number) => {
    timer = setTimeout(check, Math.min(TICK_MS, milliseconds - elapsed));
  };
  const check = () => {
    const elapsed = time.elapsed();
    if (elapsed < milliseconds) wait(elapsed);
    else act();
  };
  wait(0);
  return () => clearTimeout(timer);
}
