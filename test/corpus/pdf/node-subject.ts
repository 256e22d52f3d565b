import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { memoryOf } from "../../support/process-files.ts";
import type { EngineMessage, EngineRequest } from "./engine-process.ts";
import { type PdfOperation, type PdfOutcome, type PdfSubject, TIME_LIMIT_MS } from "./subject.ts";

const MEMORY_LIMIT_BYTES = 1024 ** 3;
const MEMORY_CHECK_MS = 100;

/** Starts a child process and waits until its modules are loaded, so that loading is not measured. */
function startEngine(): Promise<ChildProcess> {
  const path = fileURLToPath(new URL("./engine-process.ts", import.meta.url));
  const child = fork(path, [], {
    execArgv: ["--import", "tsx", "--max-old-space-size=512"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  return new Promise((resolve, reject) => {
    let complaints = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      if (complaints.length < 10_000) complaints += chunk.toString("utf8");
    });
    child.once("message", () => resolve(child));
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`the engine's process did not start:\n${complaints}`)));
  });
}

/** Our engine in a Node process, which is replaced when it hangs, crashes or takes too much memory. */
export class NodeSubject implements PdfSubject {
  readonly name = "node";
  #child: ChildProcess | undefined;

  async prepare(): Promise<void> {
    this.#child ??= await startEngine();
  }

  async run(operation: PdfOperation, inputPath: string, outputDirectory: string): Promise<PdfOutcome> {
    const child = this.#child;
    if (child === undefined) throw new Error("prepare comes before run");
    const request: EngineRequest = { operation, inputPath, outputDirectory };
    const outcome = await new Promise<PdfOutcome>((resolve) => {
      const settle = (outcome: PdfOutcome) => {
        clearTimeout(clock);
        clearInterval(memory);
        child.off("message", onMessage);
        child.off("exit", onExit);
        resolve(outcome);
      };
      const onMessage = (message: EngineMessage) => {
        if (message.kind !== "ready") settle(message);
      };
      const onExit = (code: number | null, signal: string | null) =>
        settle({ kind: "crashed", message: `the process ended with ${signal ?? code}` });
      const clock = setTimeout(
        () => settle({ kind: "hung", message: `no answer in ${TIME_LIMIT_MS / 1000} s` }),
        TIME_LIMIT_MS,
      );
      const memory = setInterval(() => {
        if ((child.pid === undefined ? 0 : memoryOf(child.pid)) > MEMORY_LIMIT_BYTES) {
          settle({ kind: "out of memory", message: `over ${MEMORY_LIMIT_BYTES} bytes` });
        }
      }, MEMORY_CHECK_MS);
      child.on("message", onMessage);
      child.on("exit", onExit);
      child.send(request);
    });
    if (outcome.kind === "hung" || outcome.kind === "crashed" || outcome.kind === "out of memory") {
      await this.close();
    }
    return outcome;
  }

  async close(): Promise<void> {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}
