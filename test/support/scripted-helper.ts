import { expect, type Mock, vi } from "vitest";
import type { Helper } from "../../workers/parallel/helper-pool.ts";

/** A turn of the event loop: what is asked of a helper is never answered at once. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What never comes. */
export const never = () => new Promise<undefined>(() => {});

interface ScriptedHelper<Task, Answer> extends Helper<Task, Answer> {
  readonly asked: Task[];
  readonly release: Mock<() => void>;
}

/** A helper that does as a test says, until it is released, and what it was asked for. */
export function scriptedHelper<Task, Answer>(
  answer: (task: Task) => Promise<Answer | undefined>,
): ScriptedHelper<Task, Answer> {
  const asked: Task[] = [];
  let isResponsive = false;
  let letGo = () => {};
  const released = new Promise<undefined>((resolve) => {
    letGo = () => resolve(undefined);
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
    suspect() {
      isResponsive = false;
    },
    release: vi.fn(() => letGo()),
  };
}

/** A helper that proves itself by so many answers, and is then never heard of again. */
export function falteringHelper<Task, Answer>(
  answers: number,
  answer: (task: Task) => Answer,
): ScriptedHelper<Task, Answer> {
  let left = answers;
  return scriptedHelper(async (task) => (left-- > 0 ? answer(task) : never()));
}

/** Nothing of a test takes longer. */
const MOST_MS = 60_000;

/** Does some work while time goes by quickly, and says how much of it has gone by. Nothing is left to happen later. */
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
    if (!isOver) throw new Error("it is still being waited for");
    expect(vi.getTimerCount()).toBe(0);
    return { result: await working, milliseconds };
  } finally {
    vi.useRealTimers();
  }
}
