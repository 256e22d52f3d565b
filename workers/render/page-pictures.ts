import { ServiceError } from "../../src/shared/errors.ts";
import type { FormatId } from "../../src/shared/formats.ts";
import { encodeToSize } from "../image/encode-to-size.ts";
import type { EncodedImage } from "../image/encoded-image.ts";
import { encoderOf } from "../image/formats/by-format.ts";
import { release } from "../image/picture/convert-layout.ts";
import type { Size } from "../image/picture/size.ts";
import { BlobSource, type SyncReader } from "../io/blob-source.ts";
import { aboutPage } from "../pdf/pages/page-tree.ts";
import { type Drawn, drawPage, type Paper } from "./draw-page.ts";
import { EngineFailure, PdfiumEngine } from "./engine.ts";
import { DocumentFonts } from "./fonts/document-fonts.ts";
import { FontLibrary } from "./fonts/font-library.ts";
import { foreignText } from "./fonts/foreign-text.ts";
import { OpenPdf } from "./open-pdf.ts";
import { damagedPage, PAGE_TIMEOUT_MS, tooSlow } from "./page-failures.ts";
import type { Pointer } from "./wasm/pdfium.ts";

/**
 * The time, in milliseconds, after which another thread ends the worker. PDFium does not check its own time limit
 * everywhere.
 */
export const HANG_TIMEOUT_MS = 1.25 * PAGE_TIMEOUT_MS;
/** PDFium keeps the bytes that it has read of a document. After this many bytes, the document is opened again. */
const MOST_BYTES_KEPT = 32 * 2 ** 20;
/** Memory may grow all the same. Above this many bytes, a new engine is created. */
const MOST_MEMORY = 768 * 2 ** 20;

/**
 * How often a page is drawn while fonts are missing. With one font loaded, PDFium may ask for another one, or for its
 * bold face.
 */
const MOST_ATTEMPTS = 4;

const NO_PAGE = "it is damaged";
const NOT_OPENED = "the file is damaged, and its repaired copy cannot be opened";

/** How pages are drawn and encoded. */
export interface PictureStyle {
  readonly to: FormatId;
  readonly paper: Paper;
  /** The quality of a lossy format, from 0 to 1. The encoder has a default. */
  readonly quality?: number | undefined;
  /** The largest size of each image file, in bytes. */
  readonly maxBytes?: number | undefined;
  /** The URL of the folder where the app serves fonts. */
  readonly fontUrl: string;
}

/** A file that PDFium opens. */
export interface OpenableFile {
  readonly file: Blob;
  readonly password: string;
}

/** A page to draw. */
export interface PageTask {
  /** The page number in the document, from 1, for messages. */
  readonly number: number;
  /** The page index in the rendered file, from 0. */
  readonly index: number;
  /** The size of the picture, in pixels. */
  readonly size: Size;
  /** The indices in `Annots`, from 0, of annotations that are not drawn. */
  readonly hidden: readonly number[];
}

/** Draws and encodes pages of a document, one at a time. */
export class PagePictures {
  readonly file: OpenableFile;
  readonly #source: BlobSource;
  readonly style: PictureStyle;
  readonly #fonts: DocumentFonts;
  readonly #watch: (page: number | undefined) => void;
  #open: OpenPdf | undefined;

  /**
   * @param watch called with the page number before PDFium works on a page, because PDFium may never return, and with
   *   `undefined` when it has returned
   */
  constructor(
    file: OpenableFile,
    style: PictureStyle,
    reader: SyncReader,
    watch: (page: number | undefined) => void,
  ) {
    this.file = file;
    this.#watch = watch;
    this.#source = new BlobSource(file.file, reader);
    this.style = style;
    this.#fonts = new DocumentFonts(new FontLibrary(style.fontUrl));
  }

