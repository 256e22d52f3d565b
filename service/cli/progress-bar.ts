import type { Phase, Progress } from "../../src/shared/protocol.ts";
import { printable } from "./printable.ts";

/** The stream that a bar is drawn to. */
export interface BarStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const BAR_LENGTH = 24;
/** The width of a terminal that does not say its own. */
const USUAL_COLUMNS = 80;
const CLEAR_LINE = "\r\x1b[K";

const WORDS: Readonly<Record<Phase, string>> = {
  queued: "starting",
  reading: "reading",
  working: "working",
  writing: "writing",
  uploading: "uploading",
  downloading: "downloading",
};

/** A line that shows the progress of a call. It draws nothing if the stream is no terminal. */
export class ProgressBar {
  readonly #stream: BarStream;
  #isShown = false;

  constructor(stream: BarStream) {
    this.#stream = stream;
  }

  /** @param name of the file, or of the files */
  show(name: string, { phase, done, total }: Progress): void {
    if (!this.#stream.isTTY) return;
    const share = total > 0 ? Math.min(1, done / total) : 0;
    const filled = Math.round(share * BAR_LENGTH);
    const bar = `[${"#".repeat(filled)}${"-".repeat(BAR_LENGTH - filled)}]`;
    const percent = `${Math.floor(share * 100)}%`.padStart(4);
    const line = `${bar} ${percent} ${WORDS[phase].padEnd(8)} ${printable(name)}`;
    // A line that wraps could not be cleared.
    this.#stream.write(CLEAR_LINE + line.slice(0, (this.#stream.columns || USUAL_COLUMNS) - 1));
    this.#isShown = true;
  }

  /** Removes the line, so that other output can follow. */
  clear(): void {
    if (this.#isShown) this.#stream.write(CLEAR_LINE);
    this.#isShown = false;
  }
}
