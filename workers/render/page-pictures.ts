import { TimeLimit } from "../../src/shared/active-time.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import type { FormatId } from "../../src/shared/formats.ts";
import { PAGE_TIMEOUT_MS } from "../call-budget.ts";
import { encodeToSize } from "../image/encode-to-size.ts";
import { encoderOf } from "../image/formats/codecs.ts";
import type { EncodedImage } from "../image/formats/encoded-image.ts";
import { release } from "../image/picture/convert-layout.ts";
import type { Device } from "../image/picture/limits.ts";
import { fittingSize, type Size } from "../image/picture/size.ts";
import type { SyncReader } from "../io/blob-source.ts";
import { aboutPage } from "../pdf/pages/page-tree.ts";
import { type Drawn, drawPage, type Paper } from "./draw-page.ts";
import { DocumentFonts } from "./fonts/document-fonts.ts";
import { FontLibrary } from "./fonts/font-library.ts";
import { foreignText } from "./fonts/foreign-text.ts";
import { damagedPage, tooSlow } from "./page-failures.ts";
import { checkPageSize, pixelSize, type Scale } from "./page-size.ts";
import type { WantedPage } from "./rendering-plan.ts";
import { type OpenableFile, type PageWatch, WatchedPdf, type WatchedPdfOptions } from "./watched-pdf.ts";

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
  /** How large the pictures are. */
  readonly scale: Scale;
  /** The most pixels of each picture across and down. */
  readonly maxWidth?: number | undefined;
  readonly maxHeight?: number | undefined;
  /** The device of the page. A helper does not know all of it. */
  readonly device: Device;
  /** The quality of a lossy format, from 0 to 1. The encoder has a default. */
  readonly quality?: number | undefined;
  /** The largest size of each image file, in bytes. */
  readonly maxBytes?: number | undefined;
  /** The URL of the folder where the app serves fonts. */
  readonly fontUrl: string;
}

/** A page as an image file. */
export interface MadePicture {
  readonly picture: EncodedImage;
  /** The size of the picture, in pixels. */
  readonly size: Size;
}

/** Larger pictures, in pixels, may take seconds to encode. */
const LONG_TO_ENCODE = 2 ** 20;

/** Draws and encodes pages of a document, one at a time. */
export class PagePictures {
  readonly file: OpenableFile;
  readonly style: PictureStyle;
  readonly #fonts: DocumentFonts;
  readonly #document: WatchedPdf;

  readonly #watch: PageWatch;

  /** @param options how PDFium is watched, and how much memory it may have */
  constructor(
    file: OpenableFile,
    style: PictureStyle,
    reader: SyncReader,
    options: Pick<WatchedPdfOptions, "watch" | "mostMemory">,
  ) {
    this.file = file;
    this.style = style;
    this.#fonts = new DocumentFonts(new FontLibrary(style.fontUrl));
    this.#watch = options.watch;
    this.#document = new WatchedPdf(file, reader, { ...options, work: "draw", fonts: this.#fonts });
  }

  /** Returns the size of the picture of a page, in pixels. A page is drawn at this size, and need not be resampled. */
  async #pictureSize({ number, index, userUnit, turn = 0 }: WantedPage): Promise<Size> {
    const { to, scale, maxWidth, maxHeight, device } = this.style;
    const natural = await this.#document.usePage(number, (pdf) => pdf.pageSize(index));
    if (natural === undefined) throw damagedPage(number, NO_PAGE);
    const shown = turn % 180 === 0 ? natural : { width: natural.height, height: natural.width };
    const size = fittingSize(pixelSize(shown, userUnit, scale), { maxWidth, maxHeight });
    checkPageSize(number, size, scale, device, encoderOf(to).longestSide);
    return size;
  }

  /**
   * Draws a page and returns it as an image file.
   *
   * @throws {ServiceError} that names the page
   */
  async picture(task: WantedPage): Promise<MadePicture> {
    const { number } = task;
    const size = await this.#pictureSize(task);
    const drawn = await this.#drawn(task, size);
    if (drawn.kind === "no page") throw damagedPage(number, NO_PAGE);
    if (drawn.kind === "too slow") {
      this.#document.abandon();
      throw tooSlow(number);
    }
    if (size.width * size.height > LONG_TO_ENCODE) this.#watch.withdraw();
    const { to, paper, quality, maxBytes } = this.style;
    const encoder = encoderOf(to);
    const hasAlpha = encoder.alpha && paper[3] < 255;
    const picture = { layout: "rgba", ...size, pixels: drawn.pixels, hasAlpha } as const;
    try {
      return { picture: await encodeToSize(encoder, picture, { quality, maxBytes }), size };
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
  async #drawn({ number, index, hidden, turn }: WantedPage, size: Size): Promise<Drawn> {
    const fonts = this.#fonts;
    const limit = new TimeLimit(PAGE_TIMEOUT_MS);
    for (let attempt = 1; ; attempt++) {
      const drawn = await this.#document.usePage(number, (pdf) => {
        if (hidden.length > 0) pdf.hideAnnotations(index, hidden);
        return drawPage(pdf, index, { ...size, turn }, this.style.paper, limit, (page) => {
          if (fonts.needsFallback) fonts.chooseFallback(foreignText(pdf.engine, page));
        });
      });
      if (!(await fonts.loadWanted()) || attempt === MOST_ATTEMPTS) return drawn;
      // PDFium looks for fonts again only when it opens the document again.
      this.close();
    }
  }

  /** Closes the document. The next page opens it again. */
  close(): void {
    this.#document.close();
  }
}
