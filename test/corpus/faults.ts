import type { SessionAnswer } from "../support/browsers/browser-session.ts";
import type { Row } from "./family.ts";
import type { PdfOutcome } from "./pdf/subject.ts";

const CODES_OF_FAULTS: readonly string[] = ["internal_error", "out_of_memory"];

/** Whether an error code means a bug, not a property of the file. */
export function isFault(code: string): boolean {
  return CODES_OF_FAULTS.includes(code);
}

/** The kind of disaster of an outcome, if any. */
export function disasterOf(outcome: SessionAnswer | PdfOutcome): Row["disaster"] {
  switch (outcome.kind) {
    case "file":
    case "files":
      return undefined;
    case "typed error":
      return isFault(outcome.code) ? "untyped error" : undefined;
    default:
      return outcome.kind;
  }
}