  /** Returns the displayed size of a page, in user units. */
  async pageSize(number: number, index: number): Promise<Size> {
    const pdf = await this.#pdf(number);
    const size = this.#watched(number, () => pdf.pageSize(index));
    if (size === undefined) throw damagedPage(number, NO_PAGE);
    return size;
  }

  /**
   * Draws a page and returns it as an image file.
   *
   * @throws {ServiceError} that names the page
   */
  async picture(task: PageTask): Promise<EncodedImage> {
    const { number, size } = task;
    const drawn = await this.#drawn(task);
    if (drawn.kind === "no page") throw damagedPage(number, NO_PAGE);
    if (drawn.kind === "too slow") throw tooSlow(number);
    const { to, paper, quality, maxBytes } = this.style;
    const encoder = encoderOf(to);
    const hasAlpha = encoder.alpha && paper[3] < 255;
    const picture = { layout: "rgba", ...size, pixels: drawn.pixels, hasAlpha } as const;
    try {
      return maxBytes === undefined
        ? await encoder.encode(picture, { quality })
        : await encodeToSize(encoder, picture, { quality, maxBytes });
    } catch (thrown) {
      throw thrown instanceof ServiceError ? aboutPage(number, thrown) : thrown;
    } finally {
      release(picture);
    }
  }

  /** Returns the fonts of the pages drawn so far that have no substitute. Their text is missing from the pictures. */
  missingFonts(): readonly string[] {
    return this.#fonts.missing();
  }

  /** Draws a page. Draws it again when it needs fonts that were not loaded yet. */
  async #drawn({ number, index, size, hidden }: PageTask): Promise<Drawn> {
    const fonts = this.#fonts;
    for (let attempt = 1; ; attempt++) {
      const pdf = await this.#pdf(number);
      const onDrawn = (page: Pointer) => {
        if (fonts.mayHaveBlanks) fonts.substituteFor(foreignText(pdf.engine, page));
      };
      const drawn = this.#watched(number, () => {
        if (hidden.length > 0) pdf.hideAnnotations(index, hidden);
        return drawPage(pdf, index, size, this.style.paper, PAGE_TIMEOUT_MS, onDrawn);
      });
      if (!(await fonts.loadWanted()) || attempt === MOST_ATTEMPTS) return drawn;
      // PDFium looks for fonts again only when it opens the document again.
      this.close();
    }
  }

  /** Closes the document, and keeps its engine for the next one. */
  close(): void {
    this.#open?.close();
    this.#open?.engine.leave();
    this.#open = undefined;
  }

  /**
   * Returns the open document. Opens it first if needed.
   *
   * @param number the page that needs the document, for messages
   */
  async #pdf(number: number): Promise<OpenPdf> {
    const open = this.#open;
    if (open !== undefined && !this.#isUsedUp(open)) return open;
    this.close();
    const engine = await PdfiumEngine.take();
    engine.fonts.document = this.#fonts;
    const pdf = this.#watched(number, () => OpenPdf.open(engine, this.#source, this.file.password));
    if (pdf === undefined) throw damagedPage(number, NOT_OPENED);
    this.#open = pdf;
    return pdf;
  }

  #isUsedUp({ engine, bytesRead }: OpenPdf): boolean {
    return engine.isBroken || engine.memoryBytes > MOST_MEMORY || bytesRead > MOST_BYTES_KEPT;
  }

  /** Runs code of PDFium that may hang, and announces it to `watch`. */
  #watched<Result>(number: number, work: () => Result): Result {
    this.#watch(number);
    try {
      return this.#onPage(number, work);
    } finally {
      this.#watch(undefined);
    }
  }

  /** Runs code of PDFium. Its errors name the page. */
  #onPage<Result>(number: number, work: () => Result): Result {
    try {
      return work();
    } catch (thrown) {
      if (thrown instanceof EngineFailure) throw damagedPage(number, "the renderer cannot draw it");
      throw thrown instanceof ServiceError ? aboutPage(number, thrown) : thrown;
    }
  }
}
