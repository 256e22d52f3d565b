import { type Remote, releaseProxy, transfer, wrap } from "comlink";
import type { CallOptions } from "../call-options.ts";
import { afterActiveTime } from "../shared/active-time.ts";
import { type ErrorCode, ServiceError } from "../shared/errors.ts";
import { internalError } from "../shared/failure.ts";
import { serviceErrorFrom } from "../shared/job-failure.ts";
import { mixedVersions, notLoaded } from "../shared/load-failure.ts";
import type {
  Deadline,
  Delivery,
  DeliveryMessage,
  Grant,
  Job,
  Output,
  WorkerApi,
  WorkerMessage,
} from "../shared/protocol.ts";
import { isGoodbye, VERSION, versionIn } from "../shared/version.ts";
import { checkedDelivery, checkedFile } from "./checked-output.ts";
import { startWorker, type WorkerScript, type WorkerSource } from "./worker-source.ts";

/** The options of a job. */
export interface JobOptions<Item = never> extends CallOptions {
  /**
   * Gets what the job delivers, in order. The worker delivers the next one when the promise has resolved to true, and
   * ends the job if it has resolved to false.
   */
  readonly onDelivery?: ((item: Item) => Promise<boolean>) | undefined;
}

/**
 * The errors that end the worker. Its state is unknown after the first two. After the last one, browsers that remember a
 * failed import would not load the file again.
 */
const ENDING_CODES: ReadonlySet<ErrorCode> = new Set(["internal_error", "out_of_memory", "offline"]);

/**
 * The values of `details.limit` that end the worker: its memory is freed at once. Browsers free the memory of WebAssembly
 * late, and the next call could need as much. Their names are in workers/call-budget.ts.
 */
const ENDING_LIMITS: ReadonlySet<unknown> = new Set(["memory_bytes", "seconds"]);

/** A message over the port of a job. */
type PortMessage = Exclude<WorkerMessage, { readonly delivered: Delivery }>;

interface RunningWorker {
  readonly worker: Worker;
  readonly api: Remote<WorkerApi>;
  /** Takes what it delivers. Undefined between jobs. */
  take?: ((item: Delivery) => Promise<void>) | undefined;
  /** Whether it has sent a message. A worker that fails before that was never loaded. */
  isLoaded: boolean;
}

/**
 * A slot for one worker, which runs one job at a time. The worker starts with the first job and stays for the next one.
 * It ends after some idle time, with an aborted job, or when it fails. The next job then starts another worker.
 */
