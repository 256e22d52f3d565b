import { type Client, createClient, type ServiceResult } from "../../../../src/index.ts";
import { chosenFile } from "../../chosen-file.ts";
import { idleMilliseconds } from "../../idle-browser.ts";
import type { BenchOperation } from "../task.ts";

/** The page on which the real client does the work, on a file that a user has chosen. */

const READ_STEP = 4 * 1024 * 1024;

export interface PageTask {
  readonly operation: BenchOperation;
  readonly pages: string;
  readonly password: string;
}

declare global {
  interface Window {
    /**
     * Does the work on the chosen file, by the same client each time; the first call starts it. Answers how many
     * milliseconds passed until the result was in hand; the one before is let go.
     */
    benchCall: (task: PageTask) => Promise<number>;
    /** Reads the last result whole. */
    benchReadBack: () => Promise<{ readonly milliseconds: number; readonly bytes: number }>;
    /**
     * Has a worker read the chosen file, do nothing, and answer with a result of that length: what the browser itself
     * takes. Answers with the milliseconds.
     */
    benchIdle: (outputBytes: number) => Promise<number>;
    /** Saves the last result as a user does. */
    benchSave: () => void;
    /** Sends the last result to a URL. */
    benchSend: (url: string) => Promise<void>;
  }
}

let client: Client | undefined;
let last: ServiceResult | undefined;

function call(own: Client, { operation, pages, password }: PageTask, file: File): Promise<ServiceResult> {
  switch (operation) {
    case "protect":
      return own.protectPdf({ file, password });
    case "unlock":
      return own.unlockPdf({ file, password });
    case "split":
    case "every page":
      return own.splitPdf({ file, pages });
  }
}

function lastResult(): ServiceResult {
  if (last === undefined) throw new Error("nothing has been done yet");
  return last;
}

window.benchCall = async (task) => {
  const chosen = chosenFile();
  if (last !== undefined) client?.release(last);
  last = undefined;
  const start = performance.now();
  client ??= createClient();
  // The client has read the last byte by then: Chromium answers that only when it has all the bytes before it.
  last = await call(client, task, chosen);
  return performance.now() - start;
};

window.benchReadBack = async () => {
  const start = performance.now();
  const blob = await (await fetch(lastResult().download_url)).blob();
  let bytes = 0;
  for (let at = 0; at < blob.size; at += READ_STEP) {
    bytes += (await blob.slice(at, at + READ_STEP).arrayBuffer()).byteLength;
  }
  return { milliseconds: performance.now() - start, bytes };
};

let idle: Worker | undefined;

window.benchIdle = (outputBytes) => {
  idle ??= new Worker("/idle-worker.js", { type: "module" });
  return idleMilliseconds(idle, chosenFile(), outputBytes);
};

window.benchSave = () => {
  const { download_url, file_name } = lastResult();
  const link = document.createElement("a");
  link.href = download_url;
  link.download = file_name;
  link.click();
};

window.benchSend = async (url) => {
  const result = await fetch(lastResult().download_url);
  await fetch(url, { method: "POST", body: await result.blob() });
};

document.title = "ready";
