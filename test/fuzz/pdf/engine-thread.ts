import { Worker } from "node:worker_threads";
import type { EngineAnswer, EngineOutcome, EngineRequest } from "./engine-worker.ts";

const HEAP_LIMIT_MB = 512;
/** Processor time, so that a busy machine does not turn a slow run into a hang. */
const USUAL_CPU_LIMIT_MS = 10_000;
const WAITING_LIMIT_MS = 300_000;
const START_LIMIT_MS = 60_000;
const CHECK_MS = 25;

/** How a run ended, and what it took. */
export interface Run {
  readonly outcome:
    | EngineOutcome
    | { readonly kind: "hang"; readonly message: string }
    | { readonly kind: "crash"; readonly message: string };
  /** Of processor time. */
  readonly milliseconds: number;
  /** The engine's heap afterwards, in bytes. */
  readonly heap: number;
  /** By how much the process grew meanwhile, in bytes: heap and buffers together. */
  readonly grown: number;
  readonly blocks: readonly string[];
}

/** The engine in one long-lived thread, which is replaced when it hangs or breaks. */
export class EngineThread {
  readonly #cpuLimitMs: number;
  #worker: Worker | undefined;

  /** @param cpuLimitMs a run that takes more processor time counts as a hang */
  constructor(cpuLimitMs = USUAL_CPU_LIMIT_MS) {
    this.#cpuLimitMs = cpuLimitMs;
  }

  async run(request: EngineRequest): Promise<Run> {
    this.#worker ??= await startWorker();
    const worker = this.#worker;
    const residentBefore = process.memoryUsage.rss();
    const start = process.cpuUsage();
    const spent = () => {
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    let grown = 0;
    return new Promise((resolve) => {
      const settle = (outcome: Run["outcome"], answer?: EngineAnswer) => {
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
      const onMessage = (answer: EngineAnswer) => settle(answer.outcome, answer);
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

/** A thread does not inherit the loader that lets Node run TypeScript. */
const BOOTSTRAP = `
  import(${JSON.stringify(import.meta.resolve("tsx/esm/api"))})
    .then(({ register }) => register())
    .then(() => import(${JSON.stringify(new URL("./engine-worker.ts", import.meta.url).href)}));
`;

function startWorker(): Promise<Worker> {
  const worker = new Worker(BOOTSTRAP, {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB, maxYoungGenerationSizeMb: 64 },
  });
  return new Promise((resolve, reject) => {
    const clock = setTimeout(() => reject(new Error("the engine's thread did not start")), START_LIMIT_MS);
    worker.once("error", reject);
    worker.once("message", () => {
      clearTimeout(clock);
      worker.off("error", reject);
      resolve(worker);
    });
  });
}
