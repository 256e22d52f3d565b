import type { Helper } from "./helper-pool.ts";
import { StallTimeout } from "./stall-timeout.ts";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";

/**
 * A helper is asked for three tasks at a time, so that it need not wait for its next; near the end, for one, so that
 * nobody need wait for it. How many tasks must be left for the first, the second and the third.
 */
const FEWEST_LEFT = [1, 4, 4];

/**
 * Does tasks of a kind, here and in helpers. Everybody takes the next when done with one; what a helper has taken that
 * has not proved itself is done here as well, so that one that starts late, or never, costs nothing; and so is, after a
 * while, what one has taken that has. It may be there for the tasks that come after these.
 *
 * @param take is called once for each task, in whatever order they are done
 * @param pause is waited for between two tasks here
 * @throws what `workHere`, `take` or `pause` throws
 */
export async function mapUnordered<Task, Answer>(
  tasks: readonly Task[],
  helpers: readonly Helper<Task, Answer>[],
  workHere: (task: Task) => Promise<Answer>,
  take: (task: Task, answer: Answer) => void,
  pause: () => Promise<void> = async () => {},
): Promise<void> {
  const left = [...tasks];
  const undone = new Set(tasks);
  const takeOnce = (task: Task, answer: Answer) => {
    if (undone.delete(task)) take(task, answer);
  };
  const patience = new StallTimeout();
  const doHere = async (task: Task) => {
    takeOnce(task, await patience.timed(() => workHere(task)));
    await yieldToEventLoop();
  };
  const takeTurns = async (helper: Helper<Task, Answer>, fewest: number) => {
    while (left.length >= fewest) {
      const task = left.shift();
      if (task === undefined) return;
      const answer = await helper.ask(task);
      // What it could not do is still undone.
      if (answer === undefined) return;
      takeOnce(task, answer);
    }
  };
  const helping = helpers.map((helper) => ({
    helper,
    turns: FEWEST_LEFT.map((fewest) => takeTurns(helper, fewest)),
  }));
  try {
    for (let task = left.shift(); task !== undefined; task = left.shift()) {
      await doHere(task);
      if (left.length > 0) await pause();
    }
    const proved = helping.filter(({ helper }) => helper.isResponsive);
    await patience.isLostOn(
      proved.map(({ helper }) => helper),
      Promise.all(proved.flatMap(({ turns }) => turns)),
    );
    for (const task of undone) await doHere(task);
  } finally {
    left.length = 0;
    undone.clear();
  }
}
