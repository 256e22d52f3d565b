import { afterActiveTime } from "../../src/shared/active-time.ts";
import type { Answer, Assignment, HangNotice } from "./task-server.ts";

/** A worker that does tasks of one kind for this worker, while it is leased. */
export interface Helper<Task, Result> {
  /** Whether it has answered a task, and {@link suspect} has not been called since. */
  readonly isResponsive: boolean;
  /**
   * Sends one task to the helper. Tasks are done in the order in which they are sent.
   *
   * @returns undefined if the helper cannot do the task, has crashed, or is released
   * @throws {HelperStalled} if the helper hangs in this task
   * @throws {DOMException} `DataCloneError` if the task cannot be sent
   */
  ask(task: Task): Promise<Result | undefined>;
  /** Marks the helper as silent, if it has open tasks. If it does not answer before its release, its worker ends. */
  suspect(): void;
  /** Ends the lease, so that the worker can be leased again. Open tasks are answered with undefined. */
  release(): void;
}

/**
 * The error of a task in which a helper hangs. The helper announced that it may hang, and did not return in time. Its
 * worker has been ended.
 */
export class HelperStalled extends Error {
  override readonly name = "HelperStalled";
}

interface OpenTask<Result> {
  resolve(result: Result | undefined): void;
  reject(reason: unknown): void;
}

/** One lease of a helper worker, seen from the worker that leases it. The worker runs `taskServer`. */
export class LeasedHelper<Task, Result> implements Helper<Task, Result> {
  readonly #port: MessagePort;
  readonly #onEnd: (isReusable: boolean) => void;
  /** Tasks without an answer, in the order in which they were sent. */
  readonly #open: OpenTask<Result>[] = [];
  #state: "new" | "responsive" | "suspect" = "new";
  #isOver = false;
  #stopHangClock: (() => void) | undefined;

  /**
   * @param hangTimeoutMs how long the helper may stay in code that may hang, in milliseconds of active time
   * @param onEnd called once, when the lease ends: `isReusable` is false if the worker must end too
   */
  constructor(port: MessagePort, hangTimeoutMs: number, onEnd: (isReusable: boolean) => void) {
    this.#port = port;
    this.#onEnd = onEnd;
    port.onmessage = ({ data }: MessageEvent<Answer<Result> | HangNotice>) => {
      if ("mayHang" in data) {
        this.#watch(data.mayHang, hangTimeoutMs);
        return;
      }
      if (data.result !== undefined) this.#state = "responsive";
      this.#open.shift()?.resolve(data.result);
    };
  }

  get isResponsive(): boolean {
    return this.#state === "responsive";
  }

  ask(task: Task): Promise<Result | undefined> {
    if (this.#isOver) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      // Throws if the task cannot be cloned. Then there will be no answer.
      this.#port.postMessage({ task } satisfies Assignment<Task>);
      this.#open.push({ resolve, reject });
    });
  }

  suspect(): void {
    if (this.#open.length > 0) this.#state = "suspect";
  }

  release(): void {
    // A worker that may hang cannot be leased again.
    const isReusable = this.#stopHangClock === undefined && this.#state !== "suspect";
    this.end(isReusable);
  }

  /** Ends the lease. */
  end(isReusable: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopHangClock?.();
    this.#port.onmessage = null;
    for (const { resolve } of this.#open.splice(0)) resolve(undefined);
    if (isReusable) this.#port.postMessage(null satisfies Assignment<Task>);
    this.#onEnd(isReusable);
  }

  /** Starts the hang timeout when the helper enters code that may hang, and stops it afterwards. */
  #watch(mayHang: boolean, timeoutMs: number): void {
    this.#stopHangClock?.();
    this.#stopHangClock = mayHang
      ? afterActiveTime(timeoutMs, () => {
          this.#open.shift()?.reject(new HelperStalled());
          this.end(false);
        })
      : undefined;
  }
}
