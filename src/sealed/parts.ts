import type { Fetch } from "../fetch/fetch.ts";
import { FACES } from "../shared/font-faces.ts";
import type { PartAnswer, PartRequest } from "../shared/sealing.ts";

/** Where the parts are. */
export interface PartFolders {
  readonly assetUrl: string;
  readonly fontUrl: string;
}

/**
 * Requests files of Stayput for sealed workers, which cannot. A worker names a file of a fixed list, and each is requested once. So
 * even hostile code tells the server next to nothing by its requests.
 */
export class Parts {
  readonly #folders: PartFolders;
  readonly #fetch: Fetch;
  readonly #known = new Map<string, RequestInit>();
  readonly #answers = new Map<string, Promise<PartAnswer>>();
  #failed: string[] = [];

  /** @param fetch the platform's */
  constructor(folders: PartFolders, fetch: Fetch) {
    this.#folders = folders;
    this.#fetch = fetch;
    const fonts = Object.values(FACES).flatMap(({ regular, bold }) => [regular, bold]);
    // Fonts never come from another origin than that of the folder, also not through a redirect.
    for (const name of fonts) this.#known.set(folders.fontUrl + name, { redirect: "error" });
  }

  /** Sets the files in `assetUrl` that workers may ask for, by their names. */
  allow(files: readonly string[]): void {
    for (const name of files) this.#known.set(this.#folders.assetUrl + name, {});
  }

  /** Lets workers ask once more for what could not be loaded. Called when the page starts a worker, which no worker decides. */
  retryFailed(): void {
    for (const address of this.#failed) this.#answers.delete(address);
    this.#failed = [];
  }

  /** Answers the requests that arrive at a port. */
  serve(port: MessagePort): void {
    port.onmessage = async ({ data, ports: [reply] }: MessageEvent<PartRequest>) => {
      if (reply === undefined) return;
      if (data === null) this.serve(reply);
      else reply.postMessage(await this.get(data));
    };
  }

  /** Returns a part by its URL. */
  get(address: string): Promise<PartAnswer> {
    const init = this.#known.get(address);
    if (init === undefined)
      return Promise.resolve({ failure: "a sealed worker can request files of Stayput only" });
    const known = this.#answers.get(address);
    if (known !== undefined) return known;
    const answer = this.#request(address, init).then((response) => {
      if ("failure" in response || response.status !== 200) this.#failed.push(address);
      return response;
    });
    this.#answers.set(address, answer);
    return answer;
  }

  async #request(address: string, init: RequestInit): Promise<PartAnswer> {
    // Not called as a method, which the platform's fetch forbids.
    const fetch = this.#fetch;
    try {
      const response = await fetch(address, init);
      const type = response.headers.get("Content-Type") ?? "";
      return { status: response.status, body: await response.blob(), type };
    } catch (thrown) {
      return { failure: String(thrown) };
    }
  }
}
