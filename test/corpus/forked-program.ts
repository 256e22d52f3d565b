import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ServiceError } from "../../src/shared/errors.ts";
import { memoryOf } from "../support/process-files.ts";
import { outcomeOfError, type PdfOutcome, TIME_LIMIT_MS } from "./pdf/subject.ts";

const MEMORY_LIMIT_BYTES = 1024 ** 3;
const MEMORY_CHECK_MS = 100;

/** A module in a process of its own, which is replaced when it hangs, crashes or takes too much memory. */
export class ForkedProgram<Request extends object> {
  readonly #module: URL;
  #child: ChildProcess | undefined;

  /** @param module a module that calls {@link answerRequests}, relative to this one */
  constructor(module: string) {
    this.#module = new URL(module, import.meta.url);
  }

  /** Starts the process if it is not running, so that loading is not measured. */
  async prepare(): Promise<void> {
    if (this.#child) return;
    const child = fork(fileURLToPath(this.#module), [], {
      execArgv: ["--import", "tsx", "--max-old-space-size=512"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#child = child;
    await new Promise((resolve, reject) => {
      child.once("message", resolve);
      child.once("error", reject);
      child.once("exit", () => reject(new Error(`${this.#module} did not start`)));
    });
    child.removeAllListeners();
  }

  /** Never rejects: each failure is an outcome. */
  run(request: Request): Promise<PdfOutcome> {
    const child = this.#child;
    if (!child) throw new Error("prepare comes before run");
    return new Promise((resolve) => {
      const settle = (outcome: PdfOutcome) => {
        clearTimeout(clock);
        clearInterval(memory);
        child.removeAllListeners();
        resolve(outcome);
      };
      const end = (kind: "hung" | "crashed" | "out of memory", message: string) => {
        settle({ kind, message });
        this.close();
      };
      const clock = setTimeout(() => end("hung", `no answer in ${TIME_LIMIT_MS / 1000} s`), TIME_LIMIT_MS);
      const memory = setInterval(() => {
        if (memoryOf(child.pid ?? 0) > MEMORY_LIMIT_BYTES) {
          end("out of memory", `over ${MEMORY_LIMIT_BYTES} bytes`);
        }
      }, MEMORY_CHECK_MS);
      child.once("message", settle);
      child.once("exit", (code, signal) => end("crashed", `the process ended with ${signal ?? code}`));
      child.send(request);
    });
  }

  close(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}

/**
 * Answers the requests of a {@link ForkedProgram}, in its process.
 *
 * @param take makes the files of a request and returns their paths
 */
export function answerRequests<Request>(take: (request: Request) => Promise<readonly string[]>): void {
  process.on("message", (request: Request) => {
    take(request).then(
      (paths) => process.send?.({ kind: "files", paths }),
      (error: unknown) => process.send?.(outcomeOf(error)),
    );
  });
  process.send?.("ready");
}

function outcomeOf(error: unknown): PdfOutcome {
  if (error instanceof ServiceError) return outcomeOfError(error.code, error.message);
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: "untyped error", message };
}
