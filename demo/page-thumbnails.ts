import type { Client } from "../src/index.ts";
import { detectFormat } from "../src/shared/formats.ts";
import { element } from "./elements.ts";

const MOST = 24;
const DPI = 18;

/** Small pictures of a document's first pages, to choose from what to split off. */
export class PageThumbnails {
  readonly #list = element(document, "#split-thumbnails", HTMLOListElement);
  readonly #client: Client;
  readonly #onChoose: (page: number) => void;
  #shown: File | undefined;
  #making = new AbortController();
  #urls: string[] = [];

  /** @param onChoose called with a page's number when its picture is chosen */
  constructor(client: Client, onChoose: (page: number) => void) {
    this.#client = client;
    this.#onChoose = onChoose;
  }

  /** Shows a document's pages in place of those of the one before; none when there is no document. */
  show(file: File | undefined): void {
    if (file === this.#shown) return;
    this.#shown = file;
    this.#making.abort();
    this.#making = new AbortController();
    for (const download_url of this.#urls.splice(0)) this.#client.release({ download_url });
    this.#list.replaceChildren();
    if (file !== undefined) void this.#make(file, this.#making.signal);
  }

  async #make(file: File, signal: AbortSignal): Promise<void> {
    try {
      // Of an office file, the service would be asked: to choose a file is not to send it.
      if ((await detectFormat(file)) !== "pdf") return;
      for (let page = 1; page <= MOST; page++) {
        const picture = { file, output_format: "png", pages: String(page), dpi: DPI };
        const { download_url } = await this.#client.convert(picture, { signal });
        this.#urls.push(download_url);
        this.#list.append(this.#item(page, download_url));
      }
    } catch {
      // The last page is behind, or the file is none that can be shown: starting the work will say what it is.
    }
  }

  #item(page: number, url: string): HTMLLIElement {
    const button = document.createElement("button");
    const picture = document.createElement("img");
    picture.src = url;
    picture.alt = `Page ${page}`;
    button.type = "button";
    const number = document.createElement("span");
    number.textContent = String(page);
    // The picture says it already.
    number.ariaHidden = "true";
    button.append(picture, number);
    button.addEventListener("click", () => this.#onChoose(page));
    const item = document.createElement("li");
    item.append(button);
    return item;
  }
}
