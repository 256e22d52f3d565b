import { memoryOf, readProcess } from "../support/process-files.ts";

const POLL_MS = 20;
const TICKS_PER_SECOND = 100;
const MEGABYTE = 1 << 20;

interface Seen {
  readonly cpuAtStart: number;
  cpuSeconds: number;
  peakMegabytes: number;
}

/**
 * Measures the memory and the processor time of a browser's renderers, including renderers that end during
 * the watch.
 */
export class RendererWatch {
  readonly #seen: ReadonlyMap<number, Seen>;
  readonly #look: (pid: number, megabytes: number) => void;
  readonly #timer: NodeJS.Timeout;

  /** @param look called repeatedly with the resident memory of each process, in megabytes */
  constructor(pids: readonly number[], look: (pid: number, megabytes: number) => void) {
    this.#seen = new Map(
      pids.map((pid) => [pid, { cpuAtStart: cpuSecondsOf(pid), cpuSeconds: 0, peakMegabytes: 0 }]),
    );
    this.#look = look;
    this.#timer = setInterval(() => this.#poll(), POLL_MS);
  }

  /**
   * Ends the watch. Returns the figures of the renderer that worked most: it runs the page, and the others
   * are idle.
   */
  stop(): { readonly cpuSeconds: number; readonly megabytes: number } {
    clearInterval(this.#timer);
    this.#poll();
    const busiest = this.#busiest()?.[1];
    return { cpuSeconds: busiest?.cpuSeconds ?? 0, megabytes: busiest?.peakMegabytes ?? 0 };
  }

  /** Ends the process of the page. */
  killBusiest(): void {
    const pid = this.#busiest()?.[0];
    if (pid === undefined || cpuSecondsOf(pid) === 0) return;
    process.kill(pid, "SIGKILL");
  }

  #busiest(): [number, Seen] | undefined {
    return [...this.#seen].sort(([, one], [, other]) => other.cpuSeconds - one.cpuSeconds)[0];
  }

  #poll(): void {
    for (const [pid, seen] of this.#seen) {
      const cpu = cpuSecondsOf(pid);
      // A process that has ended keeps its last figure.
      if (cpu > 0) seen.cpuSeconds = Math.max(seen.cpuSeconds, cpu - seen.cpuAtStart);
      const megabytes = memoryOf(pid) / MEGABYTE;
      seen.peakMegabytes = Math.max(seen.peakMegabytes, megabytes);
      this.#look(pid, megabytes);
    }
  }
}

/**
 * Returns the processor time of a process in seconds; 0 when it has ended or the system does not report it.
 */
function cpuSecondsOf(pid: number): number {
  const fields = readProcess(pid, "stat")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND;
}
