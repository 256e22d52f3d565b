import { ServiceError, type WireError } from "../../src/shared/errors.ts";
import type { EncodedImage } from "../image/formats/encoded-image.ts";
import type { SyncReader } from "../io/blob-source.ts";
import { taskServer } from "../parallel/task-server.ts";
import { adoptPdfiumModule } from "./engine.ts";
import { PagePictures, type PageTask, type PictureStyle } from "./page-pictures.ts";
import type { OpenableFile } from "./watched-pdf.ts";

/** The data that a helper needs to draw pages. */
export interface PagesRequest {
  readonly file: OpenableFile;
  readonly style: PictureStyle;
  /** PDFium's compiled module. Compiling it again takes longer than drawing a page. */
  readonly pdfium: WebAssembly.Module;
}

/** The encoded picture of a page, or the error of that page. */
export type PageAnswer =
  | { readonly ok: true; readonly picture: EncodedImage; readonly missingFonts: readonly string[] }
  | { readonly ok: false; readonly error: WireError };

/** Draws pages for another worker, until the lease ends. */
export async function servePages(
  { file, style, pdfium }: PagesRequest,
  port: MessagePort,
  reader: SyncReader,
): Promise<void> {
  adoptPdfiumModule(pdfium);
  let notify: (mayHang: boolean) => void = () => {};
  const pictures = new PagePictures(file, style, reader, (page) => notify(page !== undefined));
  try {
    const draw = async (task: PageTask, mayHang: (may: boolean) => void): Promise<PageAnswer> => {
      notify = mayHang;
      try {
        const drawn = await pictures.picture(task);
        // Firefox never reads some Blobs that hold a Blob of another worker.
        const picture = drawn instanceof Blob ? new Uint8Array(await drawn.arrayBuffer()) : drawn;
        return { ok: true, picture, missingFonts: pictures.missingFonts() };
      } catch (thrown) {
        // The other worker may have enough memory. It draws the page again.
        if (!(thrown instanceof ServiceError) || thrown.code === "out_of_memory") throw thrown;
        return { ok: false, error: thrown.toWire() };
      }
    };
    await taskServer<PageTask, PageAnswer>(port, draw, (answer) =>
      answer.ok && !(answer.picture instanceof Blob) ? [answer.picture.buffer] : [],
    );
  } finally {
    pictures.close();
    port.close();
  }
}
