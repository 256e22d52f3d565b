import { flattenPages, parsePageSelection, resolvePageSelection } from "../../src/shared/page-selection.ts";
import type { RotatedPagesOptions } from "../../src/shared/protocol.ts";
import { resolveRotation } from "../../src/shared/rotation.ts";
import type { ByteSink } from "../io/sink.ts";
import type { JobContext } from "../job-context.ts";
import { writeReachable } from "./copy/whole-document.ts";
import { extractPages } from "./features/document-writer.ts";
import { SourceDocument } from "./features/source-document.ts";
import { PdfDocument } from "./file/document.ts";
import { decryptForReading, withRebuild } from "./open.ts";
import { firstPages, readPages } from "./pages/page-tree.ts";

/**
 * Repairs a PDF: writes it anew, decrypted, without unreachable objects. With `pages`, writes only these pages. May rotate pages.
 *
 * @throws {ServiceError} `invalid_page_selection`, `password_required`, `wrong_password`, `unsupported_encryption`,
 *   `damaged_file`
 */
export async function repair(
  { source, sink, report }: JobContext<ByteSink>,
  options: RotatedPagesOptions,
): Promise<void> {
  const selection = options.pages === undefined ? undefined : parsePageSelection(options.pages);
  await withRebuild(PdfDocument.open(source), async (document) => {
    await decryptForReading(document, options.password);
    if (selection) {
      const original = new SourceDocument(document);
      const numbers = flattenPages(resolvePageSelection(selection, original.pages.length));
      const turns = resolveRotation(options.rotate, original.pages.length);
      await extractPages(original, numbers, sink, turns);
      report("working", numbers.length, numbers.length);
      return;
    }
    firstPages(document, 1);
    const { rotate } = options;
    const turns = rotate === undefined ? undefined : resolveRotation(rotate, readPages(document).length);
    await writeReachable({ document, sink, version: document.version, deflates: true, turns, report });
  });
}
