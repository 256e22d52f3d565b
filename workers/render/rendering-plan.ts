import { ServiceError } from "../../src/shared/errors.ts";
import { FORMATS } from "../../src/shared/formats.ts";
import { flattenPages, type PageItem, resolvePageSelection } from "../../src/shared/page-selection.ts";
import { BlobSink } from "../io/blob-sink.ts";
import { BlobSource, type SyncReader } from "../io/blob-source.ts";
import { PdfDocument } from "../pdf/file/document.ts";
import { openForReading } from "../pdf/open.ts";
import { LayerStates } from "../pdf/pages/layer-states.ts";
import { extractPages } from "../pdf/pages/page-extractor.ts";
import { type Page, readPages } from "../pdf/pages/page-tree.ts";
import { numberOf } from "../pdf/syntax/objects.ts";
import { EngineFailure, PdfiumEngine } from "./engine.ts";
import { LONGEST_FILE } from "./file-access.ts";
import { OpenPdf } from "./open-pdf.ts";
import { tooLong } from "./page-failures.ts";

/** A page that is wanted. */
export interface WantedPage {
  /** In the document, counted from 1. */
  readonly number: number;
  /** In the file that is rendered, counted from 0. */
  readonly index: number;
  /** How many 72nds of an inch a unit of its is. */
  readonly userUnit: number;
  /** Those of its annotations that are on layers that are off, counted from 0. */
  readonly hidden: readonly number[];
}

/** A file that PDFium opens, and what is wanted of it. */
export interface RenderingPlan {
  readonly file: Blob;
  /** Empty when it needs none. */
  readonly password: string;
  /** How many pages the document has, wanted or not. */
  readonly pageCount: number;
  readonly pages: readonly WantedPage[];
}

/** The document as our engine reads it. */
interface ReadDocument {
  readonly document: PdfDocument;
  readonly pages: readonly Page[];
  readonly layers: LayerStates | undefined;
}

/**
 * Finds out what to render, and makes sure that PDFium opens it. What PDFium cannot read, or reads otherwise than our
 * engine does (a damaged file, one under a password of an unusual form), is written anew by our engine, with the
 * wanted pages only; what only PDFium can read is rendered as it reads it.
 *
 * @param selection all pages when absent
 * @param watch told when PDFium begins to look at the file, and when it has: it may never come back from some
 * @throws {ServiceError} `password_required`, `wrong_password`, `unsupported_encryption`, `damaged_file`,
 *   `invalid_page_selection`, `input_too_large`
 */
export async function planRendering(
  file: Blob,
  reader: SyncReader,
  selection: readonly PageItem[] | undefined,
  password: string | undefined,
  watch: (isLooking: boolean) => void,
): Promise<RenderingPlan> {
  const source = new BlobSource(file, reader);
  const read = await readDocument(source, password);
  const look: Look = (isAsWanted) => lookByPdfium(source, password, watch, isAsWanted);
  if (read instanceof ServiceError) return planUnread(file, look, selection, read);

  const pageCount = read.pages.length;
  const numbers = chosenNumbers(selection, pageCount);
  const opened = await look((pdf) => {
    return pdf.pageCount === pageCount && numbers.every((number) => isPageOf(read, pdf, number));
  });
  const pages = numbers.map((number) => {
    const index = number - 1;
    return { number, index, userUnit: userUnitOf(read, index), hidden: hiddenOf(read, index) };
  });
  if (opened?.isAsWanted) return { file, password: opened.password, pageCount, pages };

  const sink = new BlobSink(file, source);
  await extractPages(read.document, () => numbers, sink);
  const written = sink.toBlob(FORMATS.pdf.mime);
  if (written.size > LONGEST_FILE) throw tooLong(written.size);
  // Places in `Annots` may be others now.
  const isLayered = pages.some(({ hidden }) => hidden.length > 0);
  const anew = isLayered ? readPagesOf(PdfDocument.open(new BlobSource(written, reader))) : undefined;
  return {
    file: written,
    password: "",
    pageCount,
    pages: pages.map((page, index) => ({ ...page, index, hidden: anew ? hiddenOf(anew, index) : [] })),
  };
}

/** Whether a page is the same to PDFium: it counts a page that is not there, and finds fewer in a damaged file. */
function isPageOf({ pages }: ReadDocument, pdf: OpenPdf, number: number): boolean {
  const index = number - 1;
  return pdf.pageSize(index) !== undefined && pdf.pageObject(index) === (pages[index]?.ref?.num ?? 0);
}

/** PDFium shows annotations whatever layer they are on. */
function hiddenOf({ document, pages, layers }: ReadDocument, index: number): number[] {
  if (layers === undefined) return [];
  return document.array(pages[index]?.dict.get("Annots")).flatMap((annotation, place) => {
    return layers.isShown(document.dict(annotation)?.get("OC")) ? [] : [place];
  });
}

/** What cannot be a unit's length is as if it were not there. */
function userUnitOf({ document, pages }: ReadDocument, index: number): number {
  const unit = numberOf(document.resolve(pages[index]?.dict.get("UserUnit"))) ?? 1;
  return unit > 0 && Number.isFinite(unit) ? unit : 1;
}

/** For what only PDFium may be able to read. */
async function planUnread(
  file: Blob,
  look: Look,
  selection: readonly PageItem[] | undefined,
  failure: ServiceError,
): Promise<RenderingPlan> {
  let pageCount = 0;
  const opened = await look((pdf) => {
    pageCount = pdf.pageCount;
    return pageCount > 0;
  });
  if (!opened?.isAsWanted) throw failure;
  const numbers = chosenNumbers(selection, pageCount);
  const pages = numbers.map((number) => ({ number, index: number - 1, userUnit: 1, hidden: [] }));
  return { file, password: opened.password, pageCount, pages };
}

function chosenNumbers(selection: readonly PageItem[] | undefined, pageCount: number): readonly number[] {
  if (selection) return flattenPages(resolvePageSelection(selection, pageCount));
  return Array.from({ length: pageCount }, (_, index) => index + 1);
}

/** The document, or why our engine does not open it. */
async function readDocument(
  source: BlobSource,
  password: string | undefined,
): Promise<ReadDocument | ServiceError> {
  try {
    return readPagesOf(await openForReading(source, password));
  } catch (thrown) {
    if (thrown instanceof ServiceError) return thrown;
    throw thrown;
  }
}

function readPagesOf(document: PdfDocument): ReadDocument {
  return { document, pages: readPages(document), layers: LayerStates.of(document) };
}

/** How PDFium opens a file. */
interface Opened {
  readonly password: string;
  readonly isAsWanted: boolean;
}

/** Nothing when PDFium does not open the file. */
type Look = (isAsWanted: (pdf: OpenPdf) => boolean) => Promise<Opened | undefined>;

async function lookByPdfium(
  source: BlobSource,
  password: string | undefined,
  watch: (isLooking: boolean) => void,
  isAsWanted: (pdf: OpenPdf) => boolean,
): Promise<Opened | undefined> {
  const engine = await PdfiumEngine.take();
  watch(true);
  try {
    for (const candidate of new Set(["", password ?? ""])) {
      const pdf = OpenPdf.open(engine, source, candidate);
      if (pdf === undefined) continue;
      const opened = { password: candidate, isAsWanted: isAsWanted(pdf) };
      pdf.close();
      return opened;
    }
    return undefined;
  } catch (thrown) {
    if (thrown instanceof EngineFailure) return undefined;
    throw thrown;
  } finally {
    watch(false);
    engine.leave();
  }
}
