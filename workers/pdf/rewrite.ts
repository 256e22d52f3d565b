import { flattenPages, parsePageSelection, resolvePageSelection } from "../../src/pages.ts";
import type { ByteSink } from "./bytes/sink.ts";
import type { ByteSource } from "./bytes/source.ts";
import type { PdfDocument } from "./file/document.ts";
import { FileWriter, laterVersion } from "./file/file-writer.ts";
import { SECTION_KEYS } from "./file/read-cross-reference.ts";
import type { Report } from "./job.ts";
import { openForReading } from "./open.ts";
import { ObjectCopier } from "./pages/object-copier.ts";
import { PageExtractor } from "./pages/page-extractor.ts";
import { expectPages } from "./pages/page-tree.ts";
import { PdfDict } from "./syntax/objects.ts";

/**
 * Writes a PDF anew: repaired, not encrypted, without what nothing leads to; with `pages`, only those.
 *
 * @throws ServiceError `invalid_page_selection`, `password_required`, `wrong_password`, `unsupported_encryption`,
 *   `damaged_file`
 */
export async function rewrite(
  source: ByteSource,
  sink: ByteSink,
  options: { readonly pages?: string | undefined; readonly password?: string | undefined },
  report: Report,
): Promise<void> {
  const selection = options.pages === undefined ? undefined : parsePageSelection(options.pages);
  const document = openForReading(source, options.password);
  if (selection) {
    const extractor = new PageExtractor(document);
    const numbers = flattenPages(resolvePageSelection(selection, extractor.pages.length));
    await extractor.extract(numbers, sink);
    report("working", numbers.length, numbers.length);
    return;
  }
  expectPages(document);
  await writeReachable(document, sink);
  report("working", source.size, source.size);
}

async function writeReachable(document: PdfDocument, sink: ByteSink): Promise<void> {
  const pack = [...document.crossReference.entries()].some(([, entry]) => entry.kind === "packed");
  const version = pack ? laterVersion(document.version, "1.5") : document.version;
  const writer = new FileWriter(document.source, sink, version, { pack });
  const copier = new ObjectCopier(document, writer, { travels: () => true, prepare: (object) => object });
  const trailer = new PdfDict();
  for (const [key, value] of document.trailer.entries) {
    if (key !== "Encrypt" && !SECTION_KEYS.has(key)) trailer.set(key, copier.map(value));
  }
  await copier.copyReached();
  await writer.end(trailer);
}
