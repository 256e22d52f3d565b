/** Starts the worker that comes with Stayput. Bundlers find its file by this expression, so do not change it. */
export function createDefaultWorker(): Worker {
  return new Worker(new URL("../../workers/worker.ts", import.meta.url), { type: "module" });
}