export class WorkerSlot {
  readonly #source: WorkerSource;
  readonly #idleMs: number;
  #running: RunningWorker | undefined;
  #job: Job | undefined;
  #reject: (reason: unknown) => void = () => {};
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: WorkerSource, idleMs: number) {
    this.#source = source;
    this.#idleMs = idleMs;
  }

  /** Runs one job. The slot must be free. */
  async run<Each extends Job>(
    job: Each,
    grant: Grant,
    options: JobOptions<Delivery<Each["engine"]>>,
  ): Promise<Output<Each["engine"]>> {
    clearTimeout(this.#idleTimer);
    this.#job = job;
    // comlink waits forever for a worker that has ended.
    const ended = new Promise<never>((_, reject) => {
      this.#reject = reject;
    });
    const { signal } = options;
    const abort = () => this.end(signal?.reason);
    signal?.addEventListener("abort", abort);
    try {
      return await Promise.race([this.#send(job, grant, options), ended]);
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#job = undefined;
      if (this.#running !== undefined) this.#idleTimer = setTimeout(() => this.end(), this.#idleMs);
    }
  }

  /** Ends the worker at once. Its job rejects with `reason`. */
  end(reason?: unknown): void {
    this.#terminate();
    this.#reject(reason);
  }

  #terminate(): void {
    clearTimeout(this.#idleTimer);
    // Otherwise comlink keeps the worker, and all that its listeners lead to.
    this.#running?.api[releaseProxy]();
    this.#running?.worker.terminate();
    this.#running = undefined;
  }

  async #send<Each extends Job>(
    job: Each,
    grant: Grant,
    options: JobOptions<Delivery<Each["engine"]>>,
    isSecond = false,
  ): Promise<Output<Each["engine"]>> {
    const script: WorkerScript = {};
    try {
      this.#running ??= this.#start(script);
    } catch (thrown) {
      throw await notStarted(script, thrown);
    }
    const running = this.#running;
    const { port, stop, hasDelivered } = this.#listener(running, options);
    const outcome = await running.api.run(job, grant, transfer(port, [port])).catch((thrown) => {
      return { ok: false, error: serviceErrorFrom(thrown, job) } as const;
    });
    stop();
    running.isLoaded = true;
    // The types of a message port do not say which output is of which engine.
    if (outcome.ok)
      return ("value" in outcome ? outcome.value : checkedFile(outcome.file)) as Output<Each["engine"]>;
    const error = ServiceError.fromWire(outcome.error);
    if (ENDING_CODES.has(error.code) || ENDING_LIMITS.has(error.details.limit)) this.#terminate();
    if (isFileMissing(error) && !isSecond && !hasDelivered()) return this.#send(job, grant, options, true);
    throw error;
  }

  /** Returns a port for the messages of a worker during a job, and a function that closes it. */
  #listener<Item extends Delivery>(running: RunningWorker, { onProgress, onDelivery }: JobOptions<Item>) {
    let isOver = false;
    let cancelDeadline: (() => void) | undefined;
    const isCurrent = () => !isOver && running === this.#running;

    const setDeadline = (deadline: Deadline | undefined) => {
      cancelDeadline?.();
      cancelDeadline =
        deadline &&
        afterActiveTime(deadline.milliseconds, () => {
          if (isCurrent()) this.end(ServiceError.fromWire(deadline.error));
        });
    };
    const listen = (message: PortMessage) => {
      running.isLoaded = true;
      if (!isCurrent()) return;
      if ("deadline" in message) return setDeadline(message.deadline);
      try {
        onProgress?.(message);
      } catch (thrown) {
        this.end(thrown);
      }
    };
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<PortMessage>) => {
      listen(data);
      port1.postMessage(null);
    };
    let deliveries = 0;
    running.take = async (item) => {
      running.isLoaded = true;
      deliveries++;
      try {
        // The types of messages do not say what an engine delivers.
        const wantsMore = await onDelivery?.(checkedDelivery(item as Item));
        port1.postMessage(wantsMore === true);
      } catch (thrown) {
        if (isCurrent()) this.end(thrown);
      }
    };
    return {
      port: port2,
      hasDelivered: () => deliveries > 0,
      stop: () => {
        isOver = true;
        running.take = undefined;
        cancelDeadline?.();
        port1.close();
      },
    };
  }

  /** Throws what the source throws. */
  #start(script: WorkerScript): RunningWorker {
    const worker = startWorker(this.#source, script);
    const running: RunningWorker = { worker, api: wrap<WorkerApi>(worker), isLoaded: false };
    worker.addEventListener("message", ({ data }) => {
      if (running !== this.#running) return;
      if (isGoodbye(data)) return this.end(workerEnded());
      if (isDelivery(data)) return void running.take?.(data.stayputDelivery);
      const version = versionIn(data);
      if (version === undefined) return;
      running.isLoaded = true;
      const part = script.url === undefined ? "The worker" : `The worker at ${script.url}`;
      if (version !== VERSION) this.end(mixedVersions(part, version));
    });
    const fail = (event: Event) => {
      event.preventDefault();
      if (running !== this.#running) return;
      // The source knows why the worker could not start.
      if ("error" in event && event.error instanceof ServiceError) return this.end(event.error);
      const message = "message" in event ? String(event.message) : "";
      if (running.isLoaded)
        return this.end(this.#job && serviceErrorFrom(message || "the worker crashed", this.#job));
      // The job ends when the reason is known.
      this.#terminate();
      notStarted(script, message).then(this.#reject, this.#reject);
    };
    worker.addEventListener("error", fail);
    worker.addEventListener("messageerror", fail);
    return running;
  }
}

/**
 * Returns whether another worker may load a file that this one could not. In WebKit, a worker that starts while the processor
 * is busy is sometimes without the service worker of its page, which has the file, and stays so.
 */
function isFileMissing({ code, details }: ServiceError): boolean {
  return code === "internal_error" && details.url !== undefined;
}

function isDelivery(message: unknown): message is DeliveryMessage {
  return typeof message === "object" && message !== null && "stayputDelivery" in message;
}

/** Returns the error for the job of a worker that ended itself. */
function workerEnded(): ServiceError {
  return internalError(
    "The work ended too early. Try again.",
    "The worker ended itself before the job was done.",
  );
}

/** Returns the error for a worker that did not start. */
async function notStarted({ url, throughBlob }: WorkerScript, thrown: unknown): Promise<ServiceError> {
  const reason = String(thrown);
  if (globalThis.Worker === undefined && thrown instanceof Error)
    return internalError(
      "Files cannot be processed here. Use a browser.",
      `There are no Web Workers here (${reason}). In tests with Node or jsdom, use createMockClient of stayput/testing.`,
    );
  return notLoaded({ part: "The worker", url, reason, directive: "worker-src", throughBlob });
}
