import type { TaskQueue } from "./task-queue.ts";

/** How many tasks per worker may be taken before the caller uses their results. Early results stay in memory. */
const AHEAD = 4;

/**
 * Does tasks in a queue, and yields each with its result, in the order of the tasks. Only a few results are made ahead.
 *
 * @throws the error of the first task, in order, that fails
 */
export async function* mapOrdered<Task, Result>(
  queue: TaskQueue<Task, Result>,
  tasks: readonly Task[],
): AsyncGenerator<readonly [Task, Result]> {
  const ahead = AHEAD * queue.workerCount;
  const results: Promise<Result>[] = [];
  let added = 0;
  for (const [index, task] of tasks.entries()) {
    const next = tasks.slice(added, index + ahead);
    added += next.length;
    queue.toCome = tasks.length - added;
    results.push(...next.map((one) => queue.add(one)));
    const result = results.shift();
    if (result === undefined) throw new Error("there is a result for each task");
    yield [task, await queue.wait(result)];
  }
}
