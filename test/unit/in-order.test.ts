import { describe, expect, test } from "vitest";
import type { Helper } from "../../workers/crew.ts";
import { inOrder } from "../../workers/in-order.ts";

const TASKS = Array.from({ length: 40 }, (_, index) => index);

/** A turn of the event loop: what is asked of a helper is never answered at once. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

interface FakeHelper extends Helper<number, string> {
  readonly asked: number[];
  isReleased: boolean;
}

function fakeHelper(answer: (task: number) => string | undefined | "never" | Error): FakeHelper {
  const waiting: ((result: undefined) => void)[] = [];
  const helper = {
    hasProvedItself: false,
    asked: [] as number[],
    isReleased: false,
    async ask(task: number) {
      helper.asked.push(task);
      const result = answer(task);
      if (result === "never") return new Promise<undefined>((resolve) => waiting.push(resolve));
      await turn();
      if (result instanceof Error) throw result;
      helper.hasProvedItself ||= result !== undefined;
      return result;
    },
    release() {
      helper.isReleased = true;
      for (const resolve of waiting) resolve(undefined);
    },
  };
  return helper;
}

async function run(helpers: readonly FakeHelper[], doHere?: (task: number) => Promise<string>) {
  const here: number[] = [];
  const results: string[] = [];
  const work =
    doHere ??
    (async (task: number) => {
      here.push(task);
      await turn();
      return `${task}`;
    });
  for await (const [task, result] of inOrder(TASKS, work, helpers)) results.push(`${task}=${result}`);
  return { here, results };
}

const ALL = TASKS.map((task) => `${task}=${task}`);

describe("results in order", () => {
  test("alone", async () => {
    expect(await run([])).toEqual({ here: TASKS, results: ALL });
  });

  test("with helpers, each task once", async () => {
    const helpers = [fakeHelper(String), fakeHelper(String)];
    const { here, results } = await run(helpers);
    expect(results).toEqual(ALL);
    const asked = helpers.flatMap((helper) => helper.asked);
    expect(asked.length).toBeGreaterThan(10);
    expect([...here, ...asked].sort((one, other) => one - other)).toEqual(TASKS);
    expect(helpers.every((helper) => helper.isReleased)).toBe(true);
  });

  test("with helpers that fail or never answer", async () => {
    const helpers = [fakeHelper(() => undefined), fakeHelper(() => "never"), fakeHelper(String)];
    expect((await run(helpers)).results).toEqual(ALL);
    expect(helpers[0]?.asked).toHaveLength(3);
  });

  test("a helper that fails later on is made up for", async () => {
    const helper = fakeHelper((task) => (task > 20 ? undefined : String(task)));
    expect((await run([helper])).results).toEqual(ALL);
  });

  test("no further ahead than what is kept may be", async () => {
    const started = new Set<number>();
    const helper = fakeHelper((task) => {
      started.add(task);
      return String(task);
    });
    const work = async (task: number) => {
      started.add(task);
      await turn();
      return String(task);
    };
    let furthest = 0;
    for await (const [task] of inOrder(TASKS, work, [helper])) {
      // Whoever takes the results is slow.
      for (let waited = 0; waited < 20; waited++) await turn();
      furthest = Math.max(furthest, Math.max(...started) - task);
    }
    expect(furthest).toBeGreaterThan(2);
    expect(furthest).toBeLessThanOrEqual(8);
  });

  test("what fails first in order is what it fails with, wherever it was done", async () => {
    for (const helpers of [[], [fakeHelper((task) => (task >= 7 ? new Error(`bad ${task}`) : `${task}`))]]) {
      const results: string[] = [];
      const work = async (task: number) => {
        await turn();
        if (task >= 7) throw new Error(`bad ${task}`);
        return String(task);
      };
      const all = async () => {
        for await (const [, result] of inOrder(TASKS, work, helpers)) results.push(result);
      };
      await expect(all()).rejects.toThrow("bad 7");
      expect(results).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
      expect(helpers.every((helper) => helper.isReleased)).toBe(true);
    }
  });

  test("stopping early lets the helpers go", async () => {
    const helper = fakeHelper(String);
    for await (const [task] of inOrder(TASKS, async (one) => String(one), [helper])) if (task === 3) break;
    expect(helper.isReleased).toBe(true);
    await turn();
    expect(helper.asked.length).toBeLessThan(TASKS.length);
  });
});
