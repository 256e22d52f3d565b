import type { PagesOptions, PageText } from "../../src/shared/protocol.ts";
import { jobContext } from "../../workers/job-context.ts";
import { readText } from "../../workers/render/read-text.ts";
import { CountingReader, ReadableBlob } from "./readable-blob.ts";

/**
 * Reads pages of a PDF in Node. The test must mock `wasm-module.ts`, which loads PDFium in browsers.
 *
 * @param most how many pages the caller takes
 */
export async function pagesOf(
  bytes: Uint8Array<ArrayBuffer>,
  options: PagesOptions = {},
  most = Number.POSITIVE_INFINITY,
): Promise<readonly PageText[]> {
  const pages: PageText[] = [];
  const deliver = async (item: unknown) => pages.push(item as PageText) < most;
  const context = jobContext(new ReadableBlob(bytes), { reader: new CountingReader(), helpers: 0, deliver });
  await readText(context, options);
  return pages;
}
