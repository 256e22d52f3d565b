import type { Helper } from "./helper-pool.ts";
import { StallTimeout } from "./stall-timeout.ts";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";

/** How many tasks for each worker may be done or in work before their turn: what is done early has to be kept. */
const AHEAD = 4;
/**
 * A helper is asked for three tasks at a time: this worker hears of what is done between its own tasks only, which may
 * take longer than two of the helper's. Near the end it is asked for fewer, so that nobody need wait for it. How many
 * tasks must be left for the first, the second and the third.
 */
const FEWEST_LEFT = [1, 4, 8];

type Outcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly thrown: unknown };

/**
 * Does tasks here and by helpers, and gives out the results in the order of the tasks, each with its task. Everybody
 * takes the next task when done with one, so a helper that starts late, or never, costs nothing. What a helper cannot
 * do is done here; so is, after a while, what one is at that is waited for.
 *
 * @throws what the first task in order that failed has failed with
 */
export async function* mapOrdered<Task, Result>(
  tasks: readonly Task[],
  doHere: (task: Task) => Promise<Result>,
  helpers: readonly Helper<Task, Result>[],
): AsyncGenerator<readonly [Task, Result]> {
  const outcomes = new Map<number, Outcome<Result>>();
  /** Within reach and nobody's yet, in order. */
  const free: number[] = [];
  /** What helpers have been asked for. */
  const asked = new Map<number, Helper<Task, Result>>();
  const reach = AHEAD * (1 + helpers.length);
  let reached = 0;
  let turn = 0;
  let isOver = false;
  const listeners: (() => void)[] = [];

  const change = () => new Promise<void>((resolve) => listeners.push(resolve));
  const changed = () => {
    while (reached < tasks.length && reached < turn + reach) free.push(reached++);
    for (const listener of listeners.splice(0)) listener();
  };
  const attempt = async (index: number, work: (task: Task) => Promise<Result | undefined>) => {
    const task = tasks[index];
    if (task === undefined) return;
    let outcome: Outcome<Result> | undefined;
    try {
      const result = await work(task);
      if (result !== undefined) outcome = { ok: true, result };
    } catch (thrown) {
      outcome = { ok: false, thrown };
    }
    if (outcome !== undefined && index >= turn) outcomes.set(index, outcome);
    return outcome;
  };

  const takeTurns = async (helper: Helper<Task, Result>, fewest: number) => {
    while (!isOver && tasks.length - reached + free.length >= fewest) {
      // Until it has proved itself, what is needed last.
      const index = helper.isResponsive ? free.shift() : free.pop();
      if (index === undefined) {
        await change();
        continue;
      }
      asked.set(index, helper);
      const outcome = await attempt(index, (task) => helper.ask(task));
      asked.delete(index);
      if (outcome === undefined && index >= turn && !outcomes.has(index)) {
        free.push(index);
        free.sort((one, other) => one - other);
      }
      changed();
      if (outcome === undefined) return;
    }
  };

  /** What is being done here. */
  let here: Promise<void> | undefined;
  const patience = new StallTimeout();
  const startHere = () => {
    if (here !== undefined) return;
    // One that has proved itself will answer soon; any other may never.
    const isAwaited = outcomes.has(turn) || asked.get(turn)?.isResponsive;
    const index = free.shift() ?? (isAwaited || turn === tasks.length ? undefined : turn);
    if (index === undefined) return;
    // What has come in, and whoever has just been given a result, goes first.
    here = yieldToEventLoop()
      .then(() => attempt(index, (task) => patience.timed(() => doHere(task))))
      .then(() => {
        here = undefined;
        changed();
      });
  };

  changed();
  for (const helper of helpers) for (const fewest of FEWEST_LEFT) takeTurns(helper, fewest);
  try {
    for (let task = tasks[turn]; task !== undefined; task = tasks[turn]) {
      const outcome = outcomes.get(turn);
      if (outcome === undefined) {
        startHere();
        const awaited = here === undefined ? asked.get(turn) : undefined;
        await (awaited ? patience.isLostOn([awaited], change()) : change());
        continue;
      }
      outcomes.delete(turn);
      if (!outcome.ok) throw outcome.thrown;
      turn++;
      changed();
      // The next is done while this one is made use of.
      startHere();
      yield [task, outcome.result];
    }
  } finally {
    isOver = true;
    changed();
    for (const helper of helpers) helper.release();
    await here;
  }
}
