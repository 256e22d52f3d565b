import { flattenPages, parsePageSelection, resolvePageSelection } from "../../src/shared/page-selection.ts";
import type { NormalizeOptions } from "../../src/shared/protocol.ts";
import type { StreamContext } from "../job-context.ts";
import { openForReading } from "./open.ts";
import { extractPages } from "./pages/page-extractor.ts";
import { expectPages } from "./pages/page-tree.ts";
import { writeReachable } from "./pages/whole-document.ts";

/**
 * Rewrites a PDF: repaired, decrypted, without unreachable objects. With `pages`, writes only these pages.
 *
 * @throws {ServiceError} `invalid_page_selection`, `password_required`, `wrong_password`, `unsupported_encryption`,
 *   `damaged_file`
 */
export async function normalize(
  { source, sink, report }: StreamContext,
  options: NormalizeOptions,
): Promise<void> {
  const selection = options.pages === undefined ? undefined : parsePageSelection(options.pages);
  const document = await openForReading(source, options.password);
  if (selection) {
    const choose = (pageCount: number) => flattenPages(resolvePageSelection(selection, pageCount));
    const { length } = await extractPages(document, choose, sink);
    report("working", length, length);
    return;
  }
  expectPages(document);
  await writeReachable({ document, sink, version: document.version, deflates: true, report });
}
