import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type PdfOutcome, TIME_LIMIT_MS } from "./pdf/subject.ts";

const READY = "ready";

/** A module in a process of its own, which is replaced when it hangs or crashes. See {@link answerRequests}. */
export class ForkedProgram<Request extends object> {
  readonly #module: URL;
  #child: ChildProcess | undefined;

  /** @param module the module, relative to this one */
  constructor(module: string) {
    this.#module = new URL(module, import.meta.url);
  }

  /** Starts the process if it is not running, so that loading is not measured. */
  async prepare(): Promise<void> {
    if (this.#child) return;
    const child = fork(fileURLToPath(this.#module), [], {
      execArgv: ["--import", "tsx", "--max-old-space-size=512"],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child = child;
    await new Promise((resolve, reject) => {
      child.once("message", resolve);
      child.once("exit", () => reject(new Error(`${this.#module} did not start`)));
    });
    child.removeAllListeners();
  }

  /** Never rejects: whatever goes wrong is an outcome. */
  run(request: Request): Promise<PdfOutcome> {
    const child = this.#child;
    if (!child) throw new Error("prepare comes before run");
    return new Promise((resolve) => {
      const settle = (outcome: PdfOutcome, isOver: boolean) => {
        clearTimeout(clock);
        child.removeAllListeners();
        if (isOver) this.close();
        resolve(outcome);
      };
      const clock = setTimeout(
        () => settle({ kind: "hung", message: `no answer in ${TIME_LIMIT_MS / 1000} s` }, true),
        TIME_LIMIT_MS,
      );
      child.once("message", (outcome: PdfOutcome) => settle(outcome, false));
      child.once("exit", () => settle({ kind: "crashed", message: "the process ended" }, true));
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
 * @param outcomeOf the outcome for an error
 */
export function answerRequests<Request extends object>(
  take: (request: Request) => Promise<readonly string[]>,
  outcomeOf = (error: unknown): PdfOutcome => ({ kind: "untyped error", message: String(error) }),
): void {
  process.on("message", (request: Request) => {
    take(request).then(
      (paths) => process.send?.({ kind: "files", paths }),
      (error: unknown) => process.send?.(outcomeOf(error)),
    );
  });
  process.send?.(READY);
}
