import type { PagesOptions } from "../../src/shared/protocol.ts";
import { pdfToText, type TextContext } from "../../workers/render/pdf-to-text.ts";
import { CountingReader, ReadableBlob } from "./readable-blob.ts";

/** Reads the text of a PDF in Node. The test must mock `wasm-module.ts`, which loads PDFium in browsers. */
export async function textOf(
  bytes: Uint8Array<ArrayBuffer>,
  options: PagesOptions = {},
  more: Partial<TextContext> = {},
  mostBytes?: number,
): Promise<string> {
  const parts: Uint8Array[] = [];
  const context: TextContext = {
    file: new ReadableBlob(bytes),
    reader: new CountingReader(),
    sink: { write: (part) => parts.push(part) },
    report: () => {},
    deadline: () => {},
    ...more,
  };
  await pdfToText(context, options, mostBytes);
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
}
