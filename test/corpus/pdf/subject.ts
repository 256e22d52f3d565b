import { isFault } from "../faults.ts";

/** One operation on one PDF. */
export type PdfOperation =
  | { readonly kind: "protect"; readonly password: string }
  | { readonly kind: "unlock"; readonly password: string }
  | { readonly kind: "split"; readonly pages: string; readonly password?: string | undefined }
  | { readonly kind: "rewrite"; readonly password?: string | undefined };

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

/** Something that can do the operations: our engine in Node, our client in a browser, or native qpdf. */
export interface PdfSubject {
  readonly name: string;
  /** Starts what it works in, if that is not running: the time it takes is nobody's. */
  prepare(): Promise<void>;
  /** Never rejects: whatever goes wrong is an outcome. Files are written below `outputDirectory`. */
  run(operation: PdfOperation, inputPath: string, outputDirectory: string): Promise<PdfOutcome>;
  close(): Promise<void>;
}

/** No operation may take longer. */
export const TIME_LIMIT_MS = 10_000;

/** The outcome that an error code and its message stand for. */
export function outcomeOfError(code: string, message: string): PdfOutcome {
  return isFault(code)
    ? { kind: "untyped error", message: `${code}: ${message}` }
    : { kind: "typed error", code, message };
}
