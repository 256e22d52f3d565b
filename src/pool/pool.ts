import { abortable } from "../abortable.ts";
import type { Delivery, Engine, Grant, Job, Output } from "../shared/protocol.ts";
import { type JobOptions, WorkerSlot } from "./worker-slot.ts";
import type { WorkerSource } from "./worker-source.ts";

export { workerSource } from "./worker-source.ts";

/** The options of a pool. */
export interface PoolOptions extends Pick<Grant, "assetUrl" | "fontUrl"> {
  readonly source: WorkerSource;
  /** How many jobs run at the same time. */
  readonly maxWorkers?: number | undefined;
  /** After how many milliseconds an idle worker ends. */
  readonly idleMs?: number | undefined;
}

/** The engines that start helpers. The pool keeps the share of the others for these. */
const WITH_HELPERS: readonly Engine[] = [
  "pdf/to-images",
  "pdf/render",
  "pdf/merge",
  "pdf/compress",
  "image/convert",
  "image/to-pdf",
];

/** A job that waits for a slot. */
interface Waiting {
  resolve(slot: WorkerSlot): void;
  reject(reason: unknown): void;
}

/** Runs jobs in workers, first come, first served. No worker starts before the first job. */
export class Pool {
  readonly #source: WorkerSource;
  readonly #limit: number;
  readonly #idleMs: number;
  readonly #folders: Pick<Grant, "assetUrl" | "fontUrl">;
  readonly #slots: WorkerSlot[] = [];
  readonly #free: WorkerSlot[] = [];
  /** How many helpers the job in each busy slot may start. */
  readonly #helpers = new Map<WorkerSlot, number>();
  #waiting: Waiting[] = [];
  #closed: { readonly reason: unknown } | undefined;

  constructor({ source, maxWorkers = defaultWorkers(), idleMs = 30_000, ...folders }: PoolOptions) {
    this.#folders = folders;
    this.#source = source;
    this.#limit = maxWorkers;
    this.#idleMs = idleMs;
  }

  /**
   * Runs one job and returns its output.
   *
   * @throws {ServiceError} the error of the job. An aborted job rejects with `signal.reason`, and a job of a closed pool
   *   with the reason given to {@link close}
   */
  async run<Each extends Job>(
    job: Each,
    options: JobOptions<Delivery<Each["engine"]>>,
  ): Promise<Output<Each["engine"]>> {
    const throwIfEnded = () => {
      if (this.#closed !== undefined) throw this.#closed.reason;
      options.signal?.throwIfAborted();
    };
    throwIfEnded();
    options.onProgress?.({ phase: "queued", done: 0, total: 0 });
    // The callback may have aborted the call or closed the client.
    throwIfEnded();
    const slot = await this.#acquire(options.signal);
    try {
      throwIfEnded();
      return await slot.run(job, this.#grant(job.engine, slot), options);
    } finally {
      this.#leave(slot);
    }
  }

  /** Ends all workers for good. Running, waiting and later jobs reject with `reason`. */
  close(reason?: unknown): void {
    this.#closed = { reason };
    for (const waiting of this.#waiting) waiting.reject(reason);
    this.#waiting = [];
    for (const slot of this.#slots) slot.end(reason);
  }

  #grant(engine: Engine, slot: WorkerSlot): Grant {
    this.#helpers.set(slot, 0);
    return {
      helpers: WITH_HELPERS.includes(engine) ? this.#reserveHelpers(slot) : 0,
      touchPoints: globalThis.navigator?.maxTouchPoints,
      ...this.#folders,
    };
  }

  /**
   * Reserves helpers for the job in a slot, and returns how many. Jobs that start at the same time get equal shares of the
   * workers that no other job uses.
   */
  #reserveHelpers(slot: WorkerSlot): number {
    const running = this.#slots.length - this.#free.length;
    let reserved = 0;
    for (const count of this.#helpers.values()) reserved += count;
    const starting = running - this.#helpers.size + 1;
    const share = Math.floor(Math.max(0, this.#limit - running - reserved) / starting);
    this.#helpers.set(slot, share);
    return share;
  }

  /** Returns a free slot. Waits until there is one. */
  async #acquire(signal: AbortSignal | undefined): Promise<WorkerSlot> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#slots.length < this.#limit) {
      const slot = new WorkerSlot(this.#source, this.#idleMs);
      this.#slots.push(slot);
      return slot;
    }
    const next = new Promise<WorkerSlot>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    // A job that was aborted while it waited passes its slot on.
    return abortable(next, [signal], (slot) => this.#leave(slot));
  }

  /** Gives a slot to the job that waits longest, or keeps it for a later one. */
  #leave(slot: WorkerSlot): void {
    this.#helpers.delete(slot);
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(slot);
    else next.resolve(slot);
  }
}

/** One worker for each processor, but at most four: every worker may have a large document in memory. */
function defaultWorkers(): number {
  return Math.min(globalThis.navigator?.hardwareConcurrency || 2, 4);
}
