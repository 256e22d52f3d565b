// The first script of a thread: makes the globals of a web worker, then runs the script of the worker.
import { mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parentPort, type Transferable, workerData } from "node:worker_threads";
import { type BlobMessage, decodeMessage, encodeMessage } from "./blob-messages.ts";
import { createBitmap, NodeImageData, NodeOffscreenCanvas } from "./canvas.ts";
import { END, NodeWorker, type ThreadData } from "./node-worker.ts";
import { storeIn } from "./pieces.ts";
import { StoredBlob, StoredFile } from "./stored-blob.ts";
import { unlessAbsent } from "./system-error.ts";

if (parentPort === null) throw new Error("This script runs in a thread only.");
const port = parentPort;
const setup: ThreadData = workerData;
storeIn(mkdtempSync(join(setup.folder, "thread-")));

/** The listeners of this worker, and the source of its messages. */
const scope = new EventTarget();

class FileReaderSync {
  readAsArrayBuffer(blob: StoredBlob): ArrayBuffer {
    return blob.readSync().buffer;
  }
}

class HelperWorker extends NodeWorker {
  constructor(url: string | URL) {
    super(url, setup);
  }
}

/** The folders that files are loaded from. */
const folders = [new URL(".", setup.url).href, ...(setup.fontUrl === undefined ? [] : [setup.fontUrl])];

/**
 * Loads a file beside the script of the worker, or a font. Nothing else: the engines need nothing from the network, and
 * hostile input must not reach it.
 */
async function fetchFile(address: string | URL): Promise<Response> {
  const { href } = new URL(address);
  if (!folders.some((folder) => href.startsWith(folder)))
    throw new TypeError("A worker loads only the files beside its script, and fonts.");
  const bytes = await unlessAbsent(readFile(fileURLToPath(href)));
  // Without the type of WebAssembly, for which V8 would compile while it reads, and crash when the thread ends meanwhile.
  return new Response(bytes ?? null, { status: bytes === undefined ? 404 : 200 });
}

const globals = {
  self: globalThis,
  Blob: StoredBlob,
  File: StoredFile,
  FileReaderSync,
  Worker: HelperWorker,
  OffscreenCanvas: NodeOffscreenCanvas,
  ImageData: NodeImageData,
  createImageBitmap: createBitmap,
  fetch: fetchFile,
  location: new URL(setup.url),
  navigator: { hardwareConcurrency: availableParallelism(), userAgent: "Node.js", onLine: true },
  postMessage: (message: unknown, transferred: Transferable[] = []) =>
    port.postMessage(encodeMessage(message), transferred),
  addEventListener: scope.addEventListener.bind(scope),
  removeEventListener: scope.removeEventListener.bind(scope),
  // Ends this thread, not the process.
  close: () => process.exit(0),
};
for (const [name, value] of Object.entries(globals))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** Ends this thread when it opens no file. One that Node is opening would stay open. */
function end(): void {
  if (process.getActiveResourcesInfo().some((name) => name.includes("Req"))) setImmediate(end);
  else process.exit(0);
}

await import(setup.url);
// The port keeps messages until it has a listener, as a web worker keeps them until its script has run.
port.on("message", (message: BlobMessage | typeof END) => {
  if (message === END) end();
  else scope.dispatchEvent(new MessageEvent("message", { data: decodeMessage(message) }));
});
