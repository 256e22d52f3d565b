import { readFile, writeFile } from "node:fs/promises";
import { PDFDocument } from "@cantoo/pdf-lib";
import { answerRequests } from "../forked-program.ts";

/** The child process in which `@cantoo/pdf-lib` meets the corpus. */

export interface PdfLibRequest {
  readonly input: string;
  readonly password: string | undefined;
  /** Page numbers, counted from 1. */
  readonly first: number;
  readonly last: number;
  readonly output: string;
}

answerRequests(async ({ input, password, first, last, output }: PdfLibRequest) => {
  const opening = password === undefined ? {} : { password };
  const source = await PDFDocument.load(await readFile(input), { updateMetadata: false, ...opening });
  const target = await PDFDocument.create({ updateMetadata: false });
  const indices = Array.from({ length: last - first + 1 }, (_, index) => first - 1 + index);
  for (const page of await target.copyPages(source, indices)) target.addPage(page);
  await writeFile(output, await target.save());
  return [output];
});
