import type { ByteSink } from "./bytes/sink.ts";

/** Tells how far an operation has come, in bytes or pages. */
export type Report = (phase: "reading" | "working" | "writing", done: number, total: number) => void;

/** One file of a split: its name in the archive and its bytes. */
export interface SplitFile<Sink extends ByteSink> {
  readonly name: string;
  readonly content: Sink;
}
