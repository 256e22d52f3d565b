import { describe, expect, test, vi } from "vitest";
import type { Helper } from "../../../../workers/parallel/helper.ts";
import { TaskQueue } from "../../../../workers/parallel/task-queue.ts";
import { eventually } from "../../../support/eventually.ts";
import { never, scriptedHelper, turn } from "../../../support/scripted-helper.ts";

const TASKS = Array.from({ length: 20 }, (_, index) => index);

function setUp(leased: readonly Helper<number, string>[] = []) {
  const local: number[] = [];
  const lease = vi.fn(async () => leased);
  const queue = new TaskQueue<number, string>({
    async work(task) {
      local.push(task);
      await turn();
      return `${task}`;
    },
    lease,
  });
  const doAll = () => queue.wait(Promise.all(TASKS.map((task) => queue.add(task))));
  return { queue, local, lease, doAll };
}

describe("a lease", () => {
  test("is not needed for one task at a time", async () => {
    const { queue, lease } = setUp();
    await queue.add(1);
    await queue.add(2);
    expect(lease).not.toHaveBeenCalled();
  });

  test("is made once, when a task has to wait", async () => {
    const helper = scriptedHelper(async (task: number) => `${task}`);
    const { lease, doAll } = setUp([helper]);
    expect(await doAll()).toEqual(TASKS.map(String));
    expect(lease).toHaveBeenCalledOnce();
    expect(helper.asked.length).toBeGreaterThan(1);
  });

  test("that fails leaves all tasks to this worker", async () => {
    const { local, lease, doAll } = setUp();
    lease.mockRejectedValue(new Error("no"));
    expect(await doAll()).toEqual(TASKS.map(String));
    expect(local).toEqual(TASKS);
  });

  test("that comes after close is released", async () => {
    const helper = scriptedHelper(async (task: number) => `${task}`);
    let leased = (_: readonly Helper<number, string>[]) => {};
    const { queue, lease } = setUp();
    lease.mockReturnValue(new Promise((resolve) => (leased = resolve)));
    for (const task of TASKS) queue.add(task);
    await turn();
    await queue.close();
    leased([helper]);
    await eventually(() => expect(helper.release).toHaveBeenCalledOnce());
    expect(helper.asked).toEqual([]);
  });
});

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

test("a helper gets tasks ahead for those that are to come", async () => {
  const helper = scriptedHelper<number, string>(never);
  const queue = new TaskQueue<number, string>({ work: () => new Promise(() => {}), helpers: [helper] });
  queue.toCome = 10;
  for (const task of [0, 1, 2, 3]) queue.add(task);
  await turn();
  expect(helper.asked).toEqual([3, 2, 1]);
});

test("a task that fails does not keep others from being done", async () => {
  const queue = new TaskQueue<number, string>({
    work(task) {
      if (task === 1) throw new Error("one");
      return `${task}`;
    },
  });
  const results = await Promise.allSettled([queue.add(0), queue.add(1), queue.add(2)]);
  expect(results).toMatchObject([{ value: "0" }, { reason: { message: "one" } }, { value: "2" }]);
});

test("drain waits until few enough tasks wait", async () => {
  const { queue, local } = setUp();
  for (const task of TASKS) queue.add(task);
  expect(queue.waiting).toBe(20);
  await queue.drain(4);
  expect(queue.waiting).toBe(4);
  expect(local.length).toBeGreaterThanOrEqual(15);
  await queue.close();
});

test("clear drops the tasks that no worker has taken", async () => {
  const { queue, local } = setUp();
  const first = queue.add(0);
  for (const task of TASKS.slice(1)) queue.add(task);
  await Promise.resolve();
  queue.clear();
  expect(queue.waiting).toBe(0);
  expect(await first).toBe("0");
  expect(await queue.add(7)).toBe("7");
  expect(local).toEqual([0, 7]);
});

describe("close", () => {
  test("releases the helpers, and starts nothing", async () => {
    const helper = scriptedHelper<number, string>(never);
    const { queue, local } = setUp([helper]);
    for (const task of TASKS) queue.add(task);
    await eventually(() => expect(helper.asked).not.toEqual([]));
    await queue.close();
    expect(helper.release).toHaveBeenCalledOnce();
    const started = local.length;
    await turn();
    await queue.drain(0);
    expect(local).toHaveLength(started);
  });

  test("waits for the task of this worker", async () => {
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
});
