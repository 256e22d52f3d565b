import type { Fetch } from "../fetch/fetch.ts";
import { ServiceError } from "../shared/errors.ts";
import { isPlatformError, withCause } from "../shared/failure.ts";
import { mixedVersions } from "../shared/load-failure.ts";
import type { FrameOrder, FrameReady, WorkerFault } from "../shared/sealing.ts";
import { VERSION } from "../shared/version.ts";

/** How long the script of a frame may take after the frame has loaded. Browsers load an error page in place of a blocked frame. */
const AFTER_LOAD_MS = 2_000;
/** How long a frame may take to load. */
const LOAD_MS = 30_000;

/** The frame of a client, with its workers. */
export class Seal {
  readonly files: readonly string[];
  readonly #element: HTMLIFrameElement;
  readonly #port: MessagePort;
  readonly #observer: MutationObserver;
  /** The listener for the failure of each worker, by its number. */
  readonly #workers = new Map<number, (message: string) => void>();
  #count = 0;

  constructor(element: HTMLIFrameElement, files: readonly string[], port: MessagePort) {
    this.#element = element;
    this.files = files;
    this.#port = port;
    port.onmessage = ({ data: { fault, message } }: MessageEvent<WorkerFault>) =>
      this.#workers.get(fault)?.(message);
    // The workers of a frame end with it, and the browser does not tell the page.
    this.#observer = new MutationObserver(() => {
      if (!this.isOpen) this.close();
    });
    if (element.parentNode !== null) this.#observer.observe(element.parentNode, { childList: true });
  }

  /** Whether the frame is in the page. */
  get isOpen(): boolean {
    return this.#element.isConnected;
  }

  /**
   * Starts a worker.
   *
   * @returns a function that ends it
   */
  start(setup: SetupOf, onFail: (message: string) => void): () => void {
    const id = this.#count++;
    this.#workers.set(id, onFail);
    const order: FrameOrder = { start: id, setup };
    this.#port.postMessage(order, [setup.port, setup.parts]);
    return () => {
      if (this.#workers.delete(id)) this.#port.postMessage({ end: id } satisfies FrameOrder);
    };
  }

  /** Removes the frame. Its workers fail. */
  close(): void {
    this.#observer.disconnect();
    this.#element.remove();
    for (const fail of this.#workers.values()) fail("the frame was removed from the page");
    this.#workers.clear();
  }
}

type SetupOf = Extract<FrameOrder, { readonly start: number }>["setup"];

/**
 * Opens the frame in which workers are sealed.
 *
 * @param url of sealed.html
 * @param fetch the platform's
 * @throws {ServiceError} `sealed_unavailable` if the browser or the policy of the page does not allow it
 */
export async function openSeal(url: string, fetch: Fetch): Promise<Seal> {
  if (globalThis.document === undefined) throw sealedUnavailable("There is no document here, so no frame.");
  if (!("sandbox" in HTMLIFrameElement.prototype))
    throw sealedUnavailable("This browser has no sandbox for frames.");
  const element = document.createElement("iframe");
  // Before the URL: a frame without it would be of the page's origin.
  element.setAttribute("sandbox", "allow-scripts");
  // Not the attribute "hidden", which styles of the app may override. The policy of a page does not concern this.
  element.style.setProperty("display", "none", "important");
  element.src = url;
  try {
    const { stayputFrame, files, port } = await readyFrame(element, reach(url, fetch));
    if (stayputFrame !== VERSION) throw mixedVersions(`The frame at ${url}`, stayputFrame);
    return new Seal(element, files, port);
  } catch (thrown) {
    element.remove();
    if (!(thrown instanceof FrameBlocked)) throw thrown;
    const { message, isByPolicy } = thrown;
    const advice = isByPolicy ? "Allow it." : await adviceFor(url, fetch);
    throw sealedUnavailable(`${message} ${advice} See ${GUIDE}`);
  }
}

/** The error of a frame that does not answer. */
class FrameBlocked extends Error {
  readonly isByPolicy: boolean;

  constructor(message: string, isByPolicy = false) {
    super(message);
    this.isByPolicy = isByPolicy;
  }
}

/** Requests the frame to find out why it does not answer: browsers do not tell scripts. */
async function adviceFor(url: string, fetch: Fetch): Promise<string> {
  try {
    const response = await fetch(url);
    const { status, headers } = response;
    if (status !== 200)
      return `The server answers with status ${status}. Copy the files there (npx stayput copy).`;
    if (!(await response.text()).includes("stayputFrame"))
      return "The server answers with another page. Copy the files there (npx stayput copy).";
    const sent = ["Content-Security-Policy", "X-Frame-Options"].filter((name) => headers.has(name));
    if (sent.length > 0) return `The server sends ${sent.join(" and ")} with it: send it without.`;
    return "The file is there. If the page sends Cross-Origin-Embedder-Policy, send it with the file, too.";
  } catch (thrown) {
    if (!isPlatformError(thrown)) throw thrown;
    return `It cannot be requested (${thrown}).`;
  }
}

/**
 * Rejects when the server of a frame cannot be reached. Browsers do not tell the page that a frame did not load, and no service
 * worker answers for a sandboxed frame, nor a HEAD request of the page.
 */
async function reach(url: string, fetch: Fetch): Promise<void> {
  await fetch(url, { method: "HEAD", mode: "no-cors", cache: "no-store" });
}

/**
 * Adds a frame to the page. Resolves with its first message.
 *
 * @param reaching rejects when the frame cannot be loaded
 */
function readyFrame(
  element: HTMLIFrameElement,
  reaching: Promise<void>,
): Promise<FrameReady & { readonly port: MessagePort }> {
  const listening = new AbortController();
  const { signal } = listening;
  return new Promise<FrameReady & { readonly port: MessagePort }>((resolve, reject) => {
    const failLater = (milliseconds: number, cause: string) => {
      const timer = setTimeout(() => reject(new FrameBlocked(cause)), milliseconds);
      signal.addEventListener("abort", () => clearTimeout(timer));
    };
    addEventListener(
      "message",
      ({ source, data, ports: [port] }: MessageEvent<FrameReady | undefined>) => {
        if (source !== element.contentWindow || data?.stayputFrame === undefined || port === undefined)
          return;
        resolve({ ...data, port });
      },
      { signal },
    );
    document.addEventListener(
      "securitypolicyviolation",
      ({ effectiveDirective, blockedURI }) => {
        if (effectiveDirective === "frame-src" && element.src.startsWith(blockedURI))
          reject(
            new FrameBlocked(
              `The Content-Security-Policy of the page forbids ${element.src} (frame-src).`,
              true,
            ),
          );
      },
      { signal },
    );
    element.addEventListener(
      "load",
      () => failLater(AFTER_LOAD_MS, `The frame at ${element.src} does not run.`),
      { signal },
    );
    failLater(LOAD_MS, `The frame at ${element.src} does not load.`);
    // Any failure of the platform's fetch.
    reaching.catch(() => reject(new FrameBlocked(`The frame at ${element.src} cannot be reached.`)));
    document.documentElement.append(element);
  }).finally(() => listening.abort());
}

const GUIDE = "https://github.com/stayput/stayput/blob/main/docs/recipes/sealed.md";

/** Returns the error for a page or a browser in which workers cannot be sealed. Nothing is done without the seal. */
export function sealedUnavailable(cause: string): ServiceError {
  return new ServiceError(
    "sealed_unavailable",
    "Your files were not touched: this browser or page cannot keep the work apart from the network. Use a current browser.",
    withCause(cause),
  );
}
