import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ServiceError } from "../../../src/shared/errors.ts";
import { normalizeBytes, protectBytes, splitBytes, unlockBytes } from "../../support/engine.ts";
import { outcomeOfError, type PdfOperation, type PdfOutcome } from "./subject.ts";

/** The child process of the engine. The run continues when it crashes. */

export interface EngineRequest {
  readonly operation: PdfOperation;
  readonly inputPath: string;
  readonly outputDirectory: string;
}

/** `ready` once, then one outcome for each request. */
export type EngineMessage = { readonly kind: "ready" } | PdfOutcome;

async function outputsOf(operation: PdfOperation, input: Uint8Array): Promise<readonly Uint8Array[]> {
  switch (operation.kind) {
    case "protect":
      return [await protectBytes(input, { password: operation.password })];
    case "unlock":
      return [await unlockBytes(input, operation.password)];
    case "split": {
      const { pages, password } = operation;
      const files = await splitBytes(input, { pages, ...(password === undefined ? {} : { password }) });
      return files.map((file) => file.bytes);
    }
    case "rewrite":
      return [await normalizeBytes(input, { password: operation.password })];
  }
}

async function answer({ operation, inputPath, outputDirectory }: EngineRequest): Promise<PdfOutcome> {
  const input = await readFile(inputPath);
  try {
    const outputs = await outputsOf(operation, input);
    const paths = outputs.map((_, index) => join(outputDirectory, `${index + 1}.pdf`));
    await Promise.all(outputs.map((bytes, index) => writeFile(paths[index] ?? "", bytes)));
    return { kind: "files", paths };
  } catch (error) {
    if (error instanceof ServiceError) return outcomeOfError(error.code, error.message);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: "untyped error", message };
  }
}

function send(message: EngineMessage): void {
  process.send?.(message);
}

process.on("message", (request: EngineRequest) => void answer(request).then(send));
send({ kind: "ready" });
