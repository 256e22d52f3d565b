import { expose } from "comlink";
import type { Outcome, WorkerApi, WorkerMessage } from "../src/shared/protocol.ts";
import { throttledReport } from "../src/shared/throttled-report.ts";
import { type Goodbye, type Hello, VERSION } from "../src/shared/version.ts";
import { runJob } from "./engines.ts";
import { help } from "./helper-tasks.ts";
import { setAssetUrl } from "./io/assets.ts";
import { jobFailure } from "./io/read-failure.ts";
import { pageMessages } from "./page-messages.ts";

const api: WorkerApi & { readonly help: typeof help } = {
  async run(job, grant, page): Promise<Outcome> {
    const post = pageMessages(page, (delivery) => postMessage(delivery));
    let answered: Promise<unknown> = Promise.resolve();
    const send = (message: WorkerMessage) => {
      answered = post(message);
    };
    const report = throttledReport(send);
    report("reading", 0, job.file.size);
    setAssetUrl(grant.assetUrl);
    try {
      const output = await runJob(job, {
        ...grant,
        reader: new FileReaderSync(),
        report,
        deadline: (deadline) => send({ deadline }),
        deliver: (delivered) => post({ delivered }),
      });
      // The outcome uses another port, and could overtake the last message, which may report missing fonts.
      await answered;
      return output instanceof Blob ? { ok: true, file: output } : { ok: true, value: output };
    } catch (thrown) {
      return { ok: false, error: (await jobFailure(thrown, job)).toWire() };
    } finally {
      page.close();
    }
  },
  help,
};

expose(api);
// An app's own worker may end itself. The browser does not tell the page, whose call would never settle.
const close = globalThis.close.bind(globalThis);
globalThis.close = () => {
  postMessage({ stayputEnded: true } satisfies Goodbye);
  close();
};
// Shows the page that the worker is loaded, and whether it is of the same version. comlink ignores the message.
postMessage({ stayput: VERSION } satisfies Hello);
