import { expect, type Mock, vi } from "vitest";
import type { Helper } from "../../workers/parallel/helper.ts";

/** Waits for the next turn of the event loop. A helper never answers in the turn of the request. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A promise that stays pending. */
export const never = () => new Promise<undefined>(() => {});

export interface ScriptedHelper<Task, Result> extends Helper<Task, Result> {
  /** The requested tasks, in order. */
  readonly asked: Task[];
  readonly suspect: Mock<() => void>;
  readonly release: Mock<() => void>;
}

/** Returns a helper that answers by the test's function until it is released. */
export function scriptedHelper<Task, Result>(
  answer: (task: Task) => Promise<Result | undefined>,
): ScriptedHelper<Task, Result> {
  const asked: Task[] = [];
  let isResponsive = false;
  let end = () => {};
  const released = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined);
  });
  return {
    asked,
    get isResponsive() {
      return isResponsive;
    },
    async ask(task) {
      asked.push(task);
      const given = await Promise.race([answer(task), released]);
      isResponsive ||= given !== undefined;
      return given;
    },
    suspect: vi.fn(() => {
      isResponsive = false;
    }),
    release: vi.fn(() => end()),
  };
}

/** Returns a helper that stops answering after a number of answers. */
export function falteringHelper<Task, Result>(
  answers: number,
  answer: (task: Task) => Result,
): ScriptedHelper<Task, Result> {
  let left = answers;
  return scriptedHelper(async (task) => (left-- > 0 ? answer(task) : never()));
}

/** The limit of a test in fake time. */
const MOST_MS = 60_000;

/** Runs work in fake time, checks that no timer is left and returns the elapsed fake time. */
export async function inFastTime<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly milliseconds: number }> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    let isOver = false;
    const working = work().finally(() => {
      isOver = true;
    });
    working.catch(() => {});
    let milliseconds = 0;
    for (; !isOver && milliseconds < MOST_MS; milliseconds += 10) {
      await turn();
      vi.advanceTimersByTime(10);
    }
    if (!isOver) throw new Error("the work does not end");
    expect(vi.getTimerCount()).toBe(0);
    return { result: await working, milliseconds };
  } finally {
    vi.useRealTimers();
  }
}
