import { expose } from "comlink";
import type { Grant, Job, Outcome, WorkerApi, WorkerMessage } from "../../src/shared/protocol.ts";
import { pageMessages } from "../../workers/page-messages.ts";

/** A job that has arrived at a fake worker. The test decides its outcome. */
export interface FakeJob {
  readonly job: Job;
  readonly grant: Grant;
  readonly worker: FakeWorker;
  /** Resolves with what the page returns. */
  report(message: WorkerMessage): Promise<unknown>;
  finish(outcome: Outcome | Promise<never>): void;
}

/** A worker in the process of the test. It passes each job to the test. */
export class FakeWorker extends EventTarget implements Worker {
  onmessage: Worker["onmessage"] = null;
  onmessageerror: Worker["onmessageerror"] = null;
  onerror: Worker["onerror"] = null;
  hasEnded = false;
  readonly #page: MessagePort;
  readonly #worker: MessagePort;

  constructor(onJob: (job: FakeJob) => void) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#page = port1;
    this.#worker = port2;
    const api: WorkerApi = {
      run: (job, grant, page) =>
        new Promise((finish) => {
          onJob({
            job,
            grant,
            worker: this,
            report: pageMessages(page, (delivery) => port2.postMessage(delivery)),
            finish,
          });
        }),
    };
    expose(api, port2);
    port2.start();
    port1.addEventListener("message", ({ data }) => {
      this.dispatchEvent(new MessageEvent("message", { data }));
    });
    port1.start();
  }

  postMessage(message: unknown, transfer: Transferable[] | StructuredSerializeOptions = []): void {
    this.#page.postMessage(message, Array.isArray(transfer) ? transfer : (transfer.transfer ?? []));
  }

  terminate(): void {
    this.hasEnded = true;
    this.#page.close();
    this.#worker.close();
  }

  /** Dispatches the error event of a worker that throws, or (without a message) that cannot be loaded. */
  fail(message?: string): Event {
    const event = new Event("error", { cancelable: true });
    this.dispatchEvent(message === undefined ? event : Object.assign(event, { message }));
    return event;
  }
}

/** Creates fake workers and records them and their jobs. */
export class FakeFactory {
  readonly workers: FakeWorker[] = [];
  readonly jobs: FakeJob[] = [];
  #awaited: { readonly count: number; readonly resolve: () => void } | undefined;

  readonly create = (): FakeWorker => {
    const worker = new FakeWorker((job) => {
      this.jobs.push(job);
      if (this.#awaited !== undefined && this.jobs.length >= this.#awaited.count) this.#awaited.resolve();
    });
    this.workers.push(worker);
    return worker;
  };

  /** Waits for the job number `index` of all workers, from 0. */
  async job(index: number): Promise<FakeJob> {
    if (this.jobs.length <= index) {
      await new Promise<void>((resolve) => {
        this.#awaited = { count: index + 1, resolve };
      });
    }
    const job = this.jobs[index];
    if (job === undefined) throw new Error(`there is no job ${index}`);
    return job;
  }
}

/** Returns a successful outcome. */
export function done(text: string): Outcome {
  return { ok: true, file: new Blob([text], { type: "application/pdf" }) };
}
