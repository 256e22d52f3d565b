import { type Signal, signal } from "@preact/signals";
import type { ConvertParams } from "../../src/index.ts";
import { client } from "./client.ts";
import type { TrayFile } from "./tray.ts";

/** A picture that the browser can show, and the size of its file. */
export interface ShownPicture {
  readonly url: string;
  readonly size: number;
}

/** The longest side of what stands for a picture that browsers do not show. */
const STAND_IN_SIDE = 1600;

/** How long the options must stay the same before the picture is converted, so that a slider does not start ten jobs. */
const SETTLE_MS = 250;

/** A picture before and after its conversion. */
export class Comparison {
  readonly before: Signal<ShownPicture | undefined> = signal(undefined);
  readonly after: Signal<ShownPicture | undefined> = signal(undefined);
  /** Why there is no picture. */
  readonly error: Signal<unknown> = signal(undefined);
  readonly #file: TrayFile;
  #ending = new AbortController();

  constructor(file: TrayFile) {
    this.#file = file;
  }

  /** Converts the picture with other options. Ends the conversion before. */
  async show(options: Omit<ConvertParams, "file">): Promise<void> {
    this.#ending.abort();
    this.#ending = new AbortController();
    const { signal } = this.#ending;
    try {
      await settled(signal);
      this.before.value ??= await this.#original(signal);
      const output = await this.#convert(options, signal);
      replace(this.after, { url: URL.createObjectURL(output), size: output.size });
      this.error.value = undefined;
    } catch (error) {
      if (!signal.aborted) this.error.value = error;
    }
  }

  /** Ends the conversion and frees the pictures. */
  close(): void {
    this.#ending.abort();
    replace(this.before, undefined);
    replace(this.after, undefined);
  }

  async #original(signal: AbortSignal): Promise<ShownPicture> {
    const { file, inspection } = this.#file;
    const isShown = inspection.peek()?.format !== "heic";
    const side = { max_width: STAND_IN_SIDE, max_height: STAND_IN_SIDE };
    const picture = isShown ? file : await this.#convert({ output_format: "png", ...side }, signal);
    return { url: URL.createObjectURL(picture), size: file.size };
  }

  async #convert(options: Omit<ConvertParams, "file">, signal: AbortSignal): Promise<File> {
    // The first one of a file with several pictures.
    const { file, inspection } = this.#file;
    const first = (inspection.peek()?.images ?? 1) > 1 ? { pages: "1" } : {};
    const result = await client.convert({ ...options, ...first, file }, { signal });
    const output = client.blob(result);
    client.release(result);
    return output;
  }
}

function replace(target: Signal<ShownPicture | undefined>, picture: ShownPicture | undefined): void {
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
