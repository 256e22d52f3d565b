import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type PdfOutcome, TIME_LIMIT_MS } from "../pdf/subject.ts";
import type { PdfLibAnswer, PdfLibRequest } from "./pdf-lib-process.ts";

/** `@cantoo/pdf-lib` in a process of its own, which is replaced when it hangs or crashes. */
export class PdfLibProcess {
  #child: ChildProcess | undefined;

  take(request: PdfLibRequest): Promise<PdfOutcome> {
    const child = this.#child ?? this.#start();
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
      child.once("message", ({ problem }: PdfLibAnswer) =>
        settle(
          problem === undefined
            ? { kind: "files", paths: [request.output] }
            : { kind: "untyped error", message: problem },
          false,
        ),
      );
      child.once("exit", () => settle({ kind: "crashed", message: "the process ended" }, true));
      child.send(request);
    });
  }

  close(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  #start(): ChildProcess {
    const path = fileURLToPath(new URL("./pdf-lib-process.ts", import.meta.url));
    const execArgv = ["--import", "tsx", "--max-old-space-size=512"];
    this.#child = fork(path, [], { execArgv, stdio: ["ignore", "ignore", "ignore", "ipc"] });
    return this.#child;
  }
}
