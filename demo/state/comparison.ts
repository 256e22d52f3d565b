import { type Signal, signal } from "@preact/signals";
import type { TargetFormat } from "./formats.ts";
import type { ConvertFields } from "./options.ts";
import { convertedPicture, screenPicture } from "./pictures.ts";
import type { TrayFile } from "./tray.ts";

/** A picture that the browser can show. */
export interface ShownPicture {
  /** A blob URL. */
  readonly url: string;
  /** The size of the file in bytes. */
  readonly size: number;
}

/** The result of a conversion. */
export interface ShownResult extends ShownPicture {
  readonly format: TargetFormat;
}

/** How long the options must stay the same before the next conversion, so that dragging a slider does not start ten. */
const SETTLE_MS = 250;

/** A picture before and after its conversion. */
export class Comparison {
  readonly before: Signal<ShownPicture | undefined> = signal(undefined);
  /** The result of the last conversion that ended. */
  readonly after: Signal<ShownResult | undefined> = signal(undefined);
  /** Whether `after` does not have the latest options yet. */
  readonly isConverting = signal(false);
  /** The error of the last conversion. */
  readonly error: Signal<unknown> = signal(undefined);
  readonly #file: TrayFile;
  #controller = new AbortController();
  #isFirst = true;
  #isClosed = false;

  constructor(file: TrayFile) {
    this.#file = file;
  }

  /** Converts the picture with other options, and aborts the conversion before. Does nothing after {@link close}. */
  async show(options: ConvertFields): Promise<void> {
    if (this.#isClosed) return;
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.isConverting.value = true;
    try {
      if (!this.#isFirst) await settled(signal);
      this.#isFirst = false;
      await Promise.all([this.#showBefore(signal), this.#showAfter(options, signal)]);
      this.error.value = undefined;
    } catch (error) {
      if (!signal.aborted) this.error.value = error;
    }
    if (!signal.aborted) this.isConverting.value = false;
  }

  /** Aborts the conversion and frees the pictures. */
  close(): void {
    this.#isClosed = true;
    this.#controller.abort();
    replace(this.before, undefined);
    replace(this.after, undefined);
  }

  async #showBefore(signal: AbortSignal): Promise<void> {
    if (this.before.peek() !== undefined) return;
    const picture = await screenPicture(this.#file, signal);
    signal.throwIfAborted();
    if (picture === undefined) return;
    replace(this.before, { url: URL.createObjectURL(picture), size: this.#file.file.size });
  }

  async #showAfter(options: ConvertFields, signal: AbortSignal): Promise<void> {
    const output = await this.#convert(options, signal);
    // The abort may come after the result.
    signal.throwIfAborted();
    const { output_format: format } = options;
    replace(this.after, { url: URL.createObjectURL(output), size: output.size, format });
  }

  #convert(options: ConvertFields, signal: AbortSignal): Promise<File> {
    const { file, inspection } = this.#file;
    // Of a file with several pictures, the first one is compared.
    const first = (inspection.peek()?.images ?? 1) > 1 ? { pages: "1" } : {};
    return convertedPicture({ ...options, ...first, file }, signal);
  }
}

function replace<Picture extends ShownPicture>(
  target: Signal<Picture | undefined>,
  picture: Picture | undefined,
) {
  const old = target.peek();
  target.value = picture;
  if (old !== undefined) URL.revokeObjectURL(old.url);
}

function settled(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, SETTLE_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
