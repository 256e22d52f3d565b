import { vi } from "vitest";

/** A busy machine takes its time. */
const WAIT = { timeout: 20_000, interval: 10 };

/** Checks again until nothing is thrown any more. */
export function eventually(check: () => unknown): Promise<unknown> {
  return vi.waitFor(check, WAIT);
}
