/** The worker that comes with Stayput. Bundlers find its file by this expression: it must stay as it is. */
export function createDefaultWorker(): Worker {
  return new Worker(new URL("../../workers/worker.ts", import.meta.url), { type: "module" });
}
