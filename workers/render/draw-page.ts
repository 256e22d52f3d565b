import type { TimeLimit } from "../../src/shared/active-time.ts";
import { outOfMemory } from "../../src/shared/failure.ts";
import type { Turn } from "../../src/shared/rotation.ts";
import type { Size } from "../image/picture/size.ts";
import type { OpenPdf } from "./open-pdf.ts";
import type { Pointer } from "./wasm/pdfium.ts";

/** The color behind a page: red, green, blue and alpha, from 0 to 255. */
export type Paper = readonly [red: number, green: number, blue: number, alpha: number];

export const WHITE: Paper = [255, 255, 255, 255];

/** The result of drawing a page. The pixels may be in PDFium's memory. They are valid until the next page is drawn. */
export type Drawn =
  | { readonly kind: "drawn"; readonly pixels: Uint8ClampedArray<ArrayBuffer> }
  | { readonly kind: "no page" }
  | { readonly kind: "too slow" };

// From the C interface of PDFium (fpdfview.h, fpdf_progressive.h).
const BGRA = 4;
const FLAG = { annotations: 0x01, redFirst: 0x10 };
const TO_BE_CONTINUED = 1;

/** The most bytes of pixels in PDFium's memory. A larger picture is drawn in strips, which are put together outside. */
const LARGEST_BUFFER = 256 * 2 ** 20;

/**
 * The number of strips in which a page is drawn when memory is short. PDFium draws each transparent layer in a bitmap
 * of its own. Without memory for that bitmap, it leaves the layer out.
 */
const STRIPS = 16;

/**
 * Draws a page with its annotations and form fields. Draws it again in strips when memory is too short for the whole.
 *
 * @param size in pixels, as rotated by `turn` in addition to the rotation of the page
 * @param limit the longest time that drawing the page may take
 * @param onDrawn called with the page after it is drawn
 * @throws {ServiceError} `out_of_memory`, `input_too_large` when our limit of memory is too low
 * @throws {EngineFailure} when PDFium fails
 */
export function drawPage(
  pdf: OpenPdf,
  index: number,
  { width, height, turn = 0 }: Size & { readonly turn?: Turn | undefined },
  paper: Paper,
  limit: TimeLimit,
  onDrawn: (page: Pointer) => void = () => {},
): Drawn {
  const { engine, form } = pdf;
  const stride = 4 * width;
  const rowsAtOnce = Math.min(height, Math.floor(LARGEST_BUFFER / stride));
  const pixelsAt = engine.pixelBuffer(width * rowsAtOnce);
  const whole = rowsAtOnce < height ? new Uint8ClampedArray(stride * height) : undefined;
  const needsPause = engine.api.pdfium.addFunction(() => (limit.isOver() ? 1 : 0), "ii");
  const pause = engine.words(1, needsPause, 0);

  const drawStrip = (page: Pointer, top: number, rows: number) =>
    engine.call((api) => {
      const place = [0, -top, width, height, 0, FLAG.annotations | FLAG.redFirst] as const;
      const at = whole ? pixelsAt : pixelsAt + top * stride;
      const bitmap = api.FPDFBitmap_CreateEx(width, rows, BGRA, at, stride);
      try {
        api.FPDFBitmap_FillRect(bitmap, 0, 0, width, rows, color(paper));
        const status = api.FPDF_RenderPageBitmap_Start(bitmap, page, ...place, pause);
        api.FPDF_RenderPage_Close(page);
        if (status === TO_BE_CONTINUED) return false;
        api.FPDF_FFLDraw(form, bitmap, page, ...place);
        whole?.set(engine.view(pixelsAt, rows * stride), top * stride);
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
    const inTime = pdf.withTurnedPage(index, turn, (page) => {
      let drawn = drawStrips(page, rowsAtOnce);
      if (drawn.inTime && !drawn.isWhole) drawn = drawStrips(page, Math.ceil(rowsAtOnce / STRIPS));
      if (!drawn.inTime) return false;
      engine.throwIfLimited();
      if (!drawn.isWhole) throw outOfMemory();
      onDrawn(page);
      return true;
    });
    if (inTime === undefined) return { kind: "no page" };
    if (!inTime) return { kind: "too slow" };
    if (whole !== undefined) return { kind: "drawn", pixels: whole };
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
