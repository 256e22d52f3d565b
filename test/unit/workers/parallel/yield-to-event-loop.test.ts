import { expect, onTestFinished, test, vi } from "vitest";
import { yieldToEventLoop } from "../../../../workers/parallel/yield-to-event-loop.ts";

test("resumes waiting callers in order, with one channel", async () => {
  const channels = vi.spyOn(globalThis, "MessageChannel");
  onTestFinished(() => channels.mockRestore());
  const order: string[] = [];
  const take = async (name: string) => {
    for (let turn = 1; turn <= 20; turn++) {
      await yieldToEventLoop();
      order.push(`${name}${turn}`);
    }
  };
  await Promise.all([take("a"), take("b")]);
  expect(order).toEqual(Array.from({ length: 20 }, (_, at) => [`a${at + 1}`, `b${at + 1}`]).flat());
  expect(channels).toHaveBeenCalledOnce();
});
