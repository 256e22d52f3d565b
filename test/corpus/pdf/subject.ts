import { isFault } from "../faults.ts";
import type { OurEngine } from "../split/contestant.ts";

/** One operation on one PDF. */
export type PdfOperation =
  | { readonly kind: "protect"; readonly password: string }
  | { readonly kind: "unlock"; readonly password: string }
  | { readonly kind: "split"; readonly pages: string; readonly password?: string | undefined }
  | { readonly kind: "repair"; readonly password?: string | undefined };

/** How an operation ended. */
export type PdfOutcome =
  | { readonly kind: "files"; readonly paths: readonly string[] }
  | { readonly kind: "typed error"; readonly code: string; readonly message: string }
  | { readonly kind: "untyped error" | "crashed" | "hung" | "out of memory"; readonly message: string };

/** The files that an operation made. Any other outcome is thrown as an error that states its reason. */
export function madeFiles(outcome: PdfOutcome): readonly string[] {
  if (outcome.kind === "files") return outcome.paths;
  const code = outcome.kind === "typed error" ? ` ${outcome.code}` : "";
  throw new Error(`the operation made no file: ${outcome.kind}${code}: ${outcome.message}`);
}

/** A subject of the corpus: our engine in Node, or our client in a browser. */
export interface PdfSubject {
  readonly name: string;
  /** Starts the process or page of the subject if it is not running. This time is not measured. */
  prepare(): Promise<unknown>;
  /** Runs an operation and writes its files below `outputDirectory`. Never rejects: each failure is an outcome. */
  run(operation: PdfOperation, inputPath: string, outputDirectory: string): Promise<PdfOutcome>;
}

/** Our engine in Node as a subject. */
export function nodeSubject(engine: OurEngine): PdfSubject {
  return { name: "node", prepare: () => engine.prepare(), run: (...args) => engine.run(...args) };
}

/** The time limit of an operation. */
export const TIME_LIMIT_MS = 10_000;

/** The outcome for an error code and its message. */
export function outcomeOfError(code: string, message: string): PdfOutcome {
  return isFault(code)
    ? { kind: "untyped error", message: `${code}: ${message}` }
    : { kind: "typed error", code, message };
}
