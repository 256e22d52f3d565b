import type { Client } from "../../../src/index.ts";
import { serveRun } from "../../support/browsers/serve-run.ts";
import type { PdfOperation } from "./subject.ts";

/** The page on which the real client processes the PDFs of the corpus. */

function call(client: Client, file: File, operation: PdfOperation) {
  const { kind, ...fields } = operation;
  switch (operation.kind) {
    case "protect":
      return client.protectPdf({ file, password: operation.password });
    case "unlock":
      return client.unlockPdf({ file, password: operation.password });
    case "split":
      return client.splitPdf({ file, ...fields, pages: operation.pages });
    case "rewrite":
      return client.convert({ file, output_format: "pdf", ...fields });
  }
}

serveRun(call);
