/**
 * Time as work has had it. A device that sleeps, a system that stops a browser behind other apps, and a debugger hold all
 * work up for as long as they like, while the clocks go on: of the time between two looks, so much counts at most.
 */
const LONGEST_STEP_MS = 5_000;
/** Timers look so often. */
const TICK_MS = 1_000;

/** Counts the time that work has had which looks at it now and then. */
export class TimeHad {
  #milliseconds = 0;
  #last = performance.now();

  /** How much it is by now, in milliseconds. */
  look(): number {
    const now = performance.now();
    this.#milliseconds += Math.min(now - this.#last, LONGEST_STEP_MS);
    this.#last = now;
    return this.#milliseconds;
  }
}

/**
 * Does something once so many milliseconds have been had. In a background tab, where browsers let timers wait, that may
 * be later by the clock: of a timer that comes once a minute, 5 seconds count.
 *
 * @returns what lets it be
 */
export function afterActiveTime(milliseconds: number, act: () => void): () => void {
  const time = new TimeHad();
  let had = 0;
  let clock: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clock = setTimeout(look, Math.min(TICK_MS, milliseconds - had));
  };
  const look = () => {
    had = time.look();
    if (had < milliseconds) wait();
    else act();
  };
  wait();
  return () => clearTimeout(clock);
}
