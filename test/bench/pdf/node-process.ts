import { fork } from "node:child_process";
import { bytesIn } from "./output-folder.ts";
import { type Contestant, type ContestantName, failed, type Run, type Task } from "./task.ts";

/** What a process of Node says of the work that it has done. */
export interface ProcessReport {
  readonly milliseconds: number;
  readonly idleBytes: number;
  readonly peakBytes: number;
}

/**
 * A contestant in Node, from file to file: a fresh process each time, whose start, and the loading of the code, are
 * not counted.
 *
 * @param script takes a {@link Task} as a message and answers with a {@link ProcessReport}
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
    let report: ProcessReport | undefined;
    const clock = setTimeout(() => child.kill("SIGKILL"), task.timeLimitMs);
    child.on("message", (message: ProcessReport) => {
      report = message;
    });
    child.on("error", (error) => resolve(failed(error)));
    child.on("close", (code, signal) => {
      clearTimeout(clock);
      if (report !== undefined) {
        const { milliseconds, idleBytes, peakBytes } = report;
        const memory = [{ process: name, idleBytes, peakBytes }];
        resolve({ kind: "done", milliseconds, outputBytes: bytesIn(task.output), memory });
      } else if (signal === "SIGKILL") resolve(failed(`no end in ${task.timeLimitMs / 1000} s`));
      else resolve(failed(reason(complaint) ?? `the process ended with ${signal ?? code}`));
    });
    child.send(task);
  });
}

/** The line in which an error says what it is. */
function reason(complaint: string): string | undefined {
  const lines = complaint.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /^\w*(Error|Exception)\b|^FATAL/.test(line)) ?? lines.at(-1);
}
