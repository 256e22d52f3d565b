import { writeFileSync } from "node:fs";
import { expect } from "vitest";
import type { FormatId } from "../../src/shared/formats.ts";
import type { ImageToPdfOptions } from "../../src/shared/protocol.ts";
import { imageToPdf } from "../../workers/image/to-pdf/image-to-pdf.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { MemorySink } from "./memory-sink.ts";
import { announceMissing, type Scratch } from "./native-tools.ts";
import { qpdfCheck } from "./oracles.ts";

/** The native tools that are missing for the tests of images in PDFs. */
export const missing = announceMissing("images as PDF", [
  "qpdf",
  "mutool",
  "pdftoppm",
  "pdfimages",
  "pdftotext",
  "pdfinfo",
  "vips",
]);

/** Converts an image to a PDF. */
export async function pdfOf(
  bytes: Uint8Array<ArrayBuffer>,
  format: FormatId,
  options: Omit<ImageToPdfOptions, "inputs"> = {},
): Promise<Uint8Array> {
  const source = bufferSource(bytes);
  const sink = new MemorySink();
  const file = new Blob([bytes]);
  const context = { open: () => source, sink, report: () => undefined, helpers: 0 };
  await imageToPdf(context, { inputs: [{ file, name: "image", format }], ...options });
  return sink.toBytes();
}

/** Returns a function that converts an image like {@link pdfOf}, checks the PDF by qpdf and returns its path. */
export function pdfChecker(scratch: Scratch): (...image: Parameters<typeof pdfOf>) => Promise<string> {
  return async (...image) => {
    const path = scratch.path("image.pdf");
    writeFileSync(path, await pdfOf(...image));
    const { verdict, complaint, pageCount } = await qpdfCheck(path);
    expect({ verdict, complaint, pageCount }).toEqual({ verdict: "ok", complaint: "", pageCount: 1 });
    return path;
  };
}
