import { expect, test } from "vitest";
import { HelperStalled } from "../../../../workers/parallel/helper.ts";
import { mapOrdered } from "../../../../workers/parallel/map-tasks.ts";
import { TaskQueue, type TaskQueueOptions } from "../../../../workers/parallel/task-queue.ts";
import {
  falteringHelper,
  inFastTime,
  never,
  type ScriptedHelper,
  scriptedHelper,
  turn,
} from "../../../support/scripted-helper.ts";

const TASKS = Array.from({ length: 40 }, (_, index) => index);
const RESULTS = TASKS.map(String);

/** Does all tasks with some helpers, in fake time. */
async function run(
  helpers: readonly ScriptedHelper<number, string>[],
  options: Partial<TaskQueueOptions<number, string>> = {},
) {
  /** The tasks that were done in this worker. */
  const local: number[] = [];
  const work = async (task: number) => {
    local.push(task);
    await turn();
    return String(task);
  };
  const queue = new TaskQueue<number, string>({ work, helpers, ...options });
  const outcome = await inFastTime(async () => {
    const results: string[] = [];
    try {
      for await (const [task, result] of mapOrdered(queue, TASKS))
        expect(results.push(result)).toBe(task + 1);
      return results;
    } finally {
      await queue.close();
    }
  });
  for (const { release } of helpers) expect(release).toHaveBeenCalledOnce();
  return { ...outcome, local };
}

const sorted = (tasks: readonly number[]) => [...tasks].sort((one, other) => one - other);

test("does all tasks without helpers, in order", async () => {
  const { result, local } = await run([]);
  expect(result).toEqual(RESULTS);
  expect(local).toEqual(TASKS);
});

test("does each task once, with helpers that answer", async () => {
  const answer = async (task: number) => turn().then(() => String(task));
  const helpers = [scriptedHelper(answer), scriptedHelper(answer)];
  const { result, local } = await run(helpers);
  expect(result).toEqual(RESULTS);
  for (const { asked } of helpers) expect(asked.length).toBeGreaterThan(2);
  expect(sorted([...local, ...helpers.flatMap(({ asked }) => asked)])).toEqual(TASKS);
});

test.each([0, 1, 7])("does the tasks of a helper that crashes after %i answers", async (count) => {
  let left = count;
  const answered: number[] = [];
  const helper = scriptedHelper<number, string>(async (task) => {
    await turn();
    if (left-- <= 0) return undefined;
    answered.push(task);
    return String(task);
  });
  const { result, local, milliseconds } = await run([helper]);
  expect(result).toEqual(RESULTS);
  expect(answered).toHaveLength(count);
  // Up to three tasks were open. It gets no others.
  expect(helper.asked.length).toBeLessThanOrEqual(count + 3);
  expect(sorted([...local, ...answered])).toEqual(TASKS);
  expect(milliseconds).toBeLessThan(5_000);
});

test("does the tasks that cannot be sent to a helper", async () => {
  const helper = scriptedHelper<number, string>(() =>
    Promise.reject(new DOMException("too large", "DataCloneError")),
  );
  const { result, local } = await run([helper]);
  expect(result).toEqual(RESULTS);
  expect(helper.asked.length).toBeLessThanOrEqual(3);
  expect(sorted(local)).toEqual(TASKS);
});

test("does not wait for a helper that never starts", async () => {
  const helper = scriptedHelper<number, string>(never);
  const { result, local, milliseconds } = await run([helper]);
  expect(result).toEqual(RESULTS);
  expect(helper.asked.length).toBeGreaterThan(0);
  expect(helper.asked.length).toBeLessThanOrEqual(3);
  expect(sorted(local)).toEqual(TASKS);
  expect(helper.suspect).not.toHaveBeenCalled();
  expect(milliseconds).toBeLessThan(5_000);
});

test.each([0, 1])("waits 5 s, once, for a helper that stalls, with %i others", async (others) => {
  const stalled = falteringHelper(3, String);
  const more = Array.from({ length: others }, () => scriptedHelper(async (task: number) => String(task)));
  const { result, milliseconds } = await run([stalled, ...more]);
  expect(result).toEqual(RESULTS);
  expect(stalled.asked.length).toBeGreaterThan(3);
  expect(stalled.asked.length).toBeLessThanOrEqual(6);
  expect(stalled.suspect).toHaveBeenCalledOnce();
  expect(milliseconds).toBeGreaterThan(5_000);
  expect(milliseconds).toBeLessThan(9_000);
});

test("takes the late answers of a helper that stalled", async () => {
  const late: (() => void)[] = [];
  const helper = scriptedHelper<number, string>((task) => {
    const isLate = helper.asked.length > 3 && helper.asked.length <= 6;
    if (!isLate) return Promise.resolve(String(task));
    return new Promise((resolve) => late.push(() => resolve(String(task))));
  });
  const twice: number[] = [];
  const { result } = await run([helper], {
    async work(task) {
      if (helper.asked.includes(task)) {
        twice.push(task);
        for (const answer of late.splice(0)) answer();
      }
      await turn();
      return String(task);
    },
  });
  expect(result).toEqual(RESULTS);
  // The others were answered in time.
  expect(twice).toHaveLength(1);
});

test("fails with the error for a helper that hangs, and does not try that task again", async () => {
  let hung: number | undefined;
  const helper = scriptedHelper<number, string>(async (task) => {
    await turn();
    if (hung !== undefined) return undefined;
    hung = task;
    throw new HelperStalled();
  });
  const local: number[] = [];
  const failing = run([helper], {
    async work(task) {
      local.push(task);
      await turn();
      return String(task);
    },
    stallError: (task) => new RangeError(`task ${task} hangs`),
  });
  await expect(failing).rejects.toThrow(RangeError);
  await expect(failing).rejects.toThrow(`task ${hung} hangs`);
  expect(local).not.toContain(hung);
});

test("waits longer for a helper when tasks take long in this worker too", async () => {
  const answerIn = (milliseconds: number, task: number) =>
    new Promise<string>((resolve) => setTimeout(() => resolve(String(task)), milliseconds));
  const helper = scriptedHelper<number, string>((task) => answerIn(8_000, task));
  const local: number[] = [];
  const queue = new TaskQueue<number, string>({
    work(task) {
      local.push(task);
      return answerIn(5_000, task);
    },
    helpers: [helper],
  });
  await inFastTime(async () => {
    await queue.wait(Promise.all([0, 1, 2, 3, 4].map((task) => queue.add(task))));
    await queue.close();
  });
  expect(helper.suspect).not.toHaveBeenCalled();
  expect(sorted([...local, ...helper.asked])).toEqual([0, 1, 2, 3, 4]);
});

test("ignores an answer that comes after close", async () => {
  let answer = (_: string) => {};
  const helper = scriptedHelper<number, string>(() => new Promise((resolve) => (answer = resolve)));
  const queue = new TaskQueue<number, string>({ work: String, helpers: [helper] });
  const results: string[] = [];
  for await (const [, result] of mapOrdered(queue, [0, 1])) results.push(result);
  await queue.close();
  answer("late");
  await turn();
  expect(results.sort()).toEqual(["0", "1"]);
});

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
