import { createClient } from "../../src/index.ts";
import { type BenchOperation, PASSWORD } from "./contest.ts";

/** The page on which the real client does the work, on a file that a user has chosen. */

export interface PageTask {
  readonly operation: BenchOperation;
  readonly pages: string;
}

export interface PageMeasurement {
  readonly milliseconds: number;
  readonly outputBytes: number;
}

declare global {
  interface Window {
    /** Does the work on the chosen file; the clock stops when the result is in hand. */
    runTask: (task: PageTask) => Promise<PageMeasurement>;
  }
}

const client = createClient();

function call({ operation, pages }: PageTask, file: File) {
  switch (operation) {
    case "protect":
      return client.protectPdf({ file, password: PASSWORD });
    case "unlock":
      return client.unlockPdf({ file, password: PASSWORD });
    case "split":
      return client.splitPdf({ file, pages });
  }
}

window.runTask = async (task) => {
  const chosen = document.querySelector<HTMLInputElement>("#file")?.files?.[0];
  if (chosen === undefined) throw new Error("no file is chosen");
  const start = performance.now();
  const result = await call(task, chosen);
  const milliseconds = performance.now() - start;
  const output = await (await fetch(result.download_url)).blob();
  client.release(result);
  return { milliseconds, outputBytes: output.size };
};

document.title = "ready";
