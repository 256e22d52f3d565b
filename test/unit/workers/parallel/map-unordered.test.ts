import { describe, expect, test, vi } from "vitest";
import type { Helper } from "../../../../workers/parallel/helper-pool.ts";
import { mapUnordered } from "../../../../workers/parallel/map-unordered.ts";
import { yieldToEventLoop } from "../../../../workers/parallel/yield-to-event-loop.ts";
import { falteringHelper, inFastTime, scriptedHelper } from "../../../support/scripted-helper.ts";

interface Scripted {
  /** What it answers, in turn; `undefined` that it cannot. */
  answer(task: number): Promise<string | undefined>;
}

const helperOf = ({ answer }: Scripted) => scriptedHelper(answer);

/** An answer that takes so long. */
const answerIn = (milliseconds: number, answer: string) =>
  new Promise<string>((resolve) => setTimeout(() => resolve(answer), milliseconds));

const TASKS = Array.from({ length: 20 }, (_, index) => index);

async function share(
  helpers: readonly Helper<number, string>[],
): Promise<{ taken: string[]; here: number[] }> {
  const here: number[] = [];
  const taken: string[] = [];
  const workHere = async (task: number) => {
    here.push(task);
    return `${task}`;
  };
  await mapUnordered(TASKS, helpers, workHere, (task, answer) => {
    expect(taken[task]).toBeUndefined();
    taken[task] = answer;
  });
  return { taken, here };
}

const all = (make: (task: number) => string) => TASKS.map(make);

describe("tasks are all done", () => {
  test("by nobody else", async () => {
    const { taken, here } = await share([]);
    expect(taken).toEqual(all(String));
    expect(here).toEqual(TASKS);
  });

  test("by a helper as well, each once", async () => {
    const helper = helperOf({ answer: async (task) => `${task}` });
    const { taken, here } = await share([helper]);
    expect(taken).toEqual(all(String));
    expect(helper.asked.length).toBeGreaterThan(1);
    expect([...here, ...helper.asked].sort((one, other) => one - other)).toEqual(TASKS);
  });

  test("where a helper never answers, which nobody waits for", async () => {
    const helper = helperOf({ answer: () => new Promise(() => {}) });
    const { taken, here } = await share([helper]);
    expect(taken).toEqual(all(String));
    expect(helper.asked).toHaveLength(3);
    expect([...here].sort((one, other) => one - other)).toEqual(TASKS);
  });

  test("where a helper has proved itself and never answers again, which is waited for for some seconds", async () => {
    const helper = falteringHelper(3, String);
    const { result, milliseconds } = await inFastTime(() => share([helper]));
    expect(result.taken).toEqual(all(String));
    expect(milliseconds).toBeGreaterThan(5_000);
    expect(milliseconds).toBeLessThan(9_000);
    const done = [...result.here, ...helper.asked.slice(0, 3)];
    expect(done.sort((one, other) => one - other)).toEqual(TASKS);
  });

  test("where a helper takes its time, but no more than was taken here", async () => {
    const helper = helperOf({ answer: (task) => answerIn(8_000, `${task}`) });
    const here: number[] = [];
    const suspect = vi.spyOn(helper, "suspect");
    const work = (task: number) => {
      here.push(task);
      return answerIn(5_000, `${task}`);
    };
    await inFastTime(() => mapUnordered([0, 1, 2, 3, 4], [helper], work, () => {}));
    expect(suspect).not.toHaveBeenCalled();
    expect([...here, ...helper.asked].sort()).toEqual([0, 1, 2, 3, 4]);
  });

  test("where a helper that was doubted answers after all, which is heard between two tasks", async () => {
    let quick = 3;
    const late: (() => void)[] = [];
    const helper = helperOf({
      answer: (task) =>
        quick-- > 0
          ? Promise.resolve(`${task}`)
          : new Promise((resolve) => late.push(() => resolve(`${task}`))),
    });
    const twice: number[] = [];
    const work = async (task: number) => {
      if (helper.asked.includes(task)) {
        twice.push(task);
        yieldToEventLoop().then(() => {
          for (const answer of late) answer();
        });
      }
      return `${task}`;
    };
    const taken: string[] = [];
    await inFastTime(() => mapUnordered(TASKS, [helper], work, (task, answer) => (taken[task] = answer)));
    expect(late).toHaveLength(3);
    expect(twice).toHaveLength(1);
    expect(taken).toEqual(all(String));
  });

  test("where a helper answers when all is over", async () => {
    const late: ((answer: string) => void)[] = [];
    const helper = helperOf({ answer: () => new Promise((resolve) => late.push(resolve)) });
    const { taken } = await share([helper]);
    for (const answer of late) answer("late");
    await Promise.resolve();
    expect(taken).toEqual(all(String));
  });

  test("where a helper ends after its first", async () => {
    let answers = 0;
    const helper = helperOf({ answer: async (task) => (answers++ === 0 ? `${task}` : undefined) });
    expect((await share([helper])).taken).toEqual(all(String));
  });

  test("unless one fails here", async () => {
    const fails = mapUnordered(
      TASKS,
      [],
      () => Promise.reject(new Error("no")),
      () => {},
    );
    await expect(fails).rejects.toThrow("no");
  });
});
