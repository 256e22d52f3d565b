import { Worker } from "node:worker_threads";
import type { Interrupted, Outcome, Run } from "./target.ts";

const HEAP_LIMIT_MB = 512;
/** Processor time, so that a busy machine does not turn a slow run into a hang. */
const USUAL_CPU_LIMIT_MS = 10_000;
const WAITING_LIMIT_MS = 300_000;
const START_LIMIT_MS = 60_000;
const CHECK_MS = 25;

/** What the script of a thread posts for each request. */
export interface ThreadAnswer<Ended> {
  readonly outcome: Ended;
  /** The heap in use afterwards, in bytes. */
  readonly heap: number;
  readonly blocks: readonly string[];
}

/** A long-lived thread that runs one case after the other. It is replaced when it hangs or breaks. */
export class FuzzThread<Request, Ended extends Outcome> {
  readonly #script: URL;
  readonly #cpuLimitMs: number;
  #worker: Worker | undefined;

  /**
   * @param script posts "ready", and then a {@link ThreadAnswer} for each request
   * @param cpuLimitMs a run that takes more processor time counts as a hang
   */
  constructor(script: URL, cpuLimitMs = USUAL_CPU_LIMIT_MS) {
    this.#script = script;
    this.#cpuLimitMs = cpuLimitMs;
  }

  async run(request: Request): Promise<Run<Ended>> {
    this.#worker ??= await startWorker(this.#script);
    const worker = this.#worker;
    const residentBefore = process.memoryUsage.rss();
    const start = process.cpuUsage();
    const spent = () => {
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    let grown = 0;
    return new Promise((resolve) => {
      const settle = (outcome: Ended | Interrupted, answer?: ThreadAnswer<Ended>) => {
        clearTimeout(clock);
        clearInterval(check);
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
        const milliseconds = spent();
        if (!answer) {
          this.#worker = undefined;
          worker.on("error", () => undefined);
          void worker.terminate();
        }
        resolve({ outcome, milliseconds, grown, heap: answer?.heap ?? 0, blocks: answer?.blocks ?? [] });
      };
      const hang = (limit: number) => settle({ kind: "hang", message: `no answer in ${limit / 1000} s` });
      const clock = setTimeout(() => hang(WAITING_LIMIT_MS), WAITING_LIMIT_MS);
      const check = setInterval(() => {
        grown = Math.max(grown, process.memoryUsage.rss() - residentBefore);
        if (spent() > this.#cpuLimitMs) hang(this.#cpuLimitMs);
      }, CHECK_MS);
      const onMessage = (answer: ThreadAnswer<Ended>) => settle(answer.outcome, answer);
      const onError = (error: Error) => settle({ kind: "crash", message: error.stack ?? error.message });
      const onExit = (code: number) => settle({ kind: "crash", message: `the thread ended with ${code}` });
      worker.on("message", onMessage).on("error", onError).on("exit", onExit);
      worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}

function startWorker(script: URL): Promise<Worker> {
  // A thread does not inherit the loader that lets Node run TypeScript.
  const bootstrap = `
    import(${JSON.stringify(import.meta.resolve("tsx/esm/api"))})
      .then(({ register }) => register())
      .then(() => import(${JSON.stringify(script.href)}));
  `;
  const worker = new Worker(bootstrap, {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB, maxYoungGenerationSizeMb: 64 },
  });
  return new Promise((resolve, reject) => {
    const clock = setTimeout(() => reject(new Error("the thread did not start")), START_LIMIT_MS);
    worker.once("error", reject);
    worker.once("message", () => {
      clearTimeout(clock);
      worker.off("error", reject);
      resolve(worker);
    });
  });
}
