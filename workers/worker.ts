import { expose, type Remote, releaseProxy } from "comlink";
import type { Outcome, WorkerApi, WorkerMessage } from "../src/shared/protocol.ts";
import { throttledReport } from "../src/shared/throttled-report.ts";
import { runJob } from "./engines.ts";
import { help } from "./helper-tasks.ts";
import { jobFailure } from "./io/read-failure.ts";

const api: WorkerApi & { readonly help: typeof help } = {
  async run(job, grant, onMessage: Remote<(message: WorkerMessage) => void>): Promise<Outcome> {
    let heard: Promise<unknown> = Promise.resolve();
    const tell = (message: WorkerMessage) => {
      heard = onMessage(message);
    };
    const report = throttledReport(tell);
    // Also tells the page that the worker is there.
    report("reading", 0, job.file.size);
    try {
      const file = await runJob(job, {
        ...grant,
        reader: new FileReaderSync(),
        report,
        deadline: (deadline) => tell({ deadline }),
      });
      // The outcome takes another way, and would overtake the last message, which may be of missing fonts.
      await heard;
      return { ok: true, file };
    } catch (thrown) {
      return { ok: false, error: (await jobFailure(thrown, job)).toWire() };
    } finally {
      // Otherwise every job would leave a pair of message ports behind.
      onMessage[releaseProxy]();
    }
  },
  help,
};

expose(api);
