// The script of sealed.html, which the policy of that page allows by its hash. It starts workers for the page, and ends them.
// Their messages do not come through here. It encrypts and decrypts for workers that have no WebCrypto.
import type {
  AesAnswer,
  AesRequest,
  FrameOrder,
  FrameReady,
  SealedSetup,
  WorkerFault,
} from "../shared/sealing.ts";
import { VERSION } from "../shared/version.ts";

const { port1, port2 } = new MessageChannel();
const start = URL.createObjectURL(new Blob([textOf("start")], { type: "text/javascript" }));
const workers = new Map<number, Worker>();

port1.onmessage = ({ data }: MessageEvent<FrameOrder>) => {
  if ("end" in data) {
    workers.get(data.end)?.terminate();
    workers.delete(data.end);
    return;
  }
  const { start: id, setup } = data;
  const report = (message: string) => port1.postMessage({ fault: id, message } satisfies WorkerFault);
  try {
    // A classic script: Chromium starts no module worker from a Blob in a frame without an origin.
    const worker = new Worker(start);
    worker.onerror = (event) => {
      event.preventDefault();
      report(event.message ?? "");
    };
    workers.set(id, worker);
    const aes = aesPort();
    worker.postMessage({ ...setup, aes } satisfies SealedSetup, [
      setup.port,
      setup.parts,
      ...(aes ? [aes] : []),
    ]);
  } catch (thrown) {
    report(String(thrown));
  }
};

const ready: FrameReady = { stayputFrame: VERSION, files: JSON.parse(textOf("files")) };
// The page compares the sender. There is no name for an origin in a sandbox.
parent.postMessage(ready, "*", [port2]);

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
