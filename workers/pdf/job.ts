import type { Deadline } from "../../src/shared/protocol.ts";
import type { ByteSink } from "../io/sink.ts";

/**
 * Tells how far an operation has come, in bytes or pages; and, when pages are drawn, in which of the document's fonts
 * text could not be drawn.
 */
export type Report = (
  phase: "reading" | "working" | "writing",
  done: number,
  total: number,
  missingFonts?: readonly string[],
) => void;

/**
 * Has the page end this worker when it is silent for too long: what is about to begin may never end. Nothing when it
 * has ended.
 */
export type Watch = (deadline: Deadline | undefined) => void;

/** One file of a split: its name in the archive and its bytes. */
export interface SplitFile<Sink extends ByteSink> {
  readonly name: string;
  readonly content: Sink;
}
