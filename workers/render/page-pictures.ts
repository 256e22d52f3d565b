import { ServiceError } from "../../src/shared/errors.ts";
import type { FormatId } from "../../src/shared/formats.ts";
import { encodeToSize } from "../image/encode-to-size.ts";
import { encoderOf } from "../image/formats/by-format.ts";
import { release } from "../image/picture/convert-layout.ts";
import { BlobSource, type SyncReader } from "../io/blob-source.ts";
import { aboutPage } from "../pdf/pages/page-tree.ts";
import { type Drawn, drawPage, type Paper } from "./draw-page.ts";
import { EngineFailure, PdfiumEngine } from "./engine.ts";
import { DocumentFonts } from "./fonts/document-fonts.ts";
import { FontShelf } from "./fonts/font-shelf.ts";
import { foreignText } from "./fonts/foreign-text.ts";
import { OpenPdf } from "./open-pdf.ts";
import { damagedPage, PAGE_TIMEOUT_MS, tooSlow } from "./page-failures.ts";
import type { Size } from "./page-size.ts";
import type { Pointer } from "./wasm/pdfium.ts";

/** PDFium does not check its time everywhere. After this time, in milliseconds, another thread ends the worker. */
export const HANG_TIMEOUT_MS = 1.25 * PAGE_TIMEOUT_MS;
/** PDFium keeps what it has read of a document: after so much, the document is opened anew. */
const MOST_BYTES_KEPT = 32 * 2 ** 20;
/** What is left of many documents may fill the memory in spite of it: then the engine is made anew. */
const MOST_MEMORY = 768 * 2 ** 20;

/** A face for one font may show that another is needed, and so may bold beside regular. */
const MOST_ATTEMPTS = 4;

const NO_PAGE = "it is damaged";
const NOT_OPENED = "the file is damaged, and of what was saved of it the renderer can make nothing";

/** What pictures of pages are to be like. */
export interface PictureStyle {
  readonly to: FormatId;
  readonly paper: Paper;
  /** Of a lossy format, from 0 to 1. */
  readonly quality?: number | undefined;
  /** How long each picture may be. */
  readonly maxBytes?: number | undefined;
  /** Where the app serves the fonts that documents may need. */
  readonly fontUrl: string;
}

/** A file that PDFium opens. */
export interface OpenableFile {
  readonly file: Blob;
  readonly password: string;
}

/** An image file; as bytes where it would only be read again. */
export type EncodedPicture = Blob | Uint8Array<ArrayBuffer>;

/** One page to be made a picture of. */
export interface PageTask {
  /** Counted from 1, for messages. */
  readonly number: number;
  /** In the file, counted from 0. */
  readonly index: number;
  /** In pixels. */
  readonly size: Size;
  /** Annotations that are not to be seen, counted from 0. */
  readonly hidden: readonly number[];
}

/** Makes pictures of a document's pages, one at a time. */
export class PagePictures {
  readonly file: OpenableFile;
  readonly #source: BlobSource;
  readonly style: PictureStyle;
  readonly #fonts: DocumentFonts;
  readonly #watch: (page: number | undefined) => void;
  #open: OpenPdf | undefined;

  /**
   * @param watch told of the page that is about to be drawn, since PDFium may never come back from some; and of none
   *   when it has
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
    this.#fonts = new DocumentFonts(new FontShelf(style.fontUrl));
  }

  /** A page's size in user units, as it is shown. */
  async pageSize(number: number, index: number): Promise<Size> {
    const pdf = await this.#pdf(number);
    const size = this.#watched(number, () => pdf.pageSize(index));
    if (size === undefined) throw damagedPage(number, NO_PAGE);
    return size;
  }

  /**
   * A page as an image file.
   *
   * @throws {ServiceError} that names the page
   */
  async picture(task: PageTask): Promise<EncodedPicture> {
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

  /** The document's fonts that have been met and that nothing stands in for: text in them is not there. */
  missingFonts(): readonly string[] {
    return this.#fonts.missing();
  }

  /** Draws a page; anew when it needs fonts that were not there yet. */
  async #drawn({ number, index, size, hidden }: PageTask): Promise<Drawn> {
    const fonts = this.#fonts;
    for (let attempt = 1; ; attempt++) {
      const pdf = await this.#pdf(number);
      const look = (page: Pointer) => {
        if (fonts.mayHaveBlanks) fonts.standInFor(foreignText(pdf.engine, page));
      };
      const drawn = this.#watched(number, () => {
        if (hidden.length > 0) pdf.hideAnnotations(index, hidden);
        return drawPage(pdf, index, size, this.style.paper, PAGE_TIMEOUT_MS, look);
      });
      if (!(await fonts.loadWanted()) || attempt === MOST_ATTEMPTS) return drawn;
      // A document that is open keeps the fonts that it has found.
      this.close();
    }
  }

  /** Lets the document go. */
  close(): void {
    this.#open?.close();
    this.#open?.engine.leave();
    this.#open = undefined;
  }

  /** @param number of the page that it is opened for */
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

  #watched<Result>(number: number, work: () => Result): Result {
    this.#watch(number);
    try {
      return this.#onPage(number, work);
    } finally {
      this.#watch(undefined);
    }
  }

  #onPage<Result>(number: number, work: () => Result): Result {
    try {
      return work();
    } catch (thrown) {
      if (thrown instanceof EngineFailure) throw damagedPage(number, "the renderer cannot cope with it");
      throw thrown instanceof ServiceError ? aboutPage(number, thrown) : thrown;
    }
  }
}
