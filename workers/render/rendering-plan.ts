import { ServiceError } from "../../src/errors.ts";
import { FORMATS } from "../../src/formats.ts";
import { flattenPages, type PageItem, resolvePageSelection } from "../../src/pages.ts";
import { BlobSink } from "../blob-sink.ts";
import { BlobSource, type SyncReader } from "../blob-source.ts";
import type { PdfDocument } from "../pdf/file/document.ts";
import { openForReading } from "../pdf/open.ts";
import { PageExtractor } from "../pdf/pages/page-extractor.ts";
import { type Page, readPages } from "../pdf/pages/page-tree.ts";
import { numberOf } from "../pdf/syntax/objects.ts";
import { EngineFailure, PdfiumEngine } from "./engine.ts";
import { OpenPdf } from "./open-pdf.ts";

/** A page that is wanted. */
export interface WantedPage {
  /** In the document, counted from 1. */
  readonly number: number;
  /** In the file that is rendered, counted from 0. */
  readonly index: number;
  /** How many 72nds of an inch a unit of its is. */
  readonly userUnit: number;
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
}

/**
 * Finds out what to render, and makes sure that PDFium opens it. What PDFium cannot read, or reads otherwise than our
 * engine does (a damaged file, one under a password of an unusual form), is written anew by our engine, with the
 * wanted pages only; what only PDFium can read is rendered as it reads it.
 *
 * @param selection all pages when absent
 * @throws {ServiceError} `password_required`, `wrong_password`, `unsupported_encryption`, `damaged_file`,
 *   `invalid_page_selection`
 */
export async function planRendering(
  file: Blob,
  reader: SyncReader,
  selection: readonly PageItem[] | undefined,
  password: string | undefined,
): Promise<RenderingPlan> {
  const source = new BlobSource(file, reader);
  const read = await readDocument(source, password);
  if (read instanceof ServiceError) return planUnread(file, source, selection, password, read);

  const pageCount = read.pages.length;
  const numbers = chosenNumbers(selection, pageCount);
  const pages = numbers.map((number) => ({
    number,
    index: number - 1,
    userUnit: userUnitOf(read.document, read.pages[number - 1]),
  }));
  const opened = await openByPdfium(source, password, pages);
  if (opened?.pageCount === pageCount && opened.hasPages)
    return { file, password: opened.password, pageCount, pages };
  const sink = new BlobSink(file, source);
  await new PageExtractor(read.document).extract(numbers, sink);
  return {
    file: sink.toBlob(FORMATS.pdf.mime),
    password: "",
    pageCount,
    pages: pages.map((page, index) => ({ ...page, index })),
  };
}

/** For what only PDFium may be able to read. */
async function planUnread(
  file: Blob,
  source: BlobSource,
  selection: readonly PageItem[] | undefined,
  password: string | undefined,
  failure: ServiceError,
): Promise<RenderingPlan> {
  const opened = await openByPdfium(source, password, []);
  if (opened === undefined || opened.pageCount === 0) throw failure;
  const { pageCount } = opened;
  const numbers = chosenNumbers(selection, pageCount);
  const pages = numbers.map((number) => ({ number, index: number - 1, userUnit: 1 }));
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
    const document = await openForReading(source, password);
    return { document, pages: readPages(document) };
  } catch (thrown) {
    if (thrown instanceof ServiceError) return thrown;
    throw thrown;
  }
}

/** How PDFium opens a file. */
interface Opened {
  readonly password: string;
  /** As the document says it. */
  readonly pageCount: number;
  /** Whether it also finds those that were asked for. */
  readonly hasPages: boolean;
}

async function openByPdfium(
  source: BlobSource,
  password: string | undefined,
  pages: readonly WantedPage[],
): Promise<Opened | undefined> {
  const engine = await PdfiumEngine.take();
  try {
    for (const candidate of new Set(["", password ?? ""])) {
      const pdf = OpenPdf.open(engine, source, candidate);
      if (pdf === undefined) continue;
      const { pageCount } = pdf;
      const hasPages = pages.every(({ index }) => pdf.pageSize(index) !== undefined);
      pdf.close();
      return { password: candidate, pageCount, hasPages };
    }
    return undefined;
  } catch (thrown) {
    if (thrown instanceof EngineFailure) return undefined;
    throw thrown;
  } finally {
    engine.leave();
  }
}

/** What cannot be a unit's length is as if it were not there. */
function userUnitOf(document: PdfDocument, page: Page | undefined): number {
  const unit = numberOf(document.resolve(page?.dict.get("UserUnit"))) ?? 1;
  return unit > 0 && Number.isFinite(unit) ? unit : 1;
}
