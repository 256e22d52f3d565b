import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** Imported anew for each test, since the module keeps its channel. */
let turns: typeof import("../../../../workers/parallel/yield-to-event-loop.ts");
const made = vi.fn<() => void>();

beforeEach(async () => {
  vi.resetModules();
  made.mockReset();
  vi.stubGlobal(
    "MessageChannel",
    class extends MessageChannel {
      constructor() {
        super();
        made();
      }
    },
  );
  turns = await import("../../../../workers/parallel/yield-to-event-loop.ts");
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test("resumes waiting callers in order, with one channel", async () => {
  expect(made).not.toHaveBeenCalled();
  const order: string[] = [];
  const take = async (name: string) => {
    for (let turn = 1; turn <= 20; turn++) {
      await turns.yieldToEventLoop();
      order.push(`${name}${turn}`);
    }
  };
  await Promise.all([take("a"), take("b")]);
  expect(order).toEqual(Array.from({ length: 20 }, (_, at) => [`a${at + 1}`, `b${at + 1}`]).flat());
  expect(made).toHaveBeenCalledOnce();
});
