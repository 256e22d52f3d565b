import { ServiceError } from "../../src/shared/errors.ts";
import { MOST_PDFIUM_MEMORY } from "../call-budget.ts";
import { BlobSource, type SyncReader } from "../io/blob-source.ts";
import { aboutPage } from "../pdf/pages/page-tree.ts";
import { EngineFailure, PdfiumEngine } from "./engine.ts";
import type { DocumentFonts } from "./fonts/document-fonts.ts";
import { OpenPdf } from "./open-pdf.ts";
import { damagedPage, type PageWork } from "./page-failures.ts";

/** PDFium keeps the bytes that it has read of a document. After this many bytes, the document is opened again. */
const MOST_BYTES_KEPT = 32 * 2 ** 20;

const NOT_OPENED = "the file is damaged, and its repaired copy cannot be opened";

/** A file that PDFium opens. */
export interface OpenableFile {
  readonly file: Blob;
  /** Empty when the file needs none. */
  readonly password: string;
}

/** Watches PDFium, which may never return from a page. */
export interface PageWatch {
  /** Called with the page number before PDFium works on a page. */
  enter(page: number): void;
  /** Called when PDFium has returned. */
  leave(): void;
  /** Called before other work that may take long. */
  withdraw(): void;
}

/** How a {@link WatchedPdf} works. */
export interface WatchedPdfOptions {
  /** For messages. */
  readonly work: PageWork;
  readonly watch: PageWatch;
  /** The most bytes of PDFium's memory. Default: those of a job. */
  readonly mostMemory?: number;
  /** The fonts for text whose font the document does not contain. Default: PDFium's own. */
  readonly fonts?: DocumentFonts;
}

/** A document in PDFium. It is opened for the first page, and opened again when it has taken much memory. */
export class WatchedPdf {
  readonly #file: OpenableFile;
  readonly #source: BlobSource;
  readonly #options: WatchedPdfOptions;
  #open: OpenPdf | undefined;

  constructor(file: OpenableFile, reader: SyncReader, options: WatchedPdfOptions) {
    this.#file = file;
    this.#source = new BlobSource(file.file, reader);
    this.#options = options;
  }

  /**
   * Runs code of PDFium on a page.
   *
   * @param number the page number in the document, from 1
   * @throws {ServiceError} that names the page
   */
  async usePage<Result>(number: number, work: (pdf: OpenPdf) => Result): Promise<Result> {
    const pdf = await this.#pdf(number);
    return this.#watched(number, pdf.engine, () => work(pdf));
  }

  /** Closes the document. */
  close(): void {
    this.#options.watch.withdraw();
    this.#open?.close();
    this.#open?.engine.leave();
    this.#open = undefined;
  }

  /** Drops the engine, after work that was broken off. The next page gets a new one. */
  abandon(): void {
    this.#open?.engine.abandon();
    this.close();
  }

  /** Returns the open document. Opens it first if needed. */
  async #pdf(number: number): Promise<OpenPdf> {
    const open = this.#open;
    if (open !== undefined && !isUsedUp(open)) return open;
    this.close();
    const { fonts, mostMemory = MOST_PDFIUM_MEMORY } = this.#options;
    const engine = await PdfiumEngine.take({ file: this.#file.file, mostMemory });
    engine.fonts.document = fonts;
    const pdf = this.#watched(number, engine, () => OpenPdf.open(engine, this.#source, this.#file.password));
    if (pdf === undefined) throw damagedPage(number, NOT_OPENED, this.#options.work);
    this.#open = pdf;
    return pdf;
  }

  /** Runs code that may hang, and announces it. Its errors name the page. */
  #watched<Result>(number: number, engine: PdfiumEngine, run: () => Result): Result {
    const { watch, work } = this.#options;
    watch.enter(number);
    try {
      const result = run();
      engine.throwIfLimited();
      return result;
    } catch (thrown) {
      // PDFium may have stopped in the middle of its work.
      engine.abandon();
      if (thrown instanceof EngineFailure) throw damagedPage(number, `the renderer cannot ${work} it`, work);
      throw thrown instanceof ServiceError ? aboutPage(number, thrown) : thrown;
    } finally {
      watch.leave();
    }
  }
}

function isUsedUp({ engine, bytesRead }: OpenPdf): boolean {
  return engine.isBroken || engine.isUsedUp || bytesRead > MOST_BYTES_KEPT;
}
