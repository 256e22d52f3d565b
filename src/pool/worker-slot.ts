import { proxy, type Remote, transfer, wrap } from "comlink";
import { afterActiveTime } from "../shared/active-time.ts";
import { ServiceError } from "../shared/errors.ts";
import { notLoaded, serviceErrorFrom } from "../shared/job-failure.ts";
import type { Grant, Job, Progress, WorkerApi, WorkerMessage } from "../shared/protocol.ts";

/** What concerns a call as such, beside the fields of its operation. */
export interface CallOptions {
  /** Aborting ends the work at once; the call rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Told a few times a second how far the call has come. What it throws ends the call. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Where workers come from. */
export interface WorkerSource {
  /** Starts one; what it throws is told as a worker that could not be loaded. */
  create(): Worker;
  /** Names the place of the code, for when it cannot be loaded. */
  readonly place: string;
}

interface RunningWorker {
  readonly worker: Worker;
  readonly api: Remote<WorkerApi>;
  /** Whether it has said anything: one that fails before was never loaded. */
  heard: boolean;
}

/**
 * A place for one worker, which does one job at a time. The worker starts with the first job and stays for the
 * next. It ends when idle for a while, when its job is aborted, or when it fails; the next job starts another.
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

  /** Does one job. The seat must be free. */
  async run(job: Job, grant: Grant, { signal, onProgress }: CallOptions): Promise<Blob> {
    clearTimeout(this.#idleTimer);
    this.#job = job;
    // An ended worker never answers, and comlink would wait for ever.
    const ended = new Promise<never>((_, reject) => {
      this.#reject = reject;
    });
    const abort = () => this.end(signal?.reason);
    signal?.addEventListener("abort", abort);
    try {
      return await Promise.race([this.#ask(job, grant, onProgress), ended]);
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#job = undefined;
      if (this.#running !== undefined) this.#idleTimer = setTimeout(() => this.end(), this.#idleMs);
    }
  }

  /** Ends the worker at once. The job that it is doing rejects with `reason`. */
  end(reason?: unknown): void {
    clearTimeout(this.#idleTimer);
    this.#running?.worker.terminate();
    this.#running = undefined;
    this.#reject(reason);
  }

  async #ask(job: Job, grant: Grant, onProgress: CallOptions["onProgress"]): Promise<Blob> {
    this.#running ??= this.#start();
    const running = this.#running;
    let answered = false;
    let stopClock: (() => void) | undefined;
    const listen = (message: WorkerMessage) => {
      running.heard = true;
      if (answered || running !== this.#running) return;
      if ("deadline" in message) {
        stopClock?.();
        const { deadline } = message;
        stopClock =
          deadline &&
          afterActiveTime(deadline.milliseconds, () => {
            if (!answered && running === this.#running) this.end(ServiceError.fromWire(deadline.error));
          });
        return;
      }
      try {
        onProgress?.(message);
      } catch (thrown) {
        this.end(thrown);
      }
    };
    const handedOver = transfer(job, job.content ? [job.content] : []);
    const outcome = await running.api.run(handedOver, grant, proxy(listen)).catch((thrown) => {
      return { ok: false, error: serviceErrorFrom(thrown, job) } as const;
    });
    answered = true;
    stopClock?.();
    running.heard = true;
    if (outcome.ok) return outcome.file;
    const error = ServiceError.fromWire(outcome.error);
    // After these, nobody knows in what state the worker is.
    if (error.code === "internal_error" || error.code === "out_of_memory") this.end(error);
    throw error;
  }

  #start(): RunningWorker {
    try {
      const worker = this.#source.create();
      const running = { worker, api: wrap<WorkerApi>(worker), heard: false };
      const fail = (event: Event) => {
        event.preventDefault();
        if (running !== this.#running) return;
        const message = "message" in event ? String(event.message) : "";
        this.end(running.heard ? this.#crashed(message) : this.#notLoaded(message));
      };
      worker.addEventListener("error", fail);
      worker.addEventListener("messageerror", fail);
      return running;
    } catch (thrown) {
      throw this.#notLoaded(String(thrown));
    }
  }

  #crashed(message: string): ServiceError | undefined {
    return this.#job && serviceErrorFrom(message || "the worker crashed", this.#job);
  }

  #notLoaded(message: string): ServiceError {
    const place = `${this.#source.place}${message && ` (${message})`}`;
    return notLoaded("The worker", place, "worker-src");
  }
}
