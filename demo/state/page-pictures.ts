import { type Signal, signal } from "@preact/signals";
import { type Client, ServiceError } from "../../src/index.ts";
import { isWithin, type PageSpan, pagesOf } from "./grid-layout.ts";

/** Draws pages of one document, given as a page selection. */
export type DrawPages = (pages: string, signal: AbortSignal) => ReturnType<Client["renderPages"]>;

/** How many pages near the view are drawn before the next ones are chosen. */
const NEAR_AT_ONCE = 6;

/** The most pictures that are kept. Those that were near the view longest ago go first. */
const KEPT = 200;

/** How many milliseconds drawing has to end its page when nothing of it is in view any more. Then its worker is ended. */
const END_MS = 300;

const NONE: PageSpan = { first: 1, last: 0 };

/** Pages that are drawn by one call. */
interface Batch {
  /** The pages without a picture. */
  readonly left: Set<number>;
  readonly ending: AbortController;
}

/** The pictures of the pages of a document. Those in view are drawn first, then those near the view. */
export class PagePictures {
  readonly #drawPages: DrawPages;
  readonly #urls = new Map<number, Signal<string | undefined>>();
  /** The pages with a picture, those that were near the view longest ago first. */
  readonly #drawn = new Set<number>();
  /** The pages that cannot be drawn. */
  readonly #failed = new Set<number>();
  /** Whether drawing has ended because the engine is not stored and the device is offline. */
  readonly needsNetwork = signal(false);
  #view = NONE;
  #near = NONE;
  #batch: Batch | undefined;
  #isClosed = false;

  constructor(drawPages: DrawPages) {
    this.#drawPages = drawPages;
  }

  /** The blob URL of a page, once it is drawn. */
  urlOf(page: number): Signal<string | undefined> {
    const url = this.#urls.get(page) ?? signal(undefined);
    this.#urls.set(page, url);
    return url;
  }

  /** Says which pages are in view, and which are near. Drawing that concerns none of them ends. */
  show(view: PageSpan, near: PageSpan): void {
    this.#view = view;
    this.#near = near;
    for (const page of pagesOf(near)) if (this.#drawn.delete(page)) this.#drawn.add(page);
    const batch = this.#batch;
    if (batch === undefined) void this.#draw();
    else if (!this.#isWanted(batch)) {
      setTimeout(() => {
        if (!this.#isWanted(batch)) batch.ending.abort();
      }, END_MS);
    }
  }

  /** Draws the failed pages near the view. Call it when the network is back. */
  retry(): void {
    this.#failed.clear();
    this.needsNetwork.value = false;
    if (this.#batch === undefined) void this.#draw();
  }

  /** Stops drawing and frees the pictures. */
  close(): void {
    this.#isClosed = true;
    this.#batch?.ending.abort();
    for (const page of this.#drawn) this.#forget(page);
  }

  /** Returns the pages to draw next. */
  #next(): readonly number[] {
    const missing = (span: PageSpan) =>
      pagesOf(span).filter((page) => !this.#drawn.has(page) && !this.#failed.has(page));
    const inView = missing(this.#view);
    if (inView.length > 0) return inView;
    const { first, last } = this.#view;
    const distance = (page: number) => (page > last ? page - last : first - page);
    return missing(this.#near)
      .sort((one, other) => distance(one) - distance(other))
      .slice(0, NEAR_AT_ONCE)
      .sort((one, other) => one - other);
  }

  /** Whether a page of a batch would be chosen now. */
  #isWanted({ left }: Batch): boolean {
    return !this.#isClosed && this.#next().some((page) => left.has(page));
  }

  async #draw(): Promise<void> {
    try {
      for (let pages = this.#next(); pages.length > 0 && !this.#isClosed; pages = this.#next()) {
        this.#batch = { left: new Set(pages), ending: new AbortController() };
        await this.#drawBatch(this.#batch);
        if (this.needsNetwork.value) return;
      }
    } finally {
      this.#batch = undefined;
    }
  }

  async #drawBatch(batch: Batch): Promise<void> {
    const { left, ending } = batch;
    try {
      for await (const { page, blob } of this.#drawPages([...left].join(), ending.signal)) {
        if (this.#isClosed) return;
        left.delete(page);
        this.#keep(page, blob);
        if (!this.#isWanted(batch)) return;
      }
      for (const page of left) this.#failed.add(page);
    } catch (error) {
      if (ending.signal.aborted) return;
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === "offline") {
        this.needsNetwork.value = true;
        return;
      }
      const failed = [...left].filter((page) => page === error.details.page);
      // A page that cannot be drawn stays blank. An error without a page concerns the whole document, and the split will report it.
      for (const page of failed.length > 0 ? failed : left) this.#failed.add(page);
    }
  }

  #keep(page: number, picture: Blob): void {
    this.urlOf(page).value = URL.createObjectURL(picture);
    this.needsNetwork.value = false;
    this.#drawn.add(page);
    if (this.#drawn.size <= KEPT) return;
    const oldest = [...this.#drawn].find((one) => !isWithin(one, this.#near));
    if (oldest !== undefined) this.#forget(oldest);
  }

  #forget(page: number): void {
    const url = this.urlOf(page);
    if (url.value !== undefined) URL.revokeObjectURL(url.value);
    url.value = undefined;
    this.#drawn.delete(page);
  }
}
