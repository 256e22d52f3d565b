// The script of sealed.html, which the policy of that page allows by its hash. It starts workers for the page, and ends them.
// Their messages do not come through here.
import type { FrameOrder, FrameReady, WorkerFault } from "../shared/sealing.ts";
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
    worker.postMessage(setup, [setup.port, setup.parts]);
  } catch (thrown) {
    report(String(thrown));
  }
};

const ready: FrameReady = { stayputFrame: VERSION, files: JSON.parse(textOf("files")) };
// The page compares the sender. There is no name for an origin in a sandbox.
parent.postMessage(ready, "*", [port2]);

/** Returns the text of an element of sealed.html. scripts/sealed-page.mjs writes it. */
function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}
