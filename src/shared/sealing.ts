// The messages of sealed mode, between the page, its frame (src/sealed/frame.ts) and the workers in the frame
// (workers/sealed/start.ts).

/** The first message of the frame to the page. {@link FrameOrder}s and {@link FrameReport}s follow. */
export interface FrameReady {
  /** The version of the frame. */
  readonly stayputFrame: string;
  /** The names of the files in `assetUrl` that its workers may ask for. */
  readonly files: readonly string[];
}

/** An order of the page to the frame: to start a worker, to pass on a message to it, or to end it. */
export type FrameOrder =
  | { readonly start: number; readonly setup: SealedSetup }
  | { readonly to: number; readonly message: unknown }
  | { readonly end: number };

/** Tells the page that a worker has failed, or passes on its message. */
export type FrameReport =
  | { readonly fault: number; readonly reason: string }
  | { readonly from: number; readonly message: unknown };

/** The first message to a sealed worker. */
export interface SealedSetup {
  /** The code of `worker.js`. */
  readonly code: Blob;
  /** Takes {@link PartRequest}s. It leads to the page. */
  readonly parts: MessagePort;
  /** Takes {@link AesRequest}s. It leads to the frame. Absent where the frame has no WebCrypto, and for helpers. */
  readonly aes?: MessagePort | undefined;
}

/**
 * A request for a part by its URL, with a port for the {@link PartAnswer}. Or null, with a port that takes further requests: that of a
 * helper.
 */
export type PartRequest = string | null;

/** The response to a request for a part, or why there is none. */
export type PartAnswer =
  | { readonly status: number; readonly body: Blob; readonly type: string }
  | { readonly failure: string };

/**
 * A request of a worker for AES-CBC with PKCS #7 padding by the WebCrypto of the frame, with a port for the {@link AesAnswer}. In
 * Chromium, workers in the frame have no WebCrypto.
 */
export interface AesRequest {
  readonly direction: "encrypt" | "decrypt";
  readonly key: Uint8Array<ArrayBuffer>;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** The bytes for a request, or why there are none. */
export type AesAnswer = { readonly bytes: ArrayBuffer } | { readonly failure: string };

/** Asks the frame. A worker without WebCrypto has it as `globalThis.stayputAes`. Copies its input before it returns. */
export type FrameAes = (request: AesRequest) => Promise<ArrayBuffer>;

/** Tells the starter of a worker that the browser does not seal it. The worker has loaded no code then. */
export interface SealBroken {
  readonly stayputUnsealed: string;
}

/** Returns how the seal of a worker is broken, or undefined for another message. */
export function sealFlawIn(message: unknown): string | undefined {
  return typeof message === "object" && message !== null && "stayputUnsealed" in message
    ? String(message.stayputUnsealed)
    : undefined;
}
