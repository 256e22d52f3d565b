import { ServiceError } from "../../src/shared/errors.ts";
import { FORMATS } from "../../src/shared/formats.ts";
import {
  flattenPages,
  type PageItem,
  parsePageSelection,
  resolvePageSelection,
} from "../../src/shared/page-selection.ts";
import type { RotatedPagesOptions } from "../../src/shared/protocol.ts";
import { resolveRotation, type Turn } from "../../src/shared/rotation.ts";
import { isLimitReached, MOST_PDFIUM_MEMORY } from "../call-budget.ts";
import { BlobSink } from "../io/blob-sink.ts";
import { BlobSource, type SyncReader } from "../io/blob-source.ts";
import type { ByteSink } from "../io/sink.ts";
import type { JobContext } from "../job-context.ts";
import { extractPages } from "../pdf/features/document-writer.ts";
import { LayerStates } from "../pdf/features/layers/layer-states.ts";
import { SourceDocument } from "../pdf/features/source-document.ts";
import { PdfDocument } from "../pdf/file/document.ts";
import { decryptForReading, withRebuild } from "../pdf/open.ts";
import { type Page, readPages } from "../pdf/pages/page-tree.ts";
import { dictOf } from "../pdf/syntax/objects.ts";
import { EngineFailure, PdfiumEngine } from "./engine.ts";
import { LONGEST_FILE } from "./file-access.ts";
import { OpenPdf } from "./open-pdf.ts";
import { HangGuard, tooLong, tooSlowToOpen } from "./page-failures.ts";
import type { OpenableFile } from "./watched-pdf.ts";

/** A page to render. */
export interface WantedPage {
  /** The page number in the document, from 1, also for messages. */
  readonly number: number;
  /** The page index in the rendered file, from 0. */
  readonly index: number;
  /** The length of a user unit, in 1/72 inch. */
  readonly userUnit: number;
  /** The indices in `Annots`, from 0, of annotations on hidden layers. They are not drawn. */
  readonly hidden: readonly number[];
  /** How the page is rotated, in addition to its own rotation. Default: not at all. */
  readonly turn?: Turn | undefined;
}

/** A file that PDFium opens, and the pages to render. */
export interface RenderingPlan extends OpenableFile {
  /** The number of pages in the document, including those that are not rendered. */
  readonly pageCount: number;
  readonly pages: readonly WantedPage[];
  /** The document as our own parser reads it; undefined if only PDFium can read it. */
  readonly read: ReadDocument | undefined;
}

/** The document as our own parser reads it. */
export interface ReadDocument {
  readonly document: PdfDocument;
  readonly pages: readonly Page[];
  readonly layers: LayerStates | undefined;
}

/**
 * Returns the file and the pages to render. PDFium renders the original file when it reads the same pages as our own
 * parser. Otherwise, our parser writes a new file with the requested pages only. Examples are a damaged file and a
 * password in an unusual form. A file that only PDFium can open is rendered as PDFium reads it. A file that reaches a limit
 * of our parser is not rendered.
 *
 * @throws {ServiceError} `password_required`, `wrong_password`, `unsupported_encryption`, `damaged_file`,
 *   `invalid_page_selection`, `input_too_large`
 */
export async function planRendering(
  { file, reader, deadline }: JobContext<ByteSink>,
  { pages, rotate, password }: RotatedPagesOptions,
): Promise<RenderingPlan> {
  const selection = pages === undefined ? undefined : parsePageSelection(pages);
  const source = new BlobSource(file, reader);
  const read = await readDocument(source, password);
  const tryPdfium: TryPdfium = (isAccepted) =>
    openInPdfium({ file, source, password, guard: new HangGuard(deadline) }, isAccepted);
  if (read instanceof ServiceError) {
    const plan = await planUnread(file, tryPdfium, selection, read);
    return { ...plan, pages: rotated(plan.pages, plan.pageCount, rotate) };
  }

  const planRead = async (read: ReadDocument): Promise<RenderingPlan> => {
    const pageCount = read.pages.length;
    const chosen = chosenNumbers(selection, pageCount).map((number) => {
      const index = number - 1;
      return { number, index, userUnit: userUnitOf(read, index), hidden: hiddenOf(read, index) };
    });
    const pages = rotated(chosen, pageCount, rotate);
    const pdfiumPassword = await tryPdfium((pdf) => {
      return pdf.pageCount === pageCount && pages.every(({ index }) => isSamePage(read, pdf, index));
    });
    if (pdfiumPassword !== undefined) return { file, password: pdfiumPassword, pageCount, pages, read };
    return { ...(await writeWanted(read, pages, reader)), pageCount, read };
  };
  return withRebuild(read.document, async (document) =>
    planRead(document === read.document ? read : await openPages(document, password)),
  );
}

function rotated(
  pages: readonly WantedPage[],
  pageCount: number,
  rotate: string | undefined,
): readonly WantedPage[] {
  const turns = resolveRotation(rotate, pageCount);
  return rotate === undefined ? pages : pages.map((page) => ({ ...page, turn: turns(page.number) }));
}

