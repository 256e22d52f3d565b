import type { Turns } from "../../../src/shared/rotation.ts";
import type { ByteSink } from "../../io/sink.ts";
import { OutputNames } from "../copy/output-names.ts";
import { FileWriter, laterVersion } from "../file/file-writer.ts";
import type { WorkBudget } from "../file/work-budget.ts";
import type { PdfRef } from "../syntax/objects.ts";
import { MERGED_VERSION } from "./catalog-entries.ts";
import { ChosenPages, type EarlierPages } from "./chosen-pages.ts";
import { DESCRIBING_FEATURES, FEATURES } from "./features.ts";
import { OutputDocument } from "./output-document.ts";
import { writeBlankPage, writePages, writeType3Fonts } from "./part-content.ts";
import { partOf } from "./part-objects.ts";
import type { SourceDocument } from "./source-document.ts";

/**
 * Writes a document of some pages of another, in the given order, with all objects that they need and nothing of other
 * pages.
 *
 * @param numbers page numbers, counted from 1
 * @param turns how pages are rotated. Default: not at all
 * @throws {ServiceError} with `details.page` when the content of a page cannot be copied
 */
export async function extractPages(
  source: SourceDocument,
  numbers: readonly number[],
  sink: ByteSink,
  turns?: Turns,
): Promise<void> {
  const { version, usesObjectStreams: pack } = source.document;
  const names = new OutputNames();
  const writer = new DocumentWriter(sink, pack ? laterVersion(version, "1.5") : version, pack, names);
  await writer.add(
    source,
    numbers.map((number) => number - 1),
    { turns },
  );
  await writer.end();
}

/** Returns the writer of a document of pages of several documents. They must stay readable until the end. */
export function mergedDocumentWriter(sink: ByteSink, title?: string): DocumentWriter {
  return new DocumentWriter(sink, MERGED_VERSION, true, new OutputNames(true), title);
}

interface PartOptions {
  readonly title?: string | undefined;
  readonly turns?: Turns | undefined;
  /** The pages of the document that the output has already, by their indices. Default: none. */
  readonly earlier?: EarlierPages | undefined;
  /** Adds an empty page if the number of pages is odd. Default: no page. */
  readonly blank?: "odd" | undefined;
}

/** Writes a document of parts of documents. */
export class DocumentWriter {
  readonly #output: OutputDocument;
  readonly #features = FEATURES.map((feature) => feature.begin());
  readonly #describing = DESCRIBING_FEATURES.map((feature) => feature.begin());
  #budget: WorkBudget | undefined;

  constructor(sink: ByteSink, version: string, pack: boolean, names: OutputNames, title?: string) {
    const account = (bytes: number) => this.#budget?.charge("writtenByte", bytes);
    this.#output = new OutputDocument(new FileWriter(sink, version, { pack, account }), names, title);
  }

  /**
   * Adds pages of a document.
   *
   * @param indices the indices of the pages, in the order of the output
   * @param options the title of the document in the outline, how pages are rotated, which the output has already, and
   *   whether an empty page follows
   * @returns the pages in the output
   * @throws {ServiceError} with `details.page` when the content of a page cannot be copied
   */
  async add(
    source: SourceDocument,
    indices: readonly number[],
    { title = "", turns, earlier, blank }: PartOptions = {},
  ): Promise<readonly PdfRef[]> {
    this.#budget = source.document.budget;
    this.#budget.replenish();
    const part = partOf(new ChosenPages(source, indices, { turns, earlier }), this.#output);
    const pages = await writePages(part);
    for (const page of pages) this.#output.pages.push(page);
    if (blank === "odd" && pages.length % 2 === 1) writeBlankPage(part);
    for (const feature of this.#features) await feature.add(part, { title, pages });
    // All text is known now.
    await writeType3Fonts(part);
    for (const feature of this.#describing) await feature.add(part, { title, pages });
    await part.copier.copyReached();
    this.#output.names.nextDocument(part.structureKeys);
    return pages;
  }

  /** Sets the order of the pages, which are those that were added. */
  arrange(pages: readonly PdfRef[]): void {
    const { pages: all } = this.#output;
    all.length = 0;
    for (const page of pages) all.push(page);
  }

  /** Writes the catalog and the end of the file. */
  async end(): Promise<void> {
    for (const feature of [...this.#features, ...this.#describing]) feature.end(this.#output);
    await this.#output.end();
  }
}
