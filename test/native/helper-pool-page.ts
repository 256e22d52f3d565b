// The page of helper-pool.test.ts: its worker asks a helper.
import { wrap } from "comlink";
import type { api } from "./helper-pool-worker.ts";

declare global {
  interface Window {
    /** Returns the answer of the worker's helper, or undefined if that does not live. */
    askHelper(task: number): Promise<number | undefined>;
  }
}

const worker = new Worker(new URL("./helper-pool-worker.ts", import.meta.url), { type: "module" });
const remote = wrap<typeof api>(worker);
window.askHelper = (task) => remote.ask(task);
document.title = "ready";
