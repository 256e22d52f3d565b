import type { PdfiumEngine } from "./engine.ts";
import type { PdfiumApi, Pointer } from "./wasm/pdfium.ts";

/** A rectangle. The y axis of a page points up, that of a drawn page down. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The size of `FS_RECTF`, four floats (fpdfview.h). */
const BOX_BYTES = 16;

/** Calls PDFium with a place for a box. */
export function withBox<Result>(engine: PdfiumEngine, work: (at: Pointer, api: PdfiumApi) => Result): Result {
  const at = engine.allocate(BOX_BYTES);
  try {
    return engine.call((api) => work(at, api));
  } finally {
    engine.free(at);
  }
}

/** Returns the box that PDFium has written. */
export function boxAt(engine: PdfiumEngine, at: Pointer): Box {
  const { buffer, byteOffset } = engine.view(at, BOX_BYTES);
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(buffer, byteOffset, 4);
  return { left, top, right, bottom };
}

/**
 * Returns a function from boxes in the coordinates of a page to boxes on the page as it is drawn: in points from its top
 * left corner, cropped and rotated (ISO 32000-2, 8.3.2.3 and Table 31).
 *
 * @param userUnit the length of a user unit, in points
 */
export function pageGeometry(engine: PdfiumEngine, page: Pointer, userUnit: number): (box: Box) => Box {
  const crop = withBox(engine, (at, api) => {
    api.FPDF_GetPageBoundingBox(page, at);
    return boxAt(engine, at);
  });
  const turns = engine.call((api) => api.FPDFPage_GetRotation(page));
  const shown = (x: number, y: number): readonly [x: number, y: number] => {
    switch (turns) {
      case 1:
        return [y - crop.bottom, x - crop.left];
      case 2:
        return [crop.right - x, y - crop.bottom];
      case 3:
        return [crop.top - y, crop.right - x];
      default:
        return [x - crop.left, crop.top - y];
    }
  };
  return ({ left, top, right, bottom }) => {
    const [x1, y1] = shown(left, top);
    const [x2, y2] = shown(right, bottom);
    return {
      left: userUnit * Math.min(x1, x2),
      top: userUnit * Math.min(y1, y2),
      right: userUnit * Math.max(x1, x2),
      bottom: userUnit * Math.max(y1, y2),
    };
  };
}
