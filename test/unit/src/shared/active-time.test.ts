import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ActiveTime, afterActiveTime } from "../../../../src/shared/active-time.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Lets the clock go on while everything else stands still. */
function sleep(milliseconds: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + milliseconds);
}

describe("active time", () => {
  test("is the time of the clock while it is read often", () => {
    const time = new ActiveTime();
    for (let step = 1; step <= 20; step++) {
      vi.advanceTimersByTime(900);
      expect(time.elapsed()).toBe(900 * step);
    }
  });

  test("counts at most 5 s of a sleep", () => {
    const time = new ActiveTime();
    vi.advanceTimersByTime(900);
    sleep(3_600_000);
    expect(time.elapsed()).toBe(5_000);
    vi.advanceTimersByTime(100);
    expect(time.elapsed()).toBe(5_100);
  });
});

describe("afterActiveTime", () => {
  test.each([0, 1, 999, 1_000, 60_050])("acts after %i ms, once", (milliseconds) => {
    const act = vi.fn();
    afterActiveTime(milliseconds, act);
    if (milliseconds > 0) vi.advanceTimersByTime(milliseconds - 1);
    expect(act).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(200_000);
    expect(act).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("does not act when a sleep ends", () => {
    const act = vi.fn();
    afterActiveTime(75_000, act);
    vi.advanceTimersByTime(30_000);
    sleep(3_600_000);
    vi.advanceTimersByTime(40_000);
    expect(act).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5_000);
    expect(act).toHaveBeenCalledTimes(1);
  });

  test("does not act when it is canceled", () => {
    const act = vi.fn();
    const letBe = afterActiveTime(75_000, act);
    vi.advanceTimersByTime(74_000);
    letBe();
    vi.advanceTimersByTime(75_000);
    expect(act).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
