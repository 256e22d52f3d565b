import { fork } from "node:child_process";
import { failed } from "../contest.ts";
import { PeakMemory } from "../peak-memory.ts";
import { bytesIn } from "./output-folder.ts";
import type { Contestant, ContestantName, Run, Task } from "./task.ts";

/** What a process of Node says: that it has loaded its code and waits for its task; that the task is done. */
export type ProcessMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly milliseconds: number };

/**
 * A contestant in Node, from file to file: a fresh process each time, whose start, and the loading of the code, are
 * not counted.
 *
 * @param script answers a {@link Task} with {@link ProcessMessage}s
 */
export function nodeContestant(
  name: ContestantName,
  script: string,
  args: readonly string[] = [],
): Contestant {
  return {
    name,
    run: (task) => runOnce(name, script, args, task),
    async close() {},
  };
}

function runOnce(name: string, script: string, args: readonly string[], task: Task): Promise<Run> {
  return new Promise((resolve) => {
    const child = fork(script, args, {
      execArgv: ["--no-warnings"],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let complaint = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      complaint = `${complaint}${chunk}`.slice(-2000);
    });
    let memory: PeakMemory | undefined;
    let run: Run | undefined;
    const clock = setTimeout(() => child.kill("SIGKILL"), task.timeLimitMs);
    child.on("message", (message: ProcessMessage) => {
      if (message.kind === "ready") {
        memory = child.pid === undefined ? undefined : new PeakMemory(child.pid);
        child.send(task);
      } else {
        const own = { process: name, idleBytes: memory?.idleBytes ?? 0, peakBytes: memory?.stop() ?? 0 };
        const { milliseconds } = message;
        run = { kind: "done", milliseconds, outputBytes: bytesIn(task.output), memory: [own] };
        // It has waited for its memory to be read.
        child.kill();
      }
    });
    child.on("error", (error) => resolve(failed(error)));
    child.on("close", (code, signal) => {
      clearTimeout(clock);
      memory?.stop();
      if (run !== undefined) resolve(run);
      else if (signal === "SIGKILL") resolve(failed(`no end in ${task.timeLimitMs / 1000} s`));
      else resolve(failed(reason(complaint) ?? `the process ended with ${signal ?? code}`));
    });
  });
}

/** The line in which an error says what it is. */
function reason(complaint: string): string | undefined {
  const lines = complaint.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /^\w*(Error|Exception)\b|^FATAL/.test(line)) ?? lines.at(-1);
}
