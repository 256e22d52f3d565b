import { spawn } from "node:child_process";
import { type Failed, failed } from "./contest.ts";
import { PeakMemory } from "./peak-memory.ts";

const TIME_LIMIT_MS = 300_000;

/** How long a native program took, its start included, and the most memory that it had. */
export interface NativeRun {
  readonly kind: "done";
  readonly milliseconds: number;
  readonly peakBytes: number;
}

/** Runs a native program to its end. */
export function runNatively(
  program: string,
  args: readonly string[],
  timeLimitMs = TIME_LIMIT_MS,
): Promise<NativeRun | Failed> {
  return new Promise((resolve) => {
    const start = performance.now();
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
    let complaint = "";
    child.stderr.on("data", (chunk: Buffer) => {
      complaint = `${complaint}${chunk}`.slice(0, 1000);
    });
    const memory = child.pid === undefined ? undefined : new PeakMemory(child.pid, true);
    const clock = setTimeout(() => child.kill("SIGKILL"), timeLimitMs);
    let milliseconds = 0;
    child.on("exit", () => {
      milliseconds = performance.now() - start;
    });
    child.on("error", (error) => resolve(failed(error)));
    child.on("close", (code, signal) => {
      clearTimeout(clock);
      const peakBytes = memory?.stop() ?? 0;
      if (signal !== null) resolve(failed(`no end in ${timeLimitMs / 1000} s`));
      else if (code !== 0) resolve(failed(`${program} ended with ${code}: ${complaint}`));
      else resolve({ kind: "done", milliseconds, peakBytes });
    });
  });
}
