import { ServiceError, type WireError } from "../../src/shared/errors.ts";
import { type LimitName, MOST_HELPER_MEMORY } from "../call-budget.ts";
import type { SyncReader } from "../io/blob-source.ts";
import { taskServer } from "../parallel/task-server.ts";
import { adoptPdfiumModule } from "./load-pdfium.ts";
import { type MadePicture, PagePictures, type PictureStyle } from "./page-pictures.ts";
import type { WantedPage } from "./rendering-plan.ts";
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
  | ({ readonly ok: true; readonly missingFonts: readonly string[] } & MadePicture)
  | { readonly ok: false; readonly error: WireError };

/** Draws pages for another worker, until the lease ends. */
export async function servePages(
  { file, style, pdfium }: PagesRequest,
  port: MessagePort,
  reader: SyncReader,
): Promise<void> {
  await adoptPdfiumModule(pdfium);
  let notify: (mayHang: boolean) => void = () => {};
  const watch = {
    enter: () => notify(true),
    leave: () => notify(false),
    withdraw: () => {},
  };
  const pictures = new PagePictures(file, style, reader, { watch, mostMemory: MOST_HELPER_MEMORY });
  try {
    const draw = async (task: WantedPage, mayHang: (may: boolean) => void): Promise<PageAnswer> => {
      notify = mayHang;
      try {
        const { picture: drawn, size } = await pictures.picture(task);
        // Firefox never reads some Blobs that hold a Blob of another worker.
        const picture = drawn instanceof Blob ? new Uint8Array(await drawn.arrayBuffer()) : drawn;
        return { ok: true, picture, size, missingFonts: pictures.missingFonts() };
      } catch (thrown) {
        // The other worker may have enough memory. It draws the page again.
        if (!(thrown instanceof ServiceError) || needsMemory(thrown)) throw thrown;
        return { ok: false, error: thrown.toWire() };
      }
    };
    await taskServer<WantedPage, PageAnswer>(port, draw, (answer) =>
      answer.ok && !(answer.picture instanceof Blob) ? [answer.picture.buffer] : [],
    );
  } finally {
    pictures.close();
    port.close();
  }
}

/** Whether an error says that this worker has too little memory. */
function needsMemory({ code, details }: ServiceError): boolean {
  return code === "out_of_memory" || details.limit === ("memory_bytes" satisfies LimitName);
}