/** Writes a new file with the wanted pages only. They are rotated when they are drawn. */
async function writeWanted(
  { document }: ReadDocument,
  pages: readonly WantedPage[],
  reader: SyncReader,
): Promise<Omit<RenderingPlan, "pageCount" | "read">> {
  const sink = new BlobSink();
  await extractPages(
    new SourceDocument(document),
    pages.map(({ number }) => number),
    sink,
  );
  const file = sink.toBlob(FORMATS.pdf.mime);
  if (file.size > LONGEST_FILE) throw tooLong(file.size);
  // The indices in `Annots` may have changed.
  const isLayered = pages.some(({ hidden }) => hidden.length > 0);
  const reread = isLayered ? readPagesOf(PdfDocument.open(new BlobSource(file, reader))) : undefined;
  const written = pages.map((page, index) => ({
    ...page,
    index,
    hidden: reread ? hiddenOf(reread, index) : [],
  }));
  return { file, password: "", pages: written };
}

/**
 * Whether PDFium reads the same page as our own parser. PDFium counts missing pages, and finds fewer pages in a damaged
 * file.
 */
function isSamePage({ pages }: ReadDocument, pdf: OpenPdf, index: number): boolean {
  return pdf.hasPage(index) && pdf.pageObject(index) === (pages[index]?.ref?.num ?? 0);
}

/** Returns the indices of annotations on hidden layers. PDFium would draw them. */
function hiddenOf({ pages, layers }: ReadDocument, index: number): number[] {
  if (layers === undefined) return [];
  const annotations = pages[index]?.dict.array("Annots") ?? [];
  return annotations.flatMap((annotation, place) => {
    return layers.isShown(dictOf(annotation)?.get("OC")) ? [] : [place];
  });
}

/** Returns the length of a user unit, in 1/72 inch. An invalid length counts as absent. */
function userUnitOf({ pages }: ReadDocument, index: number): number {
  const unit = pages[index]?.dict.number("UserUnit") ?? 1;
  return unit > 0 && Number.isFinite(unit) ? unit : 1;
}

/**
 * Plans a file that our own parser cannot read.
 *
 * @param failure the error of our parser, thrown when PDFium cannot read the file either
 */
async function planUnread(
  file: Blob,
  tryPdfium: TryPdfium,
  selection: readonly PageItem[] | undefined,
  failure: ServiceError,
): Promise<RenderingPlan> {
  let pageCount = 0;
  const password = await tryPdfium((pdf) => {
    pageCount = pdf.pageCount;
    return pageCount > 0;
  });
  if (password === undefined) throw failure;
  const numbers = chosenNumbers(selection, pageCount);
  const pages = numbers.map((number) => ({ number, index: number - 1, userUnit: 1, hidden: [] }));
  return { file, password, pageCount, pages, read: undefined };
}

function chosenNumbers(selection: readonly PageItem[] | undefined, pageCount: number): readonly number[] {
  if (selection) return flattenPages(resolvePageSelection(selection, pageCount));
  return Array.from({ length: pageCount }, (_, index) => index + 1);
}

/**
 * Returns the document, or the error of our own parser.
 *
 * @throws {ServiceError} `input_too_large` when our parser reaches a limit: PDFium would have none
 */
async function readDocument(
  source: BlobSource,
  password: string | undefined,
): Promise<ReadDocument | ServiceError> {
  try {
    return await withRebuild(PdfDocument.open(source), (document) => openPages(document, password));
  } catch (thrown) {
    if (thrown instanceof ServiceError && !isLimitReached(thrown)) return thrown;
    throw thrown;
  }
}

async function openPages(document: PdfDocument, password: string | undefined): Promise<ReadDocument> {
  await decryptForReading(document, password);
  return readPagesOf(document);
}

function readPagesOf(document: PdfDocument): ReadDocument {
  return { document, pages: readPages(document), layers: LayerStates.of(document) };
}

/** Returns the password with which PDFium opens the file; `undefined` when it cannot, or the file is not accepted. */
type TryPdfium = (isAccepted: (pdf: OpenPdf) => boolean) => Promise<string | undefined>;

/** A file to open in PDFium. */
interface Opening {
  readonly file: Blob;
  readonly source: BlobSource;
  readonly password: string | undefined;
  readonly guard: HangGuard;
}

async function openInPdfium(
  { file, source, password, guard }: Opening,
  isAccepted: (pdf: OpenPdf) => boolean,
): Promise<string | undefined> {
  const engine = await PdfiumEngine.take({ file, mostMemory: MOST_PDFIUM_MEMORY });
  guard.enter(tooSlowToOpen);
  try {
    for (const candidate of new Set(["", password ?? ""])) {
      const pdf = OpenPdf.open(engine, source, candidate);
      if (pdf === undefined) continue;
      try {
        const accepted = isAccepted(pdf) ? candidate : undefined;
        engine.throwIfLimited();
        return accepted;
      } finally {
        pdf.close();
      }
    }
    return undefined;
  } catch (thrown) {
    engine.abandon();
    if (thrown instanceof EngineFailure) return undefined;
    throw thrown;
  } finally {
    guard.withdraw();
    engine.leave();
  }
}
