import { expect, test } from "vitest";
import { mapOrdered } from "../../../../workers/parallel/map-tasks.ts";
import { TaskQueue } from "../../../../workers/parallel/task-queue.ts";
import { scriptedHelper, turn } from "../../../support/scripted-helper.ts";

const TASKS = Array.from({ length: 40 }, (_, index) => index);

/** A queue with one helper, and the tasks that have been started anywhere. */
function setUp(failsFrom = TASKS.length) {
  const started: number[] = [];
  const work = async (task: number) => {
    started.push(task);
    await turn();
    if (task >= failsFrom) throw new Error(`bad ${task}`);
    return `${task}`;
  };
  const helper = scriptedHelper<number, string>((task) => work(task).catch(() => undefined));
  return { started, queue: new TaskQueue<number, string>({ work, helpers: [helper] }) };
}

test("mapOrdered starts few tasks before their results are used", async () => {
  const { queue, started } = setUp();
  let furthest = 0;
  for await (const [task] of mapOrdered(queue, TASKS)) {
    // A caller that takes long to use a result.
    for (let waited = 0; waited < 20; waited++) await turn();
    furthest = Math.max(furthest, Math.max(...started) - task);
  }
  await queue.close();
  // Four for each of two workers.
  expect(furthest).toBeGreaterThan(2);
  expect(furthest).toBeLessThanOrEqual(8);
});

test("mapOrdered fails with the first error in order, after the results before it", async () => {
  const { queue } = setUp(7);
  const results: string[] = [];
  const all = async () => {
    for await (const [, result] of mapOrdered(queue, TASKS)) results.push(result);
  };
  await expect(all()).rejects.toThrow("bad 7");
  await queue.close();
  expect(results).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
});

test("mapOrdered stops when its caller does", async () => {
  const { queue, started } = setUp();
  for await (const [task] of mapOrdered(queue, TASKS)) if (task === 3) break;
  await queue.close();
  const count = started.length;
  await turn();
  expect(started).toHaveLength(count);
  expect(count).toBeLessThan(TASKS.length);
});
