import { vi } from "vitest";

const WAIT = { timeout: 100_000, interval: 10 };

/** Repeats the check until it throws nothing. Throws its last error after 100 s. */
export function eventually(check: () => unknown): Promise<unknown> {
  return vi.waitFor(check, WAIT);
}
