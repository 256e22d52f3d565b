import type { Client, ServiceResult } from "../../src/index.ts";
import { serveRun } from "../support/browsers/serve-run.ts";
import type { MatrixJob } from "./matrix.ts";

/** The page on which the real client does one job of the matrix. */
serveRun<MatrixJob>((client, file, job) => {
  switch (job.operation) {
    case "protect":
      return client.protectPdf({ file, password: job.password });
    case "unlock":
      return client.unlockPdf({ file, password: job.password });
    case "split":
      return client.splitPdf({ file, ...job.by });
    case "join":
      return client.convert({ file: new Array<File>(job.count).fill(file), output_format: "pdf" });
    case "merge":
      return client.mergePdf({ file: [file, file] });
    case "clean":
      return client.cleanPdf({ file });
    case "render":
      return lastPage(client, file);
    case "convert":
      return client.convert({ file, output_format: job.to, max_width: job.max_width });
  }
});

/** The last of the pages that `renderPages` draws, as a result. */
async function lastPage(client: Client, file: File): Promise<ServiceResult> {
  let last = new Blob();
  for await (const { blob } of client.renderPages({ file, width: 96 })) last = blob;
  return { success: true, download_url: URL.createObjectURL(last), file_name: "last.png" };
}
