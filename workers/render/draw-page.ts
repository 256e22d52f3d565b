import type { OpenPdf } from "./open-pdf.ts";
import type { Size } from "./page-size.ts";
import type { Pointer } from "./wasm/pdfium.ts";

/** What lies under a page: red, green, blue and alpha, from 0 to 255. */
export type Paper = readonly [red: number, green: number, blue: number, alpha: number];

export const WHITE: Paper = [255, 255, 255, 255];

/** How the drawing of a page ended. The pixels are in PDFium's memory: good until the next page. */
export type Drawn =
  | { readonly kind: "drawn"; readonly pixels: Uint8ClampedArray<ArrayBuffer> }
  | { readonly kind: "no page" }
  | { readonly kind: "too slow" };

// Of PDFium's C interface (fpdfview.h, fpdf_progressive.h).
const BGRA = 4;
const FLAG = { annotations: 0x01, redFirst: 0x10 };
const TO_BE_CONTINUED = 1;

/**
 * Draws a page, its annotations and its form fields.
 *
 * @param size in pixels
 * @param patience in milliseconds, after which the page is given up
 * @param look is shown the page once it is drawn
 * @throws {EngineFailure} when PDFium gives up
 */
export function drawPage(
  pdf: OpenPdf,
  index: number,
  { width, height }: Size,
  paper: Paper,
  patience: number,
  look: (page: Pointer) => void = () => {},
): Drawn {
  const { engine, form } = pdf;
  const place = [0, 0, width, height, 0, FLAG.annotations | FLAG.redFirst] as const;
  const room = engine.pixelRoom(width * height);
  const until = performance.now() + patience;
  const needsPause = engine.api.pdfium.addFunction(() => (performance.now() > until ? 1 : 0), "ii");
  const pause = engine.words(1, needsPause, 0);
  try {
    const inTime = pdf.withPage(index, (page) => {
      const isDrawn = engine.call((api) => {
        const bitmap = api.FPDFBitmap_CreateEx(width, height, BGRA, room, 4 * width);
        try {
          api.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, colour(paper));
          const status = api.FPDF_RenderPageBitmap_Start(bitmap, page, ...place, pause);
          api.FPDF_RenderPage_Close(page);
          if (status === TO_BE_CONTINUED) return false;
          api.FPDF_FFLDraw(form, bitmap, page, ...place);
          return true;
        } finally {
          api.FPDFBitmap_Destroy(bitmap);
        }
      });
      if (isDrawn) look(page);
      return isDrawn;
    });
    if (inTime === undefined) return { kind: "no page" };
    if (!inTime) return { kind: "too slow" };
    const { buffer } = engine.view(room, 0);
    return { kind: "drawn", pixels: new Uint8ClampedArray(buffer, room, 4 * width * height) };
  } finally {
    engine.free(pause);
    engine.api.pdfium.removeFunction(needsPause);
  }
}

/** As PDFium takes it: filling does not know that red comes first in the bitmap. */
function colour([red, green, blue, alpha]: Paper): number {
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
