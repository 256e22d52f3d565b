import { expect, type Mock, vi } from "vitest";
import type { Helper } from "../../workers/parallel/helper.ts";

/** One turn of the event loop. A helper never answers in the turn in which it is asked. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Stays pending. */
export const never = () => new Promise<undefined>(() => {});

export interface ScriptedHelper<Task, Result> extends Helper<Task, Result> {
  /** The tasks that it has been asked for, in order. */
  readonly asked: Task[];
  readonly suspect: Mock<() => void>;
  readonly release: Mock<() => void>;
}

/** Returns a helper that answers as the test says, until it is released. */
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

/** Returns a helper that gives so many answers, and then never answers again. */
export function falteringHelper<Task, Result>(
  answers: number,
  answer: (task: Task) => Result,
): ScriptedHelper<Task, Result> {
  let left = answers;
  return scriptedHelper(async (task) => (left-- > 0 ? answer(task) : never()));
}

/** No test takes longer, in fake time. */
const MOST_MS = 60_000;

/** Runs some work in fake time. Returns how much of that it took, and checks that no timer is left. */
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
