import { type Remote, transfer, wrap } from "comlink";
import { VERSION } from "../../src/shared/version.ts";
import { assetUrl } from "../io/assets.ts";
import { type Helper, LeasedHelper } from "./helper.ts";

/** The kinds of tasks that helpers do. Each has a row in workers/helper-tasks.ts. */
export type HelperKind = "pdf/pages" | "heic/tiles" | "pdf/images";

/** The properties of a worker that its helpers share. */
export interface HelperSetup {
  readonly version: string;
  readonly assetUrl: string | undefined;
}

/** The interface of a helper worker. workers/helper-tasks.ts implements it. */
export interface HelperApi {
  /** Serves tasks of a kind over a port until the lease ends. */
  help(kind: HelperKind, request: unknown, port: MessagePort, setup: HelperSetup): Promise<void>;
}

/** Which helpers are leased, and for which tasks. */
export interface LeaseOptions<Request = unknown> {
  /** How many helpers to lease at most. */
  readonly count: number;
  /** Which task server runs in the helper. */
  readonly kind: HelperKind;
  /** The data that all tasks share. Each helper gets a copy. */
  readonly request: Request;
  /** How long a helper may stay in code that may hang, in milliseconds of active time. */
  readonly hangTimeoutMs?: number;
}

interface HelperWorker {
  readonly worker: Worker;
  readonly api: Remote<HelperApi>;
  /** The latest lease, which may be over. */
  lease: LeasedHelper<never, unknown> | undefined;
}

/** Starts helper workers, leases them, and keeps them for the next lease. They end with this worker. */
export class HelperPool {
  #idle: HelperWorker[] = [];

  /**
   * Leases helpers: idle workers first, then new ones. Does not wait for them to start.
   *
   * @returns fewer than `count`, or none, if the browser or the page's policy refuses to start a worker
   */
  lease<Task, Result, Request = unknown>(options: LeaseOptions<Request>): Helper<Task, Result>[] {
    const helpers: Helper<Task, Result>[] = [];
    for (let index = 0; index < options.count; index++) {
      const worker = this.#idle.pop() ?? startWorker();
      if (worker !== undefined) helpers.push(this.#leased(worker, options));
    }
    return helpers;
  }

  #leased<Task, Result>(
    helperWorker: HelperWorker,
    { kind, request, hangTimeoutMs = 0 }: LeaseOptions,
  ): Helper<Task, Result> {
    const { worker, api } = helperWorker;
    const { port1, port2 } = new MessageChannel();
    const lease = new LeasedHelper<Task, Result>(port1, hangTimeoutMs, (isReusable) => {
      if (isReusable) this.#idle.push(helperWorker);
      else worker.terminate();
    });
    helperWorker.lease = lease;
    worker.onerror = (event) => {
      // Otherwise the page would see the error as one of this worker.
      event.preventDefault();
      this.#lose(helperWorker);
    };
    const setup = { version: VERSION, assetUrl: assetUrl() };
    api.help(kind, request, transfer(port2, [port2]), setup).catch(() => {
      // If the worker has been leased again, its new owner handles the error.
      if (helperWorker.lease === lease) this.#lose(helperWorker);
    });
    return lease;
  }

  /** Ends a worker that has failed. */
  #lose(helperWorker: HelperWorker): void {
    this.#idle = this.#idle.filter((one) => one !== helperWorker);
    helperWorker.lease?.end(false);
    helperWorker.worker.terminate();
  }
}

/** The helpers of this worker. */
export const helperPool = new HelperPool();

/** Starts a worker from the script of this one. Returns undefined if the browser or the page's policy refuses. */
function startWorker(): HelperWorker | undefined {
  try {
    const worker = new Worker(self.location.href, isClassic() ? {} : { type: "module" });
    return { worker, api: wrap<HelperApi>(worker), lease: undefined };
  } catch (thrown) {
    // A content policy throws a SecurityError, trusted types throw a TypeError, a browser without nested workers throws a
    // ReferenceError. In each case this worker works alone.
    const isRefusal = [DOMException, TypeError, ReferenceError].some((kind) => thrown instanceof kind);
    if (isRefusal) return undefined;
    throw thrown;
  }
}

/**
 * Whether this worker is a classic script. A bundler may have made it one, and then it may not work as a module. The
 * test calls `importScripts` with an invalid URL. In a module, every call throws a `TypeError`. In a classic script, an
 * invalid URL throws another error (HTML, `importScripts()`). A call without arguments is no test: Firefox does not
 * throw then in a module.
 */
function isClassic(): boolean {
  try {
    (self as typeof self & { importScripts(address: string): void }).importScripts("//[");
    return true;
  } catch (thrown) {
    return !(thrown instanceof TypeError);
  }
}
