import { Session } from "node:inspector";
import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import { type ErrorDetails, ServiceError } from "../../../src/shared/errors.ts";
import type { ThreadAnswer } from "../fuzz-thread.ts";
import { NEW_PASSWORD, type Operation, perform } from "./operations.ts";

/** The thread in which the engine meets hostile files, one after the other as in a browser's worker. */

export interface EngineRequest {
  readonly operation: Operation;
  readonly input: Uint8Array;
  /** Whether each output is also read again by the engine itself. */
  readonly reread: boolean;
  /** How many outputs are wanted back. */
  readonly outputs: number;
  /** Whether to say which blocks of the engine's code run meanwhile. */
  readonly coverage: boolean;
}

export type EngineOutcome =
  | {
      readonly kind: "files";
      readonly files: number;
      readonly bytes: number;
      readonly outputs: readonly Uint8Array[];
    }
  | {
      readonly kind: "typed error";
      readonly code: string;
      readonly message: string;
      readonly details: ErrorDetails;
    }
  | { readonly kind: "untyped error"; readonly message: string }
  /** The engine does not read what it has written. */
  | { readonly kind: "unreadable output"; readonly message: string };

const QUICK_MS = 1000;

const port = parentPort;
if (!port) throw new Error("this module runs in a worker thread");

const session = new Session();
session.connect();
session.post("Profiler.enable");

port.on("message", (request: EngineRequest) => {
  void answer(request).then((answer) => port.postMessage(answer));
});
port.postMessage("ready");

async function answer(request: EngineRequest): Promise<ThreadAnswer<EngineOutcome>> {
  // Only while it is asked for: the engine takes three times as long while its blocks are counted.
  if (request.coverage) session.post("Profiler.startPreciseCoverage", { callCount: false, detailed: true });
  const outcome = await outcomeOf(request);
  const blocks = request.coverage ? blocksRun() : [];
  return { outcome, heap: getHeapStatistics().used_heap_size, blocks };
}

async function outcomeOf({ operation, input, reread, outputs }: EngineRequest): Promise<EngineOutcome> {
  const start = performance.now();
  let files: readonly Uint8Array[];
  try {
    files = await perform(operation, input);
  } catch (error) {
    return failure(error);
  }
  // The time limit is for the operation: what took long is not read again within it.
  const isQuick = performance.now() - start < QUICK_MS;
  const complaint = reread && isQuick ? await rereadComplaint(files, operation, input) : "";
  if (complaint !== "") return { kind: "unreadable output", message: complaint };
  const bytes = files.reduce((sum, file) => sum + file.length, 0);
  return { kind: "files", files: files.length, bytes, outputs: files.slice(0, outputs) };
}

/** Why the engine does not read what it has written; empty when it does, or when it does not read the input either. */
async function rereadComplaint(
  files: readonly Uint8Array[],
  operation: Operation,
  input: Uint8Array,
): Promise<string> {
  const password = operation.kind === "protect" ? NEW_PASSWORD : undefined;
  for (const file of files.slice(0, 3)) {
    const complaint = await repairComplaint(file, password);
    if (complaint === "") continue;
    const given = operation.kind === "protect" ? undefined : operation.password;
    return (await repairComplaint(input, given)) === "" ? complaint : "";
  }
  return "";
}

async function repairComplaint(file: Uint8Array, password: string | undefined): Promise<string> {
  try {
    await perform({ kind: "repair", password }, file);
    return "";
  } catch (error) {
    return failure(error).message;
  }
}

function failure(error: unknown): EngineOutcome & { readonly message: string } {
  if (error instanceof ServiceError) {
    return { kind: "typed error", ...error.toWire() };
  }
  return {
    kind: "untyped error",
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}

/** The blocks of the engine's code that have run, told by where they stand. */
function blocksRun(): readonly string[] {
  const blocks: string[] = [];
  session.post("Profiler.takePreciseCoverage", (error, answer) => {
    for (const { url, functions } of error ? [] : answer.result) {
      const file = /workers\/pdf\/.*$/.exec(url)?.[0];
      if (file === undefined) continue;
      for (const { ranges } of functions) {
        for (const { startOffset, endOffset, count } of ranges) {
          if (count > 0) blocks.push(`${file} ${startOffset}-${endOffset}`);
        }
      }
    }
  });
  session.post("Profiler.stopPreciseCoverage");
  return blocks;
}
