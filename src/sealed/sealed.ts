import type { Fetch } from "../fetch/fetch.ts";
import type { WorkerSource } from "../pool/worker-source.ts";
import { ServiceError } from "../shared/errors.ts";
import { notLoaded } from "../shared/load-failure.ts";
import { postTo, sealFlawIn } from "../shared/sealing.ts";
import { Parts } from "./parts.ts";
import { openSeal, type Seal, sealedUnavailable } from "./seal.ts";

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

/** A worker in the frame. Its port leads to the page without a hop. */
class SealedWorker extends EventTarget implements Worker {
  onmessage: Worker["onmessage"] = null;
  onmessageerror: Worker["onmessageerror"] = null;
  onerror: Worker["onerror"] = null;
  readonly #port: MessagePort;
  #hasEnded = false;
  #end = () => {};

  /**
   * @param open opens the frame, or returns it
   * @param url of worker.js
   */
  constructor(open: () => Promise<Seal>, parts: Parts, url: string) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }) => {
      const flaw = sealFlawIn(data);
      if (flaw === undefined) this.dispatchEvent(new MessageEvent("message", { data }));
      else this.#fail(sealedUnavailable(flaw));
    };
    port1.onmessageerror = () => this.dispatchEvent(new MessageEvent("messageerror"));
    this.#start(open, parts, url, port2).catch((thrown) => this.#fail(thrown));
  }

  async #start(open: () => Promise<Seal>, parts: Parts, url: string, port: MessagePort): Promise<void> {
    const [seal, answer] = await Promise.all([open(), parts.get(url)]);
    if ("failure" in answer || answer.status !== 200) {
      const reason = "failure" in answer ? answer.failure : `status ${answer.status}`;
      throw await notLoaded({ part: "The worker", url, reason, directive: "connect-src" });
    }
    if (this.#hasEnded) return;
    const channel = new MessageChannel();
    parts.serve(channel.port1);
    const code = new Blob([answer.body], { type: "text/javascript" });
    this.#end = seal.start({ code, port, parts: channel.port2 }, (message) => this.#fail(message));
  }

  /** Messages wait in the port until the worker listens. */
  postMessage(message: unknown, options?: Transferable[] | StructuredSerializeOptions): void {
    postTo(this.#port, message, options);
  }

  terminate(): void {
    this.#hasEnded = true;
    this.#end();
    this.#port.close();
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
