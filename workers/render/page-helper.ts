import { ServiceError, type WireError } from "../../src/shared/errors.ts";
import type { SyncReader } from "../io/blob-source.ts";
import { serveTasks } from "../parallel/helper-pool.ts";
import { adoptPdfiumModule } from "./engine.ts";
import {
  type EncodedPicture,
  type OpenableFile,
  PagePictures,
  type PageTask,
  type PictureStyle,
} from "./page-pictures.ts";

/** Whose pages are wanted, and how. */
export interface PagesRequest {
  readonly file: OpenableFile;
  readonly style: PictureStyle;
  /** PDFium's code: compiling it takes longer than a page. */
  readonly pdfium: WebAssembly.Module;
}

/** What becomes of a page. */
export type PageAnswer =
  | { readonly ok: true; readonly picture: EncodedPicture; readonly missingFonts: readonly string[] }
  | { readonly ok: false; readonly error: WireError };

/** Makes pictures of pages for another worker. */
export async function helpWithPages(
  { file, style, pdfium }: PagesRequest,
  port: MessagePort,
  reader: SyncReader,
): Promise<void> {
  adoptPdfiumModule(pdfium);
  let notice: (mayHang: boolean) => void = () => {};
  const pictures = new PagePictures(file, style, reader, (page) => notice(page !== undefined));
  try {
    const draw = async (task: PageTask, mayHang: (is: boolean) => void): Promise<PageAnswer> => {
      notice = mayHang;
      try {
        const picture = await pictures.picture(task);
        return { ok: true, picture, missingFonts: pictures.missingFonts() };
      } catch (thrown) {
        // What this worker has no memory for, the other may have: that is for it to try.
        if (!(thrown instanceof ServiceError) || thrown.code === "out_of_memory") throw thrown;
        return { ok: false, error: thrown.toWire() };
      }
    };
    await serveTasks<PageTask, PageAnswer>(port, draw, (answer) =>
      answer.ok && !(answer.picture instanceof Blob) ? [answer.picture.buffer] : [],
    );
  } finally {
    pictures.close();
    port.close();
  }
}
