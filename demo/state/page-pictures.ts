import { type Signal, signal } from "@preact/signals";
import { ServiceError } from "../../src/index.ts";
import { client } from "./client.ts";
import type { TrayFile } from "./tray.ts";

/** How wide a picture is, in pixels of the screen. */
const WIDTH = 140;

/** How many pages are drawn before the next ones are chosen, so that scrolling soon brings those in view. */
const AT_ONCE = 6;

/** The most pictures that are kept. Those that were out of view longest go first. */
const KEPT = 200;

/** The pictures of the pages of a document, drawn when they come into view. */
export class PagePictures {
  readonly #file: TrayFile;
  readonly #urls = new Map<number, Signal<string | undefined>>();
  readonly #wanted = new Set<number>();
  /** The pages out of view that have a picture, the longest out of view first. */
  readonly #outOfView = new Set<number>();
  #pictures = 0;
  readonly #ending = new AbortController();
  #isDrawing = false;

  constructor(file: TrayFile) {
    this.#file = file;
  }

  /** The blob URL of a page, once it is drawn. */
  urlOf(page: number): Signal<string | undefined> {
    const url = this.#urls.get(page) ?? signal(undefined);
    this.#urls.set(page, url);
    return url;
  }

  /** Says whether a page is in view. */
  setVisible(page: number, isVisible: boolean): void {
    const hasPicture = this.urlOf(page).peek() !== undefined;
    this.#outOfView.delete(page);
    if (!isVisible && hasPicture) this.#outOfView.add(page);
    if (isVisible && !hasPicture) this.#wanted.add(page);
    else this.#wanted.delete(page);
    if (!this.#isDrawing && this.#wanted.size > 0) void this.#draw();
  }

  /** Stops drawing and frees the pictures. */
  close(): void {
    this.#ending.abort();
    for (const { value } of this.#urls.values()) if (value !== undefined) URL.revokeObjectURL(value);
  }

  async #draw(): Promise<void> {
    this.#isDrawing = true;
    try {
      while (this.#wanted.size > 0 && !this.#ending.signal.aborted) {
        const pages = [...this.#wanted].sort((one, other) => one - other).slice(0, AT_ONCE);
        for (const page of pages) this.#wanted.delete(page);
        await this.#drawPages(pages);
      }
    } finally {
      this.#isDrawing = false;
    }
  }

  #forgetOldest(): void {
    const [oldest] = this.#outOfView;
    if (this.#pictures <= KEPT || oldest === undefined) return;
    const url = this.urlOf(oldest);
    if (url.value !== undefined) URL.revokeObjectURL(url.value);
    url.value = undefined;
    this.#outOfView.delete(oldest);
    this.#pictures--;
  }

  async #drawPages(pages: readonly number[]): Promise<void> {
    const { file, password } = this.#file;
    const { signal } = this.#ending;
    const opened = password.peek() === "" ? {} : { password: password.peek() };
    const params = { file, pages: pages.join(), width: Math.round(WIDTH * devicePixelRatio), ...opened };
    try {
      for await (const { page, blob } of client.renderPages(params, { signal })) {
        if (signal.aborted) return;
        this.urlOf(page).value = URL.createObjectURL(blob);
        this.#pictures++;
        this.#forgetOldest();
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ServiceError)) throw error;
      const failed = pages.find((page) => page === error.details.page);
      if (failed === undefined) {
        // The document cannot be drawn. The split itself will say why, if it fails too.
        this.#wanted.clear();
        return;
      }
      // A page that cannot be drawn keeps its place. Those after it are drawn next.
      for (const page of pages) if (page !== failed && !this.urlOf(page).peek()) this.#wanted.add(page);
    }
  }
}
