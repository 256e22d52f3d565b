import { type Signal, signal } from "@preact/signals";
import type { TargetFormat } from "./formats.ts";
import type { ConvertFields } from "./options.ts";
import { convertedPicture } from "./pictures.ts";
import type { TrayFile } from "./tray.ts";

/** The result of a conversion, as a picture that the browser can show. */
interface Converted {
  /** A blob URL. */
  readonly url: string;
  /** The size of the file in bytes. */
  readonly size: number;
  readonly format: TargetFormat;
}

/** How long the options must stay the same before the next conversion, so that dragging a slider does not start ten. */
const SETTLE_MS = 250;

/** The conversion of a picture, again with each change of the options. */
export class Conversion {
  /** The result of the last conversion that ended. */
  readonly result: Signal<Converted | undefined> = signal(undefined);
  /** Whether `result` does not have the latest options yet. */
  readonly isRunning = signal(false);
  /** The error of the last conversion. */
  readonly error: Signal<unknown> = signal(undefined);
  readonly #file: TrayFile;
  #controller = new AbortController();
  #isFirst = true;

  constructor(file: TrayFile) {
    this.#file = file;
  }

  /** Converts the picture with other options, and aborts the conversion before. */
  async start(options: ConvertFields): Promise<void> {
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.isRunning.value = true;
    try {
      if (!this.#isFirst) await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      signal.throwIfAborted();
      this.#isFirst = false;
      const { file, inspection } = this.#file;
      // Of a file with several pictures, the first one is compared.
      const first = (inspection.peek()?.images ?? 1) > 1 ? { pages: "1" } : {};
      const picture = await convertedPicture({ ...options, ...first, file }, signal);
      // The abort may come after the result.
      signal.throwIfAborted();
      this.#show({
        url: URL.createObjectURL(picture),
        size: picture.size,
        format: options.output_format,
      });
      this.error.value = undefined;
    } catch (error) {
      if (!signal.aborted) this.error.value = error;
    }
    if (!signal.aborted) this.isRunning.value = false;
  }

  /** Aborts the conversion and frees the picture. */
  close(): void {
    this.#controller.abort();
    this.#show(undefined);
  }

  #show(result: Converted | undefined): void {
    if (this.result.peek() !== undefined) URL.revokeObjectURL(this.result.peek()?.url ?? "");
    this.result.value = result;
  }
}
