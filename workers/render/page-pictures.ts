import { ServiceError } from "../../src/shared/errors.ts";
import type { FormatId } from "../../src/shared/formats.ts";
import { encodeToSize } from "../image/encode-to-size.ts";
import { encoderOf } from "../image/formats/by-format.ts";
import type { EncodedImage } from "../image/formats/encoded-image.ts";
import { release } from "../image/picture/convert-layout.ts";
import type { Size } from "../image/picture/size.ts";
import type { SyncReader } from "../io/blob-source.ts";
import { aboutPage } from "../pdf/pages/page-tree.ts";
import { type Drawn, drawPage, type Paper } from "./draw-page.ts";
import { DocumentFonts } from "./fonts/document-fonts.ts";
import { FontLibrary } from "./fonts/font-library.ts";
import { foreignText } from "./fonts/foreign-text.ts";
import { damagedPage, PAGE_TIMEOUT_MS, tooSlow } from "./page-failures.ts";
import type { WantedPage } from "./rendering-plan.ts";
import { type OpenableFile, WatchedPdf } from "./watched-pdf.ts";

/**
 * How often a page is drawn while fonts are missing. With one font loaded, PDFium may ask for another one, or for its
 * bold face.
 */
const MOST_ATTEMPTS = 4;

const NO_PAGE = "it is damaged";

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

/** A page to draw. */
export interface PageTask extends Omit<WantedPage, "userUnit"> {
  /** The size of the picture, in pixels. */
  readonly size: Size;
}

/** Draws and encodes pages of a document, one at a time. */
export class PagePictures {
  readonly file: OpenableFile;
  readonly style: PictureStyle;
  readonly #fonts: DocumentFonts;
  readonly #document: WatchedPdf;

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
    this.style = style;
    this.#fonts = new DocumentFonts(new FontLibrary(style.fontUrl));
    this.#document = new WatchedPdf(file, reader, { work: "draw", watch, fonts: this.#fonts });
  }

  /** Returns the displayed size of a page, in user units. */
  async pageSize(number: number, index: number): Promise<Size> {
    const size = await this.#document.usePage(number, (pdf) => pdf.pageSize(index));
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
      return await encodeToSize(encoder, picture, { quality, maxBytes });
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
      const drawn = await this.#document.usePage(number, (pdf) => {
        if (hidden.length > 0) pdf.hideAnnotations(index, hidden);
        return drawPage(pdf, index, size, this.style.paper, PAGE_TIMEOUT_MS, (page) => {
          if (fonts.needsFallback) fonts.chooseFallback(foreignText(pdf.engine, page));
        });
      });
      if (!(await fonts.loadWanted()) || attempt === MOST_ATTEMPTS) return drawn;
      // PDFium looks for fonts again only when it opens the document again.
      this.close();
    }
  }

  /** Closes the document, and keeps its engine for the next one. */
  close(): void {
    this.#document.close();
  }
}
