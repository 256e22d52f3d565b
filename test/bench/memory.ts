import { readFileSync } from "node:fs";

const POLL_MS = 20;

/** What a process has in memory at the moment, in bytes; 0 where the system does not tell or it has ended. */
function residentBytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Watches the memory of some processes together until it is asked for the most that it saw. */
export class MemoryWatch {
  readonly #pids: readonly number[];
  readonly #timer: NodeJS.Timeout;
  #peak = 0;

  constructor(pids: readonly number[]) {
    this.#pids = pids;
    this.#look();
    this.#timer = setInterval(() => this.#look(), POLL_MS);
  }

  /** Ends the watch. */
  stop(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#peak;
  }

  #look(): void {
    const now = this.#pids.reduce((sum, pid) => sum + residentBytes(pid), 0);
    if (now > this.#peak) this.#peak = now;
  }
}
