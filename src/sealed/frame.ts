// The script of sealed.html, which the policy of that page allows by its hash. It starts workers for the page, and ends them.
// It passes on their messages, and encrypts and decrypts for workers that have no WebCrypto.
import type {
  AesAnswer,
  AesRequest,
  FrameOrder,
  FrameReady,
  FrameReport,
  SealedSetup,
} from "../shared/sealing.ts";
import { VERSION } from "../shared/version.ts";

const start = URL.createObjectURL(new Blob([textOf("start")], { type: "text/javascript" }));
const workers = new Map<number, Worker>();

addEventListener("message", ({ source, data, ports }: MessageEvent<FrameOrder>) => {
  // Other frames of the page could send messages, too.
  if (source !== parent) return;
  if ("start" in data) startWorker(data.start, data.setup);
  else if ("to" in data) workers.get(data.to)?.postMessage(data.message, [...ports]);
  else {
    workers.get(data.end)?.terminate();
    workers.delete(data.end);
  }
});

tellPage({ stayputFrame: VERSION, files: JSON.parse(textOf("files")) });

function startWorker(id: number, setup: SealedSetup): void {
  const fail = (reason: string) => tellPage({ fault: id, reason });
  try {
    // A classic script: Chromium starts no module worker from a Blob in a frame without an origin.
    const worker = new Worker(start);
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message ?? "");
    };
    worker.onmessageerror = () => fail("A message of the worker could not be read.");
    worker.onmessage = ({ data, ports }) => tellPage({ from: id, message: data }, [...ports]);
    workers.set(id, worker);
    const aes = aesPort();
    worker.postMessage({ ...setup, aes } satisfies SealedSetup, [setup.parts, ...(aes ? [aes] : [])]);
  } catch (thrown) {
    fail(String(thrown));
  }
}

function tellPage(message: FrameReady | FrameReport, moved: Transferable[] = []): void {
  // The page compares the sender. There is no name for an origin in a sandbox.
  parent.postMessage(message, "*", moved);
}

/** Returns a port that answers the requests of a worker; undefined on plain HTTP, where the frame has no WebCrypto. */
function aesPort(): MessagePort | undefined {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (subtle === undefined) return undefined;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = async ({ data, ports: [reply] }: MessageEvent<AesRequest>) => {
    const { direction, key, iv, data: bytes } = data;
    const answer = await subtle
      .importKey("raw", key, "AES-CBC", false, [direction])
      .then((imported) => subtle[direction]({ name: "AES-CBC", iv }, imported, bytes))
      .then(
        (made): AesAnswer => ({ bytes: made }),
        (thrown): AesAnswer => ({ failure: String(thrown) }),
      );
    reply?.postMessage(answer, "bytes" in answer ? [answer.bytes] : []);
  };
  return port2;
}

/** Returns the text of an element of sealed.html. scripts/sealed-page.mjs writes it. */
function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}
