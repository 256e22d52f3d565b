import { describe, expect, test, vi } from "vitest";
import type { Helper } from "../../../../workers/parallel/helper-pool.ts";
import { TaskQueue } from "../../../../workers/parallel/task-queue.ts";
import { eventually } from "../../../support/eventually.ts";
import { falteringHelper, inFastTime, scriptedHelper } from "../../../support/scripted-helper.ts";

function helperOf(answer: (task: number) => Promise<string | undefined>) {
  const helper = scriptedHelper(answer);
  return { helper, asked: helper.asked };
}

function setUp(helpers: readonly Helper<number, string>[] = []) {
  const here: number[] = [];
  const callHelpers = vi.fn(async () => helpers);
  const queue = new TaskQueue<number, string>(async (task) => {
    here.push(task);
    // Others have their turn.
    await new Promise((resolve) => setImmediate(resolve));
    return `${task}`;
  }, callHelpers);
  return { queue, here, callHelpers };
}

const TASKS = Array.from({ length: 20 }, (_, index) => index);
const sorted = (tasks: readonly number[]) => [...tasks].sort((one, other) => one - other);

async function doAll(queue: TaskQueue<number, string>): Promise<string[]> {
  const answers: Promise<string>[] = [];
  for (const task of TASKS) {
    answers.push(queue.add(task));
    await queue.room(4);
  }
  queue.complete();
  return Promise.all(answers);
}

describe("tasks are all done", () => {
  test("by nobody else, in order", async () => {
    const { queue, here } = setUp();
    expect(await doAll(queue)).toEqual(TASKS.map(String));
    expect(here).toEqual(TASKS);
  });

  test("by a helper as well, each once", async () => {
    const { helper, asked } = helperOf(async (task) => `${task}`);
    const { queue, here } = setUp([helper]);
    expect(await doAll(queue)).toEqual(TASKS.map(String));
    expect(asked.length).toBeGreaterThan(1);
    expect(sorted([...here, ...asked])).toEqual(TASKS);
  });

  test("where a helper never answers, which nobody waits for", async () => {
    const { helper, asked } = helperOf(() => new Promise(() => {}));
    const { queue, here } = setUp([helper]);
    expect(await doAll(queue)).toEqual(TASKS.map(String));
    expect(asked).toHaveLength(1);
    expect(sorted(here)).toEqual(TASKS);
  });

  test("where a helper has proved itself and never answers again, which is waited for for some seconds", async () => {
    const helper = falteringHelper(3, String);
    const { queue, here } = setUp([helper]);
    const { result, milliseconds } = await inFastTime(() => doAll(queue));
    expect(result).toEqual(TASKS.map(String));
    expect(milliseconds).toBeGreaterThan(5_000);
    expect(milliseconds).toBeLessThan(9_000);
    expect(helper.asked).toHaveLength(4);
    expect(sorted([...here, ...helper.asked.slice(0, 3)])).toEqual(TASKS);
  });

  test("where a helper answers when its task is being done here, whoever is first", async () => {
    let answer = (_: string) => {};
    const { helper, asked } = helperOf(() => new Promise((resolve) => (answer = resolve)));
    const { queue, here } = setUp([helper]);
    const done = doAll(queue);
    await eventually(() => expect(here).toContain(asked[0]));
    answer("late");
    expect((await done)[asked[0] ?? -1]).toMatch(/^(late|\d+)$/);
  });

  test.each([0, 3])("where a helper can do no more after %i", async (count) => {
    let left = count;
    const { helper, asked } = helperOf(async (task) => (left-- > 0 ? `${task}` : undefined));
    const { queue, here } = setUp([helper]);
    expect(await doAll(queue)).toEqual(TASKS.map(String));
    expect(asked).toHaveLength(count + 1);
    expect(sorted([...here, ...asked.slice(0, count)])).toEqual(TASKS);
  });

  test("where a task cannot be sent to a helper", async () => {
    const { helper, asked } = helperOf(() => Promise.reject(new DOMException("too large", "DataCloneError")));
    const { queue, here } = setUp([helper]);
    expect(await doAll(queue)).toEqual(TASKS.map(String));
    expect(asked).toHaveLength(1);
    expect(sorted(here)).toEqual(TASKS);
  });

  test("where helpers cannot be called", async () => {
    const queue = new TaskQueue<number, string>(
      async (task) => `${task}`,
      () => Promise.reject(new Error("no")),
    );
    expect(await doAll(queue)).toEqual(TASKS.map(String));
  });
});

test("nobody is called for one task", async () => {
  const { queue, callHelpers } = setUp();
  await queue.add(1);
  await queue.add(2);
  expect(callHelpers).not.toHaveBeenCalled();
});

test("what fails here fails, and the others are done", async () => {
  const queue = new TaskQueue<number, string>(
    async (task) => {
      if (task === 1) throw new Error("one");
      return `${task}`;
    },
    async () => [],
  );
  const answers = await Promise.allSettled([queue.add(0), queue.add(1), queue.add(2)]);
  expect(answers).toMatchObject([{ value: "0" }, { reason: { message: "one" } }, { value: "2" }]);
});

describe("when it is closed", () => {
  test("helpers are let go, and nothing is begun any more", async () => {
    let answer = (_: string | undefined) => {};
    const { helper, asked } = helperOf(() => new Promise((resolve) => (answer = resolve)));
    const { queue, here } = setUp([helper]);
    for (const task of TASKS) queue.add(task);
    await eventually(() => expect(asked).not.toEqual([]));
    queue.close();
    expect(helper.release).toHaveBeenCalledOnce();
    const begun = here.length;
    answer(undefined);
    await new Promise((resolve) => setImmediate(resolve));
    await queue.room(0);
    expect(here).toHaveLength(begun);
  });

  test("those who come later are let go, too", async () => {
    const { helper, asked } = helperOf(async (task) => `${task}`);
    const { queue } = setUp([helper]);
    for (const task of TASKS) queue.add(task);
    queue.close();
    await eventually(() => expect(helper.release).toHaveBeenCalled());
    expect(asked).toEqual([]);
  });
});

test("what is dropped is not begun", async () => {
  const { queue, here } = setUp();
  const first = queue.add(0);
  for (const task of TASKS.slice(1)) queue.add(task);
  queue.clear();
  expect(queue.waiting).toBe(0);
  await first;
  expect(await queue.add(7)).toBe("7");
  expect(here).toEqual([0, 7]);
});
