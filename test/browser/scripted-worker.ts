import { expose } from "comlink";
import type { Outcome, WorkerApi } from "../../src/shared/protocol.ts";

/** What the worker is told to do, in the place of a password. */
export type Script =
  /** Answers with the worker's own name. */
  | "answer"
  /** Reports that it works, and never answers. */
  | "hang"
  /** Fails outside the job, as a bug in a callback does. */
  | "crash"
  /** Fails as an engine does that cannot get memory. */
  | "run out of memory"
  /** Answers with a file that the browser no longer has. */
  | "lose the file"
  /** The same, but only in the first job of the tab with this name. */
  | `lose the file once: ${string}`;

const name = crypto.randomUUID();
const PDF = "application/pdf";

// Whoever waits for this lock gets it when the worker has ended, and no sooner.
void navigator.locks.request(name, () => new Promise(() => undefined));

const api: WorkerApi = {
  async run(job, _grant, page) {
    const script = "password" in job ? job.password : undefined;
    page.postMessage({ phase: "working", done: 1, total: 2 });
    switch (script) {
      case "hang":
        return await new Promise<Outcome>(() => undefined);
      case "crash":
        queueMicrotask(() => {
          throw new Error("a bug");
        });
        return await new Promise<Outcome>(() => undefined);
      case "run out of memory":
        throw new RangeError("Array buffer allocation failed");
      case "lose the file":
        return { ok: true, file: await lostFile() };
      default: {
        const losesOnce = script?.startsWith("lose the file once") && (await isFirst(script));
        return { ok: true, file: losesOnce ? await lostFile() : new Blob([name], { type: PDF }) };
      }
    }
  },
};
expose(api);

/** A file that was there when it was handed out, and is gone when it is read. */
async function lostFile(): Promise<Blob> {
  const folder = await navigator.storage.getDirectory();
  const handle = await folder.getFileHandle(name, { create: true });
  const writable = await handle.createWritable();
  await writable.write("gone");
  await writable.close();
  const file = await handle.getFile();
  await folder.removeEntry(name);
  return file.slice(0, file.size, PDF);
}

async function isFirst(script: string): Promise<boolean> {
  const marks = await caches.open("scripted-worker");
  const mark = `/${encodeURIComponent(script)}`;
  if (await marks.match(mark)) return false;
  await marks.put(mark, new Response());
  return true;
}
