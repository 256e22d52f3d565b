import { protect } from "../../workers/pdf/protect.ts";
import { split } from "../../workers/pdf/split.ts";
import { unlock } from "../../workers/pdf/unlock.ts";
import { type Measurement, PASSWORD, type Task } from "./contest.ts";
import { FileSink, FileSource } from "./file-bytes.ts";

/** The child process in which the engine runs once: its memory is the engine's alone. */

const ignoreProgress = () => undefined;

async function work({ operation, input, output, pages }: Task): Promise<number> {
  const source = new FileSource(input);
  let written = 0;
  const finish = (sink: FileSink) => {
    sink.close();
    written += sink.length;
  };
  const newSink = () => new FileSink(source, output);
  switch (operation) {
    case "protect": {
      const sink = newSink();
      await protect(source, sink, { password: PASSWORD }, ignoreProgress);
      finish(sink);
      break;
    }
    case "unlock": {
      const sink = newSink();
      await unlock(source, sink, { password: PASSWORD }, ignoreProgress);
      finish(sink);
      break;
    }
    case "split":
      for await (const { content } of split(source, newSink, { pages, name: "bench" }, ignoreProgress)) {
        finish(content);
      }
  }
  source.close();
  return written;
}

process.on("message", async (task: Task) => {
  const start = performance.now();
  const outputBytes = await work(task);
  const milliseconds = performance.now() - start;
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  const measurement: Measurement = { milliseconds, peakBytes, outputBytes };
  process.send?.(measurement, () => process.disconnect());
});
