import type { SplitBy } from "../../../src/shared/protocol.ts";
import { bufferSource } from "../../../workers/io/source.ts";
import { PdfDocument } from "../../../workers/pdf/file/document.ts";
import { inspectPdf } from "../../../workers/pdf/inspect.ts";
import { withRebuild } from "../../../workers/pdf/open.ts";
import { splitFiles } from "../../../workers/pdf/split.ts";
import { cleanBytes, mergeBytes, protectBytes, repairBytes, unlockBytes } from "../../support/engine.ts";
import { contextOf } from "../../support/memory-context.ts";
import { MemorySink } from "../../support/memory-sink.ts";

/** What the engine is asked to do. */
export type Operation =
  | { readonly kind: "protect"; readonly password: string }
  | { readonly kind: "unlock"; readonly password: string }
  | { readonly kind: "split"; readonly by: SplitBy; readonly password: string | undefined }
  | { readonly kind: "repair"; readonly password: string | undefined }
  | { readonly kind: "clean"; readonly flatten: boolean; readonly password: string | undefined }
  /** Gives no file. */
  | { readonly kind: "inspect"; readonly password: string | undefined }
  /** The file is merged with itself, so that all names collide. */
  | { readonly kind: "merge"; readonly password: string | undefined };

/** The password that protected outputs get. */
export const NEW_PASSWORD = "stay put";

/** A split is stopped after so many files: a page that is listed a million times rightly gives a million. */
const FILES_TAKEN = 40;

/** An operation in a few words, for reports. */
export function nameOf(operation: Operation): string {
  if (operation.kind !== "split") return operation.kind;
  const { by } = operation;
  return `split ${by.kind === "pages" ? by.pages : by.kind}`;
}

/** Returns a split by a page selection. */
export function splitPages(pages: string, password?: string): Operation {
  return { kind: "split", by: { kind: "pages", pages }, password };
}

/** Does an operation on a file in memory. */
export async function perform(operation: Operation, input: Uint8Array): Promise<readonly Uint8Array[]> {
  switch (operation.kind) {
    case "protect":
      return [await protectBytes(input, { password: operation.password })];
    case "unlock":
      return [await unlockBytes(input, operation.password)];
    case "repair":
      return [await repairBytes(input, { password: operation.password })];
    case "clean":
      return [await cleanBytes(input, { flatten: operation.flatten, password: operation.password })];
    case "inspect":
      await inspectPdf(contextOf(input), { password: operation.password, outline: true, hidden: true });
      return [];
    case "merge": {
      const { password } = operation;
      const document = { bytes: input, ...(password !== undefined && { password }) };
      return [await mergeBytes([document, document])];
    }
    case "split":
      return firstParts(input, operation);
  }
}

async function firstParts(
  input: Uint8Array,
  { by, password }: Extract<Operation, { kind: "split" }>,
): Promise<readonly Uint8Array[]> {
  const options = { by, name: "file", password };
  return withRebuild(PdfDocument.open(bufferSource(input)), async (document) => {
    const files: Uint8Array[] = [];
    const parts = splitFiles(
      document,
      options,
      () => undefined,
      () => new MemorySink(),
    );
    for await (const { content } of parts) {
      files.push(content.toBytes());
      if (files.length === FILES_TAKEN) break;
    }
    return files;
  });
}
