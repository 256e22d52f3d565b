// The page in which a test has a worker ask a helper.
import { wrap } from "comlink";
import type { asking } from "./crew-worker.ts";

declare global {
  interface Window {
    /** What the helper of a worker that is a module answers; nothing where it does not live. */
    askHelper(task: number): Promise<number | undefined>;
  }
}

const worker = new Worker(new URL("./crew-worker.ts", import.meta.url), { type: "module" });
const api = wrap<typeof asking>(worker);
window.askHelper = (task) => api.ask(task);
document.title = "ready";
