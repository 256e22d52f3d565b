import { requestGc } from "../../src/shared/request-gc.ts";

/** Bytes between two requests. With twice as many, a split of 210 MB of scans takes 15 MB more. */
const COLLECTED_AT = 8 * 1024 * 1024;
let uncollected = 0;

/** Counts bytes that are no longer used, and prompts the browser to free them when there are many. */
export function discard(bytes: number): void {
  uncollected += bytes;
  if (uncollected < COLLECTED_AT) return;
  uncollected = 0;
  requestGc();
}
