import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mergeBytes, protectBytes, repairBytes, splitBytes, unlockBytes } from "../support/engine.ts";
import { answerRequests } from "./forked-program.ts";
import type { PdfOperation } from "./pdf/subject.ts";

/** The child process of the engine. The run continues when it crashes. */

export type EngineRequest =
  | { readonly operation: PdfOperation; readonly inputPath: string; readonly outputDirectory: string }
  /** Documents to merge. */
  | { readonly documents: readonly EngineDocument[]; readonly outputDirectory: string };

export interface EngineDocument {
  readonly path: string;
  readonly title: string;
  readonly password?: string;
  readonly pages?: string;
}

async function merged(documents: readonly EngineDocument[]): Promise<Uint8Array> {
  const inputs = documents.map(async ({ path, ...options }) => ({ bytes: await readFile(path), ...options }));
  return mergeBytes(await Promise.all(inputs));
}

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
    case "repair":
      return [await repairBytes(input, { password: operation.password })];
  }
}

answerRequests(async (request: EngineRequest) => {
  const outputs =
    "documents" in request
      ? [await merged(request.documents)]
      : await outputsOf(request.operation, await readFile(request.inputPath));
  const paths = outputs.map((_, index) => join(request.outputDirectory, `${index + 1}.pdf`));
  await Promise.all(outputs.map((bytes, index) => writeFile(paths[index] ?? "", bytes)));
  return paths;
});
