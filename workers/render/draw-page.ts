import { ActiveTime } from "../../src/shared/active-time.ts";
import { outOfMemory } from "../../src/shared/failure.ts";
import type { Size } from "../image/picture/size.ts";
import type { OpenPdf } from "./open-pdf.ts";
import type { Pointer } from "./wasm/pdfium.ts";

/** The color behind a page: red, green, blue and alpha, from 0 to 255. */
export type Paper = readonly [red: number, green: number, blue: number, alpha: number];

export const WHITE: Paper = [255, 255, 255, 255];

/** The result of drawing a page. The pixels are in PDFium's memory and are valid until the next page is drawn. */
export type Drawn =
  | { readonly kind: "drawn"; readonly pixels: Uint8ClampedArray<ArrayBuffer> }
  | { readonly kind: "no page" }
  | { readonly kind: "too slow" };

// From the C interface of PDFium (fpdfview.h, fpdf_progressive.h).
const BGRA = 4;
const FLAG = { annotations: 0x01, redFirst: 0x10 };
const TO_BE_CONTINUED = 1;

/**
 * The number of strips in which a page is drawn when memory is short. PDFium draws each transparent layer in a bitmap
 * of its own. Without memory for that bitmap, it leaves the layer out.
 */
const STRIPS = 16;

/**
 * Draws a page with its annotations and form fields. Draws it again in strips when memory is too short for the whole.
 *
 * @param size in pixels
 * @param timeoutMs the longest time that drawing the page may take, in milliseconds
 * @param onDrawn called with the page after it is drawn
 * @throws {ServiceError} `out_of_memory`
 * @throws {EngineFailure} when PDFium fails
 */
export function drawPage(
  pdf: OpenPdf,
  index: number,
  { width, height }: Size,
  paper: Paper,
  timeoutMs: number,
  onDrawn: (page: Pointer) => void = () => {},
): Drawn {
  const { engine, form } = pdf;
  const stride = 4 * width;
  const pixelsAt = engine.pixelBuffer(width * height);
  const time = new ActiveTime();
  const needsPause = engine.api.pdfium.addFunction(() => (time.elapsed() > timeoutMs ? 1 : 0), "ii");
  const pause = engine.words(1, needsPause, 0);

  const drawStrip = (page: Pointer, top: number, rows: number) =>
    engine.call((api) => {
      const place = [0, -top, width, height, 0, FLAG.annotations | FLAG.redFirst] as const;
      const bitmap = api.FPDFBitmap_CreateEx(width, rows, BGRA, pixelsAt + top * stride, stride);
      try {
        api.FPDFBitmap_FillRect(bitmap, 0, 0, width, rows, color(paper));
        const status = api.FPDF_RenderPageBitmap_Start(bitmap, page, ...place, pause);
        api.FPDF_RenderPage_Close(page);
        if (status === TO_BE_CONTINUED) return false;
        api.FPDF_FFLDraw(form, bitmap, page, ...place);
        return true;
      } finally {
        api.FPDFBitmap_Destroy(bitmap);
      }
    });
  /** Returns whether the strips were drawn in time, and whether memory was enough. */
  const drawStrips = (page: Pointer, rows: number) => {
    engine.forgetRefusals();
    for (let top = 0; top < height; top += rows) {
      if (!drawStrip(page, top, Math.min(rows, height - top))) return { inTime: false, isWhole: false };
    }
    return { inTime: true, isWhole: !engine.hasRefused(rows * stride) };
  };

  try {
    const inTime = pdf.withPage(index, (page) => {
      let drawn = drawStrips(page, height);
      if (drawn.inTime && !drawn.isWhole) drawn = drawStrips(page, Math.ceil(height / STRIPS));
      if (!drawn.inTime) return false;
      if (!drawn.isWhole) throw outOfMemory();
      onDrawn(page);
      return true;
    });
    if (inTime === undefined) return { kind: "no page" };
    if (!inTime) return { kind: "too slow" };
    const { buffer } = engine.view(pixelsAt, 0);
    return { kind: "drawn", pixels: new Uint8ClampedArray(buffer, pixelsAt, stride * height) };
  } finally {
    engine.free(pause);
    engine.api.pdfium.removeFunction(needsPause);
  }
}

/**
 * Returns a color for `FPDFBitmap_FillRect`. Red and blue are exchanged, because the flag for red first applies to
 * drawing only, not to filling.
 */
function color([red, green, blue, alpha]: Paper): number {
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
