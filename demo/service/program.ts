import { type ChildProcess, spawn, spawnSync } from "node:child_process";

/** How a program ended that was not stopped. */
export interface Run {
  /** The exit code; undefined when a signal ended it. */
  readonly code: number | undefined;
  /** The beginning of what it wrote. */
  readonly output: string;
}

const OUTPUT_LIMIT = 64 * 1024;

/**
 * Runs a program to its end, or stops it and everything that it started when `signal` aborts.
 *
 * @throws `signal.reason` when stopped, and what keeps the program from starting
 */
export function run(command: string, args: readonly string[], signal: AbortSignal): Promise<Run> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    // A group of its own: LibreOffice's command is a script that starts a program that starts another.
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
    let output = "";
    const collect = (chunk: Buffer) => {
      if (output.length < OUTPUT_LIMIT) output += chunk.toString("utf8");
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const stop = () => killTree(child);
    signal.addEventListener("abort", stop, { once: true });
    child.on("error", reject);
    child.on("close", (code) => {
      signal.removeEventListener("abort", stop);
      if (signal.aborted) reject(signal.reason);
      else resolve({ code: code ?? undefined, output: output.slice(0, OUTPUT_LIMIT) });
    });
  });
}

function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/T", "/F", "/PID", String(pid)], { stdio: "ignore" });
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
