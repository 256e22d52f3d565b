import type { Engine, Grant, Job } from "../shared/protocol.ts";
import { type CallOptions, WorkerSlot, type WorkerSource } from "./worker-slot.ts";

/** How a pool works. */
export interface PoolOptions {
  readonly source: WorkerSource;
  /** How many jobs run at a time. */
  readonly maxWorkers?: number | undefined;
  /** After how many milliseconds a worker without a job ends. */
  readonly idleMs?: number | undefined;
  /** Where the app serves fonts, absolute. */
  readonly fontUrl?: string | undefined;
}

/** Engines that never start helpers: the pool keeps their share for other jobs. */
const WITHOUT_HELPERS: readonly Engine[] = ["pdf/unlock", "pdf/split", "pdf/normalize"];

interface Waiting {
  take(seat: WorkerSlot): void;
  giveUp(reason: unknown): void;
}

/** Does jobs in workers, first come first served. Nothing starts before the first job. */
export class Pool {
  readonly #source: WorkerSource;
  readonly #limit: number;
  readonly #idleMs: number;
  readonly #fontUrl: string | undefined;
  readonly #seats: WorkerSlot[] = [];
  readonly #free: WorkerSlot[] = [];
  /** What was given to each that has a job. */
  readonly #helpers = new Map<WorkerSlot, number>();
  readonly #waiting = new Set<Waiting>();
  #closed: { readonly reason: unknown } | undefined;

  constructor({ source, maxWorkers = usualWorkers(), idleMs = 30_000, fontUrl }: PoolOptions) {
    this.#fontUrl = fontUrl;
    this.#source = source;
    this.#limit = maxWorkers;
    this.#idleMs = idleMs;
  }

  /**
   * Does one job.
   *
   * @throws {ServiceError} what the job fails with; an aborted job throws `signal.reason`, a closed pool
   * what it was closed with
   */
  async run(job: Job, options: CallOptions): Promise<Blob> {
    const throwIfOver = () => {
      if (this.#closed !== undefined) throw this.#closed.reason;
      options.signal?.throwIfAborted();
    };
    throwIfOver();
    options.onProgress?.({ phase: "queued", done: 0, total: 0 });
    // Who is told may have ended it.
    throwIfOver();
    const seat = await this.#seat(options.signal);
    try {
      throwIfOver();
      return await seat.run(job, this.#grant(job.engine, seat), options);
    } finally {
      this.#helpers.delete(seat);
      const [next] = this.#waiting;
      if (next === undefined) this.#free.push(seat);
      else {
        this.#waiting.delete(next);
        next.take(seat);
      }
    }
  }

  /** Ends all workers for good. Running, queued and later jobs reject with `reason`. */
  close(reason?: unknown): void {
    this.#closed = { reason };
    for (const waiting of this.#waiting) waiting.giveUp(reason);
    this.#waiting.clear();
    for (const seat of this.#seats) seat.end(reason);
  }

  #grant(engine: Engine, seat: WorkerSlot): Grant {
    this.#helpers.set(seat, 0);
    return {
      helpers: WITHOUT_HELPERS.includes(engine) ? 0 : this.#helpersFor(seat),
      touchPoints: globalThis.navigator?.maxTouchPoints,
      fontUrl: this.#fontUrl,
    };
  }

  /** How many more workers than run, and may be started by those, could: shared with the jobs that begin now. */
  #helpersFor(seat: WorkerSlot): number {
    const running = this.#seats.length - this.#free.length;
    let given = 0;
    for (const count of this.#helpers.values()) given += count;
    const beginning = running - this.#helpers.size + 1;
    const share = Math.floor(Math.max(0, this.#limit - running - given) / beginning);
    this.#helpers.set(seat, share);
    return share;
  }

  /** A seat that is free, now or when it is this caller's turn. */
  async #seat(signal: AbortSignal | undefined): Promise<WorkerSlot> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#seats.length < this.#limit) {
      const seat = new WorkerSlot(this.#source, this.#idleMs);
      this.#seats.push(seat);
      return seat;
    }
    let abort = () => {};
    try {
      return await new Promise<WorkerSlot>((take, giveUp) => {
        const waiting = { take, giveUp };
        this.#waiting.add(waiting);
        abort = () => {
          this.#waiting.delete(waiting);
          giveUp(signal?.reason);
        };
        signal?.addEventListener("abort", abort);
      });
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }
}

/** One for each processor, but few: every worker may hold a large document. */
function usualWorkers(): number {
  return Math.min(globalThis.navigator?.hardwareConcurrency || 2, 4);
}
