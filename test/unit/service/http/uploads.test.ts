import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Uploads } from "../../../../service/http/uploads.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("uploads of a service that is about to stop", () => {
  test("go on while bytes arrive, and end when none do", () => {
    const uploads = new Uploads(2, 600_000);
    let bytes = 0;
    const live = uploads.begin(() => bytes);
    const stalled = uploads.begin(() => 7);
    uploads.endStalled(1_000);
    vi.advanceTimersByTime(999);
    expect([live.signal.aborted, stalled.signal.aborted]).toEqual([false, false]);
    for (let seconds = 0; seconds < 10; seconds++) {
      bytes++;
      vi.advanceTimersByTime(1_000);
    }
    expect([live.signal.aborted, stalled.signal.aborted]).toEqual([false, true]);
    expect(stalled.signal.reason).toMatchObject({ code: "rate_limited", details: { retry_after: 5 } });
    vi.advanceTimersByTime(1_000);
    expect(live.signal.aborted).toBe(true);
    live.end();
    stalled.end();
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
