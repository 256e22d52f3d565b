import { type Client, ServiceError } from "../src/index.ts";
import { detectFormat } from "../src/shared/format-detection.ts";
import { element } from "./elements.ts";

const MOST = 24;
const DPI = 18;

/** Small pictures of the first pages of a document, to choose pages for a split. */
export class PageThumbnails {
  readonly #list = element(document, "#split-thumbnails", HTMLOListElement);
  readonly #client: Client;
  readonly #onChoose: (page: number) => void;
  #shown: File | undefined;
  #making = new AbortController();
  #urls: string[] = [];

  /** @param onChoose called with the page number when a picture is clicked */
  constructor(client: Client, onChoose: (page: number) => void) {
    this.#client = client;
    this.#onChoose = onChoose;
  }

  /** Shows the pages of a document, or none. Removes those of the previous document. */
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
      // An office file would be sent to the service. Choosing a file must not send it.
      if ((await detectFormat(file)) !== "pdf") return;
      for (let page = 1; page <= MOST; page++) {
        const picture = { file, output_format: "png", pages: String(page), dpi: DPI };
        const { download_url } = await this.#client.convert(picture, { signal });
        this.#urls.push(download_url);
        this.#list.append(this.#item(page, download_url));
      }
    } catch (thrown) {
      if (!(thrown instanceof ServiceError) && !signal.aborted) throw thrown;
      // There is no further page, or the file cannot be drawn. The operation will report an error of the file.
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
    // Screen readers already read the `alt` text.
    number.ariaHidden = "true";
    button.append(picture, number);
    button.addEventListener("click", () => this.#onChoose(page));
    const item = document.createElement("li");
    item.append(button);
    return item;
  }
}
