import { closeSync, openAsBlob, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { BlobSink } from "../../../workers/io/blob-sink.ts";
import { PdfDocument } from "../../../workers/pdf/file/document.ts";
import { protect } from "../../../workers/pdf/protect.ts";
import { split, splitFiles } from "../../../workers/pdf/split.ts";
import { unlock } from "../../../workers/pdf/unlock.ts";
import { contextOf } from "../../support/memory-context.ts";
import { FileSink, FileSource } from "./file-bytes.ts";
import type { ProcessMessage } from "./node-process.ts";
import { PASSWORD, selectionFor, type Task } from "./task.ts";

/** The process in which the engine runs once, from file to file: its memory is the engine's, and Node's, alone. */

const WRITE_STEP = 4 * 1024 * 1024;

const ignoreProgress = () => undefined;

async function work(task: Task): Promise<void> {
  const source = new FileSource(task.input);
  const newSink = () => new FileSink(join(task.output, "result.pdf"));
  const selection = { by: { kind: "pages", pages: selectionFor(task) }, name: "bench" } as const;
  switch (task.operation) {
    case "protect": {
      const sink = newSink();
      await protect(contextOf(source, sink), { password: PASSWORD });
      sink.close();
      break;
    }
    case "unlock": {
      const sink = newSink();
      await unlock(contextOf(source, sink), { password: PASSWORD });
      sink.close();
      break;
    }
    case "split":
      for await (const { content } of splitFiles(
        PdfDocument.open(source),
        selection,
        ignoreProgress,
        newSink,
      ))
        content.close();
      break;
    case "every page": {
      // As in the worker, with the input as a Blob on the disk and the archive as another.
      source.file = await openAsBlob(task.input);
      const sink = new BlobSink();
      await split(contextOf(source, sink), selection);
      await writeBlob(sink.toBlob(), join(task.output, "result.zip"));
    }
  }
  source.close();
}

async function writeBlob(blob: Blob, path: string): Promise<void> {
  const file = openSync(path, "w");
  for (let at = 0; at < blob.size; at += WRITE_STEP) {
    const bytes = new Uint8Array(await blob.slice(at, at + WRITE_STEP).arrayBuffer());
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  }
  closeSync(file);
}

function send(message: ProcessMessage): void {
  process.send?.(message);
}

process.on("message", async (task: Task) => {
  const start = performance.now();
  await work(task);
  send({ kind: "done", milliseconds: performance.now() - start });
});
send({ kind: "ready" });
