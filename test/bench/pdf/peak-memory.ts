import { readFileSync, writeFileSync } from "node:fs";

const POLL_MS = 20;
/** A process that ends by itself takes its count with it, and may end soon. */
const FRESH_POLL_MS = 2;

/**
 * The most that one process has in memory, in bytes, as the kernel itself counts it; 0 where the system does not
 * tell.
 */
export class PeakMemory {
  readonly pid: number;
  /** What it has at the start. */
  readonly idleBytes: number;
  readonly #field: "VmHWM" | "VmRSS";
  readonly #timer: NodeJS.Timeout;
  #peak = 0;

  /** @param isFresh the process has only just been started: all that it ever had is asked for */
  constructor(pid: number, isFresh = false) {
    this.pid = pid;
    this.idleBytes = isFresh ? 0 : memoryOf(pid, "VmRSS");
    this.#field = isFresh || forgetPeak(pid) ? "VmHWM" : "VmRSS";
    this.#look();
    this.#timer = setInterval(() => this.#look(), isFresh ? FRESH_POLL_MS : POLL_MS);
  }

  /** Ends the watch. */
  stop(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#peak;
  }

  #look(): void {
    this.#peak = Math.max(this.#peak, memoryOf(this.pid, this.#field));
  }
}

/** Begins the kernel's count anew; false where that is not allowed. */
function forgetPeak(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    return true;
  } catch {
    return false;
  }
}

function memoryOf(pid: number, field: "VmHWM" | "VmRSS"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
