import { type ResourceLimits, Worker as Thread, type Transferable } from "node:worker_threads";
import { type BlobMessage, decodeMessage, encodeMessage } from "./blob-messages.ts";

/** What all workers of a call share. */
export interface WorkerSetup {
  /** A folder for large files that they make. Each thread makes its own folder in it. */
  readonly folder: string;
  /** The folder of the fonts that PDFs name and do not contain, as a file URL with a slash at its end. Default: none. */
  readonly fontUrl?: string | undefined;
  /** The limits of the JavaScript heap of each thread. Default: those of Node. */
  readonly resourceLimits?: ResourceLimits | undefined;
}

/** The data that a thread starts with. */
export interface ThreadData extends WorkerSetup {
  /** The script of the worker, as a file URL. */
  readonly url: string;
}

/**
 * The script of a thread. In the sources it is TypeScript, and a thread does not inherit the loader that lets Node run it:
 * a few lines register it first.
 */
const SCRIPT = new URL(`./worker-thread.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

/** Asks a thread to end. */
export const END = "end";
/** A thread that computes does not see a message. It is ended after this time. */
const END_LIMIT_MS = 1_000;

/** A `Worker` of the web platform, over a thread of Node. Its messages may hold a `StoredBlob`. */
export class NodeWorker extends EventTarget implements Worker {
  onmessage: Worker["onmessage"] = null;
  onmessageerror: Worker["onmessageerror"] = null;
  onerror: Worker["onerror"] = null;
  readonly #thread: Thread;
  #isOver = false;

  constructor(url: string | URL, setup: WorkerSetup) {
    super();
    const workerData: ThreadData = { ...setup, url: String(url) };
    const { resourceLimits = {} } = setup;
    this.#thread = startThread({ workerData, resourceLimits, stdin: false });
    this.#thread.on("message", (message: BlobMessage) => {
      const event = new MessageEvent("message", { data: decodeMessage(message) });
      this.#emit(event, this.onmessage);
    });
    this.#thread.on("messageerror", (data) => {
      this.#emit(new MessageEvent("messageerror", { data }), this.onmessageerror);
    });
    this.#thread.on("error", (error) => this.#fail(String(error)));
    this.#thread.on("exit", (code) => this.#fail(`the thread ended with exit code ${code}`));
  }

  postMessage(message: unknown, options: globalThis.Transferable[] | StructuredSerializeOptions = []): void {
    const transferred = Array.isArray(options) ? options : (options.transfer ?? []);
    // The types of Node name its own classes, which are those of the platform.
    this.#thread.postMessage(encodeMessage(message), transferred as unknown as Transferable[]);
  }

  terminate(): void {
    this.#isOver = true;
    this.#thread.postMessage(END);
    const late = setTimeout(() => void this.#thread.terminate(), END_LIMIT_MS);
    this.#thread.once("exit", () => clearTimeout(late));
  }

  /** Reports the end of the thread, once. */
  #fail(message: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const event = Object.assign(new Event("error", { cancelable: true }), { message });
    this.#emit(event, this.onerror);
  }

  #emit<Each extends Event>(event: Each, handler: unknown): void {
    if (typeof handler === "function") handler.call(this, event);
    this.dispatchEvent(event);
  }
}

function startThread(options: ConstructorParameters<typeof Thread>[1]): Thread {
  if (SCRIPT.href.endsWith(".js")) return new Thread(SCRIPT, options);
  const bootstrap = `
    import(${JSON.stringify(import.meta.resolve("tsx/esm/api"))})
      .then(({ register }) => register())
      .then(() => import(${JSON.stringify(SCRIPT.href)}));
  `;
  return new Thread(bootstrap, { ...options, eval: true, execArgv: [] });
}
