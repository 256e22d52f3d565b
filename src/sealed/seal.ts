import type { Fetch } from "../fetch/fetch.ts";
import { ServiceError } from "../shared/errors.ts";
import { isPlatformError, withCause } from "../shared/failure.ts";
import { mixedVersions } from "../shared/load-failure.ts";
import type { FrameOrder, FrameReady, FrameReport, SealedSetup } from "../shared/sealing.ts";
import { VERSION } from "../shared/version.ts";

/** How long the script of a frame may take after the frame has loaded. Browsers load an error page in place of a blocked frame. */
const AFTER_LOAD_MS = 2_000;
/** How long a frame may take to load. */
const LOAD_MS = 30_000;

/** Gets what a worker in the frame sends. */
export interface SealedListener {
  readonly onMessage: (message: unknown) => void;
  readonly onFault: (reason: string) => void;
}

/** A worker in the frame. */
export interface WorkerInFrame {
  post(message: unknown, moved: Transferable[]): void;
  end(): void;
}

/**
 * The frame of a client, with its workers. Their messages go through its window: a Blob that goes through a message port instead
 * cannot be read in parts in Firefox 153, if it is in memory and has more than a megabyte.
 */
export class Seal {
  readonly files: readonly string[];
  readonly #element: HTMLIFrameElement;
  readonly #observer: MutationObserver;
  readonly #closing = new AbortController();
  /** The listener of each worker, by its number. */
  readonly #workers = new Map<number, SealedListener>();
  #count = 0;

  constructor(element: HTMLIFrameElement, files: readonly string[]) {
    this.#element = element;
    this.files = files;
    const options = { signal: this.#closing.signal };
    const listen = (type: "message" | "messageerror", take: (report: FrameReport) => void) =>
      addEventListener(
        type,
        (event: MessageEvent<FrameReport>) => {
          if (event.source === element.contentWindow) take(event.data);
        },
        options,
      );
    listen("message", (report) => {
      if ("from" in report) this.#workers.get(report.from)?.onMessage(report.message);
      else this.#workers.get(report.fault)?.onFault(report.reason);
    });
    listen("messageerror", () => this.#fail("a message of the frame could not be read"));
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

  /** Starts a worker. */
  start(setup: SealedSetup, listener: SealedListener): WorkerInFrame {
    const id = this.#count++;
    this.#workers.set(id, listener);
    this.#order({ start: id, setup }, [setup.parts]);
    return {
      post: (message, moved) => this.#order({ to: id, message }, moved),
      end: () => {
        if (this.#workers.delete(id)) this.#order({ end: id }, []);
      },
    };
  }

  /** Removes the frame. Its workers fail. */
  close(): void {
    this.#observer.disconnect();
    this.#closing.abort();
    this.#element.remove();
    this.#fail("the frame was removed from the page");
  }

  #order(order: FrameOrder, moved: Transferable[]): void {
    // There is no name for the origin of the frame. Only scripts of the page can load another document in it.
    this.#element.contentWindow?.postMessage(order, "*", moved);
  }

  #fail(reason: string): void {
    for (const { onFault } of this.#workers.values()) onFault(reason);
    this.#workers.clear();
  }
}

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
    const { stayputFrame, files } = await readyFrame(element, reach(url, fetch));
    if (stayputFrame !== VERSION) throw mixedVersions(`The frame at ${url}`, stayputFrame);
    return new Seal(element, files);
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
    const type = headers.get("Content-Type") ?? "no type";
    if (!/^text\/html/i.test(type)) return `The server sends it as ${type}: send it as text/html.`;
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
function readyFrame(element: HTMLIFrameElement, reaching: Promise<void>): Promise<FrameReady> {
  const listening = new AbortController();
  const { signal } = listening;
  return new Promise<FrameReady>((resolve, reject) => {
    const failLater = (milliseconds: number, cause: string) => {
      const timer = setTimeout(() => reject(new FrameBlocked(cause)), milliseconds);
      signal.addEventListener("abort", () => clearTimeout(timer));
    };
    addEventListener(
      "message",
      ({ source, data }: MessageEvent<FrameReady | undefined>) => {
        if (source === element.contentWindow && data?.stayputFrame !== undefined) resolve(data);
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
