import type { Fetch } from "../fetch/fetch.ts";
import type { WorkerSource } from "../pool/worker-source.ts";
import { ServiceError } from "../shared/errors.ts";
import { notLoaded } from "../shared/load-failure.ts";
import { sealFlawIn } from "../shared/sealing.ts";
import { Parts } from "./parts.ts";
import { openSeal, type Seal, sealedUnavailable, type WorkerInFrame } from "./seal.ts";

const WORKER = "worker.js";

/** The parts of a client that its sealed workers use. */
export interface SealHost {
  readonly assetUrl: string | undefined;
  readonly fontUrl: string | undefined;
  /** Aborted when the client is closed. */
  readonly closing: AbortSignal;
  readonly platformFetch: Fetch;
}

/**
 * Returns how sealed workers start. They are like others for the pool. The first one opens a frame, in which all of them are.
 */
export function sealedSource({
  closing,
  platformFetch,
  assetUrl = "",
  fontUrl = "",
}: SealHost): WorkerSource {
  const parts = new Parts({ assetUrl, fontUrl }, platformFetch);
  // Requested while the frame loads.
  parts.allow([WORKER]);
  let opening: Promise<Seal> | undefined;
  let seal: Seal | undefined;
  const open = async () => {
    if (seal?.isOpen === false) {
      opening = undefined;
      seal = undefined;
    }
    opening ??= openSeal(`${assetUrl}sealed.html`, platformFetch);
    try {
      seal = await opening;
    } catch (thrown) {
      // The page may have changed by the next call.
      opening = undefined;
      throw thrown;
    }
    if (closing.aborted) seal.close();
    parts.allow(seal.files);
    return seal;
  };
  closing.addEventListener("abort", () => seal?.close());
  return () => {
    parts.retryFailed();
    return new SealedWorker(open, parts, assetUrl + WORKER);
  };
}

/** A worker in the frame. */
class SealedWorker extends EventTarget implements Worker {
  onmessage: Worker["onmessage"] = null;
  onmessageerror: Worker["onmessageerror"] = null;
  onerror: Worker["onerror"] = null;
  /** The messages before it has started. */
  readonly #early: [message: unknown, moved: Transferable[]][] = [];
  #started: WorkerInFrame | undefined;
  #hasEnded = false;

  /**
   * @param open opens the frame, or returns it
   * @param url of worker.js
   */
  constructor(open: () => Promise<Seal>, parts: Parts, url: string) {
    super();
    this.#start(open, parts, url).catch((thrown) => this.#fail(thrown));
  }

  async #start(open: () => Promise<Seal>, parts: Parts, url: string): Promise<void> {
    const [seal, answer] = await Promise.all([open(), parts.get(url)]);
    if ("failure" in answer || answer.status !== 200) {
      const reason = "failure" in answer ? answer.failure : `status ${answer.status}`;
      throw await notLoaded({ part: "The worker", url, reason, directive: "connect-src" });
    }
    if (this.#hasEnded) return;
    const channel = new MessageChannel();
    parts.serve(channel.port1);
    const code = new Blob([answer.body], { type: "text/javascript" });
    this.#started = seal.start(
      { code, parts: channel.port2 },
      { onMessage: (data) => this.#receive(data), onFault: (reason) => this.#fail(reason) },
    );
    for (const [message, moved] of this.#early) this.#started.post(message, moved);
  }

  postMessage(message: unknown, options: Transferable[] | StructuredSerializeOptions = []): void {
    const moved = Array.isArray(options) ? options : (options.transfer ?? []);
    if (this.#started === undefined) this.#early.push([message, moved]);
    else this.#started.post(message, moved);
  }

  terminate(): void {
    this.#hasEnded = true;
    this.#started?.end();
  }

  #receive(data: unknown): void {
    if (this.#hasEnded) return;
    const flaw = sealFlawIn(data);
    if (flaw === undefined) this.dispatchEvent(new MessageEvent("message", { data }));
    else this.#fail(sealedUnavailable(flaw));
  }

  /** Dispatches the error event of a worker. */
  #fail(reason: unknown): void {
    if (this.#hasEnded) return;
    const error = reason instanceof ServiceError ? reason : undefined;
    const event = new Event("error", { cancelable: true });
    // Not an ErrorEvent, which Node lacks.
    this.dispatchEvent(Object.assign(event, { message: String(reason), error }));
  }
}
