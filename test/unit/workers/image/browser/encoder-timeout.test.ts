import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { encodedInTime } from "../../../../../workers/image/browser/encoder-timeout.ts";

describe("a browser's encoder", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("that answers gives its result and clears the timer", async () => {
    const blob = new Blob(["picture"]);
    await expect(encodedInTime(Promise.resolve(blob), { width: 4000, height: 3000 })).resolves.toBe(blob);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that fails rejects with its error", async () => {
    const reason = new DOMException("no memory", "EncodingError");
    await expect(encodedInTime(Promise.reject(reason), { width: 1, height: 1 })).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that never answers fails the job, later for a larger picture", async () => {
    const never = new Promise<Blob>(() => {});
    const outcome = (size: { width: number; height: number }) =>
      encodedInTime(never, size).catch((error: unknown) => error);
    const small = outcome({ width: 100, height: 100 });
    const large = vi.fn();
    outcome({ width: 4000, height: 3000 }).then(large);
    await vi.advanceTimersByTimeAsync(60_100);
    await expect(small).resolves.toMatchObject({
      code: "internal_error",
      details: { cause: expect.stringContaining("60 s") },
    });
    expect(large).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(large).toHaveBeenCalledWith(expect.objectContaining({ code: "internal_error" }));
  });
});
