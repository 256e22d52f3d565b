import { readFile, writeFile } from "node:fs/promises";
import { PDFDocument } from "@cantoo/pdf-lib";
import { answerRequests } from "./forked-program.ts";

/** The child process in which `@cantoo/pdf-lib` makes a document of the pages of others. */

export interface PdfLibRequest {
  readonly documents: readonly {
    readonly path: string;
    readonly password: string | undefined;
    /** The indices of the pages; all when absent. */
    readonly indices: readonly number[] | undefined;
  }[];
  readonly output: string;
}

answerRequests(async ({ documents, output }: PdfLibRequest) => {
  const target = await PDFDocument.create({ updateMetadata: false });
  for (const { path, password, indices } of documents) {
    const opening = password === undefined ? {} : { password };
    const source = await PDFDocument.load(await readFile(path), { updateMetadata: false, ...opening });
    const pages = await target.copyPages(source, [...(indices ?? source.getPageIndices())]);
    for (const page of pages) target.addPage(page);
  }
  await writeFile(output, await target.save());
  return [output];
});
