import { ServiceError } from "../../src/shared/errors.ts";
import { BlobSource, type SyncReader } from "../io/blob-source.ts";
import { aboutPage } from "../pdf/pages/page-tree.ts";
import { EngineFailure, PdfiumEngine } from "./engine.ts";
import type { DocumentFonts } from "./fonts/document-fonts.ts";
import { OpenPdf } from "./open-pdf.ts";
import { damagedPage, type PageWork } from "./page-failures.ts";

/** PDFium keeps the bytes that it has read of a document. After this many bytes, the document is opened again. */
const MOST_BYTES_KEPT = 32 * 2 ** 20;
/** Memory may grow all the same. Above this many bytes, a new engine is created. */
const MOST_MEMORY = 768 * 2 ** 20;

const NOT_OPENED = "the file is damaged, and its repaired copy cannot be opened";

/** A file that PDFium opens. */
export interface OpenableFile {
  readonly file: Blob;
  /** Empty when the file needs none. */
  readonly password: string;
}

/** How a {@link WatchedPdf} works. */
export interface WatchedPdfOptions {
  /** For messages. */
  readonly work: PageWork;
  /**
   * Called with the page number before PDFium works on a page, because PDFium may never return, and with `undefined`
   * when it has returned.
   */
  readonly watch: (page: number | undefined) => void;
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
    return this.#watched(number, () => work(pdf));
  }

  /** Closes the document, and keeps its engine for the next one. */
  close(): void {
    this.#open?.close();
    this.#open?.engine.leave();
    this.#open = undefined;
  }

  /** Returns the open document. Opens it first if needed. */
  async #pdf(number: number): Promise<OpenPdf> {
    const open = this.#open;
    if (open !== undefined && !isUsedUp(open)) return open;
    this.close();
    const engine = await PdfiumEngine.take();
    engine.fonts.document = this.#options.fonts;
    const pdf = this.#watched(number, () => OpenPdf.open(engine, this.#source, this.#file.password));
    if (pdf === undefined) throw damagedPage(number, NOT_OPENED, this.#options.work);
    this.#open = pdf;
    return pdf;
  }

  /** Runs code that may hang, and announces it. Its errors name the page. */
  #watched<Result>(number: number, run: () => Result): Result {
    const { watch, work } = this.#options;
    watch(number);
    try {
      return run();
    } catch (thrown) {
      if (thrown instanceof EngineFailure) throw damagedPage(number, `the renderer cannot ${work} it`, work);
      throw thrown instanceof ServiceError ? aboutPage(number, thrown) : thrown;
    } finally {
      watch(undefined);
    }
  }
}

function isUsedUp({ engine, bytesRead }: OpenPdf): boolean {
  return engine.isBroken || engine.memoryBytes > MOST_MEMORY || bytesRead > MOST_BYTES_KEPT;
}
