import { describe, expect, test } from "vitest";
import type { Helper } from "../../../../workers/parallel/helper-pool.ts";
import { mapOrdered } from "../../../../workers/parallel/map-ordered.ts";
import {
  falteringHelper,
  inFastTime,
  never,
  scriptedHelper,
  turn,
} from "../../../support/scripted-helper.ts";

const TASKS = Array.from({ length: 40 }, (_, index) => index);

function fakeHelper(answer: (task: number) => string | undefined | "never" | Error) {
  return scriptedHelper<number, string>(async (task) => {
    const result = answer(task);
    if (result === "never") return never();
    await turn();
    if (result instanceof Error) throw result;
    return result;
  });
}

async function run(helpers: readonly Helper<number, string>[], doHere?: (task: number) => Promise<string>) {
  const here: number[] = [];
  const results: string[] = [];
  const work =
    doHere ??
    (async (task: number) => {
      here.push(task);
      await turn();
      return `${task}`;
    });
  for await (const [task, result] of mapOrdered(TASKS, work, helpers)) results.push(`${task}=${result}`);
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
    for (const { release } of helpers) expect(release).toHaveBeenCalled();
  });

  test("with helpers that fail or never answer", async () => {
    const helpers = [fakeHelper(() => undefined), fakeHelper(() => "never"), fakeHelper(String)];
    expect((await run(helpers)).results).toEqual(ALL);
    expect(helpers[0]?.asked).toHaveLength(3);
  });

  test("with a helper that has proved itself and never answers again, which is waited for once, for some seconds", async () => {
    for (const others of [[], [fakeHelper(String)]]) {
      const lost = falteringHelper(3, String);
      const { result, milliseconds } = await inFastTime(() => run([lost, ...others]));
      expect(result.results).toEqual(ALL);
      expect(milliseconds).toBeGreaterThan(5_000);
      expect(milliseconds).toBeLessThan(9_000);
      // Three at a time.
      expect(lost.asked).toHaveLength(6);
    }
  });

  test("with a helper that answers when its task is being done here after all, whoever is first", async () => {
    const late: (() => void)[] = [];
    let lateAnswers = 0;
    const helper = scriptedHelper<number, string>(async (task) => {
      await turn();
      if (helper.asked.length > 6) await new Promise<void>((resolve) => late.push(resolve));
      return String(task);
    });
    const work = async (task: number) => {
      if (helper.asked.includes(task)) {
        lateAnswers += late.length;
        for (const answer of late.splice(0)) answer();
      }
      await turn();
      return String(task);
    };
    const { result } = await inFastTime(() => run([helper], work));
    expect(result.results).toEqual(ALL);
    expect(lateAnswers).toBeGreaterThan(0);
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
    for await (const [task] of mapOrdered(TASKS, work, [helper])) {
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
        for await (const [, result] of mapOrdered(TASKS, work, helpers)) results.push(result);
      };
      await expect(all()).rejects.toThrow("bad 7");
      expect(results).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
      for (const { release } of helpers) expect(release).toHaveBeenCalled();
    }
  });

  test("stopping early lets the helpers go", async () => {
    const helper = fakeHelper(String);
    for await (const [task] of mapOrdered(TASKS, async (one) => String(one), [helper])) if (task === 3) break;
    expect(helper.release).toHaveBeenCalled();
    await turn();
    expect(helper.asked.length).toBeLessThan(TASKS.length);
  });
});
