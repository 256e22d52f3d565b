import type { SessionAnswer } from "../support/browsers/browser-session.ts";
import type { Row } from "./family.ts";

const CODES_OF_FAULTS: readonly string[] = ["internal_error", "out_of_memory"];

/** Whether an error code means a bug, not a property of the file. */
export function isFault(code: string): boolean {
  return CODES_OF_FAULTS.includes(code);
}

/** The kind of disaster of an answer, if any. */
export function disasterOf(answer: SessionAnswer): Row["disaster"] {
  switch (answer.kind) {
    case "file":
      return undefined;
    case "typed error":
      return isFault(answer.code) ? "untyped error" : undefined;
    default:
      return answer.kind;
  }
}
