import { join } from "node:path";
import { runNatively } from "../native-program.ts";
import { bytesIn, emptyFolder } from "./output-folder.ts";
import { type Contestant, PASSWORD, selectionFor, type Task } from "./task.ts";

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

  async run(task) {
    const run = await runNatively("qpdf", argumentsFor(task), task.timeLimitMs);
    if (run.kind === "failed") return run;
    const { milliseconds, peakBytes } = run;
    const memory = [{ process: "qpdf", idleBytes: 0, peakBytes }];
    return { kind: "done", milliseconds, outputBytes: bytesIn(task.output), memory };
  },

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
