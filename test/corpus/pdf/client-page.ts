import { createClient, ServiceError } from "../../../src/index.ts";
import type { PdfOperation } from "./subject.ts";

/** The page on which the real client meets the corpus. It fetches inputs from, and hands outputs to, the run. */

export interface PageRequest {
  readonly operation: PdfOperation;
  /** Where the run serves the input. */
  readonly inputUrl: string;
  /** Where the run takes the result. */
  readonly outputUrl: string;
}

export type PageAnswer =
  | { readonly kind: "file"; readonly fileName: string }
  | { readonly kind: "typed error"; readonly code: string; readonly message: string }
  | { readonly kind: "untyped error"; readonly message: string };

declare global {
  interface Window {
    /** Does one operation with the real client. */
    runOperation: (request: PageRequest) => Promise<PageAnswer>;
  }
}

const client = createClient();

function call(operation: PdfOperation, file: File) {
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

window.runOperation = async ({ operation, inputUrl, outputUrl }) => {
  const input = await fetch(inputUrl);
  const file = new File([await input.blob()], "corpus.pdf", { type: "application/pdf" });
  try {
    const result = await call(operation, file);
    const output = await fetch(result.download_url);
    await fetch(outputUrl, { method: "POST", body: await output.blob() });
    client.release(result);
    return { kind: "file", fileName: result.file_name };
  } catch (error) {
    if (error instanceof ServiceError) {
      return { kind: "typed error", code: error.code, message: error.message };
    }
    return { kind: "untyped error", message: String(error) };
  }
};

document.title = "ready";
