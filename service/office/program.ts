import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { systemCode } from "../platform/system-error.ts";

/** The end of a program that was not stopped. */
export interface Run {
  /** The exit code. Undefined when a signal ended the program. */
  readonly code: number | undefined;
  /** The beginning of its output. */
  readonly output: string;
}

const OUTPUT_LIMIT = 64 * 1024;

/**
 * Runs a program to its end. When `signal` aborts, stops it and all programs that it started.
 *
 * @throws `signal.reason` when stopped, or the error of the start
 */
export function run(command: string, args: readonly string[], signal: AbortSignal): Promise<Run> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    // A process group, because LibreOffice's command is a script that starts further programs.
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
  } catch (thrown) {
    // ESRCH: the program has already ended. EPERM: macOS says so for a group that is ending.
    if (!["ESRCH", "EPERM"].includes(systemCode(thrown) ?? "")) throw thrown;
  }
}
