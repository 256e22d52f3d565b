import { spawn } from "node:child_process";
import { join } from "node:path";
import { bytesIn, emptyFolder } from "./output-folder.ts";
import { PeakMemory } from "./peak-memory.ts";
import { type Contestant, failed, PASSWORD, type Run, selectionFor, type Task } from "./task.ts";

function argumentsFor(task: Task): readonly string[] {
  const { operation, input } = task;
  const output = join(task.output, "result.pdf");
  switch (operation) {
    case "protect":
      return ["--encrypt", PASSWORD, "owner", "256", "--", input, output];
    case "unlock":
      return [`--password=${PASSWORD}`, "--decrypt", input, output];
    case "split":
      return [input, "--pages", ".", selectionFor(task), "--", output];
    case "every page":
      return ["--split-pages", input, join(task.output, "page-%d.pdf")];
  }
}

const PREPARE_LIMIT_MS = 300_000;

/** Native qpdf, from file to file, its start included: what the others are compared with. */
export const nativeQpdf: Contestant = {
  name: "native",

  run: (task) =>
    new Promise<Run>((resolve) => {
      const start = performance.now();
      const child = spawn("qpdf", argumentsFor(task), { stdio: ["ignore", "ignore", "pipe"] });
      let complaint = "";
      child.stderr.on("data", (chunk: Buffer) => {
        complaint = `${complaint}${chunk}`.slice(0, 1000);
      });
      const memory = child.pid === undefined ? undefined : new PeakMemory(child.pid, true);
      const clock = setTimeout(() => child.kill("SIGKILL"), task.timeLimitMs);
      let milliseconds = 0;
      child.on("exit", () => {
        milliseconds = performance.now() - start;
      });
      child.on("error", (error) => resolve(failed(error)));
      child.on("close", (code, signal) => {
        clearTimeout(clock);
        const peakBytes = memory?.stop() ?? 0;
        if (signal !== null) resolve(failed(`no end in ${task.timeLimitMs / 1000} s`));
        else if (code !== 0) resolve(failed(`qpdf ended with ${code}: ${complaint}`));
        else {
          const outputBytes = bytesIn(task.output);
          const own = { process: "qpdf", idleBytes: 0, peakBytes };
          resolve({ kind: "done", milliseconds, outputBytes, memory: [own] });
        }
      });
    }),

  async close() {},
};

/**
 * A protected copy of a document, for those who unlock.
 *
 * @param folder where it may be
 * @returns its path
 */
export async function protectNatively(input: string, folder: string): Promise<string> {
  const output = join(folder, "protected");
  emptyFolder(output);
  const run = await nativeQpdf.run({
    operation: "protect",
    input,
    output,
    pageCount: 0,
    isChecked: false,
    timeLimitMs: PREPARE_LIMIT_MS,
  });
  if (run.kind === "failed") throw new Error(`native qpdf cannot protect the input: ${run.why}`);
  return join(output, "result.pdf");
}
