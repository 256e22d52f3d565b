import { FORMATS } from "../../src/shared/formats.ts";
import type { MergeOptions } from "../../src/shared/protocol.ts";
import { CallBudget } from "../call-budget.ts";
import { BlobSink } from "../io/blob-sink.ts";
import type { JobContext } from "../job-context.ts";
import { merge } from "../pdf/merge.ts";

/**
 * Merges PDFs and images into one PDF. An image becomes a page as in a conversion.
 *
 * @throws {ServiceError} the errors of `merge` and of the conversion of images
 */
export async function mergeFiles(context: JobContext, { inputs, ...options }: MergeOptions): Promise<void> {
  const images = inputs.filter(({ format }) => format !== "pdf");
  const budget = CallBudget.forDecoding(images.map(({ file }) => file));
  const documents = inputs.map((input) => {
    const { file, name, format, pages, rotate, password } = input;
    const document = { title: name, size: file.size };
    if (format === "pdf")
      return { ...document, open: async () => context.open(file), pages, rotate, password };
    // Kept, because a merge opens all files again when one turns out to be damaged.
    let converted: Promise<Blob> | undefined;
    const open = async () => {
      converted ??= pdfOfImage(input, context, budget);
      return context.open(await converted);
    };
    return { ...document, open };
  });
  await merge(context, documents, options);
}

async function pdfOfImage(
  input: MergeOptions["inputs"][number],
  context: JobContext,
  budget: CallBudget,
): Promise<Blob> {
  const { imageToPdf } = await import("../image/to-pdf/image-to-pdf.ts");
  const sink = new BlobSink();
  const withoutProgress = { ...context, sink, report: () => {}, budget };
  await imageToPdf(withoutProgress, { inputs: [input], pages: input.pages, rotate: input.rotate });
  return sink.toBlob(FORMATS.pdf.mime);
}
