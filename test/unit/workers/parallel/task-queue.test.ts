import { expect, test } from "vitest";
import { TaskQueue } from "../../../../workers/parallel/task-queue.ts";
import { eventually } from "../../../support/eventually.ts";
import { never, scriptedHelper, turn } from "../../../support/scripted-helper.ts";

const TASKS = Array.from({ length: 20 }, (_, index) => index);

test("a helper has three open tasks, and fewer near the end", async () => {
  const mostOpen = async (count: number) => {
    const helper = scriptedHelper<number, string>(never);
    const queue = new TaskQueue<number, string>({ work: () => new Promise(() => {}), helpers: [helper] });
    for (const task of TASKS.slice(0, count)) queue.add(task);
    await turn();
    return helper.asked.length;
  };
  // This worker takes one. Then there must be 1, 4 and 8 tasks that no worker has.
  expect(await Promise.all([1, 2, 5, 6, 10, 11, 20].map(mostOpen))).toEqual([0, 1, 1, 2, 2, 3, 3]);
});

test("a helper gets tasks ahead if more will be added", async () => {
  const helper = scriptedHelper<number, string>(never);
  const queue = new TaskQueue<number, string>({ work: () => new Promise(() => {}), helpers: [helper] });
  queue.toCome = 10;
  for (const task of [0, 1, 2, 3]) queue.add(task);
  await turn();
  expect(helper.asked).toEqual([3, 2, 1]);
});

test("a failed task does not stop the others", async () => {
  const queue = new TaskQueue<number, string>({
    work(task) {
      if (task === 1) throw new Error("one");
      return `${task}`;
    },
  });
  const results = await Promise.allSettled([queue.add(0), queue.add(1), queue.add(2)]);
  expect(results).toMatchObject([{ value: "0" }, { reason: { message: "one" } }, { value: "2" }]);
});

test("close waits for the task of this worker", async () => {
  let finish = () => {};
  const working = new Promise<void>((resolve) => (finish = resolve));
  let hasStarted = false;
  const queue = new TaskQueue<number, void>({
    work() {
      hasStarted = true;
      return working;
    },
  });
  queue.add(0);
  await eventually(() => expect(hasStarted).toBe(true));
  let isClosed = false;
  const closing = queue.close().then(() => {
    isClosed = true;
  });
  await turn();
  expect(isClosed).toBe(false);
  finish();
  await closing;
});
