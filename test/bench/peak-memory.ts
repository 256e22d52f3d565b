import { writeFileSync } from "node:fs";
import { memoryOf } from "../support/process-files.ts";

const POLL_MS = 20;
/** A new process may end soon, and its figures end with it. */
const FRESH_POLL_MS = 2;

/** Measures the peak memory of a process in bytes, by the kernel's count. 0 when the system does not report it. */
export class PeakMemory {
  readonly pid: number;
  /** The memory at the start. */
  readonly idleBytes: number;
  readonly #field: "VmHWM" | "VmRSS";
  readonly #timer: NodeJS.Timeout;
  #peak = 0;

  /** @param isFresh the process has just started, so its peak counts from the start */
  constructor(pid: number, isFresh = false) {
    this.pid = pid;
    this.idleBytes = isFresh ? 0 : memoryOf(pid, "VmRSS");
    this.#field = isFresh || forgetPeak(pid) ? "VmHWM" : "VmRSS";
    this.#look();
    this.#timer = setInterval(() => this.#look(), isFresh ? FRESH_POLL_MS : POLL_MS);
  }

  /** Ends the measurement and returns the peak. */
  stop(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#peak;
  }

  #look(): void {
    this.#peak = Math.max(this.#peak, memoryOf(this.pid, this.#field));
  }
}

/** Resets the kernel's count. Returns false when the system does not allow it. */
function forgetPeak(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

/** Measures the peak memory that several processes add to what they have, in bytes. */
export function watchGrowth(pids: readonly number[]): { stop(): number } {
  const watches = pids.map((pid) => new PeakMemory(pid));
  return { stop: () => watches.reduce((sum, watch) => sum + watch.stop() - watch.idleBytes, 0) };
}
