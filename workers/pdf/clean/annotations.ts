import type { PdfDict } from "../syntax/objects.ts";
import { STATIC_ANNOTATIONS } from "./places.ts";

/** Flags of annotations (ISO 32000-2, Table 167). */
const HIDDEN = 1 << 1;
const PRINT = 1 << 2;
const NO_ROTATE = 1 << 4;
const NO_VIEW = 1 << 5;

/** Returns whether an annotation is not drawn on the screen. */
export function isHidden(annotation: PdfDict): boolean {
  return (flagsOf(annotation) & (HIDDEN | NO_VIEW)) !== 0;
}

/** Returns whether an annotation is neither drawn on the screen nor printed, and nothing shows it later. */
export function isHiddenForGood(annotation: PdfDict): boolean {
  const isPrinted = (flagsOf(annotation) & (HIDDEN | PRINT)) === PRINT;
  return STATIC_ANNOTATIONS.has(annotation.name("Subtype") ?? "") && isHidden(annotation) && !isPrinted;
}

/** Returns whether an annotation does not rotate with its page. */
export function staysUpright(annotation: PdfDict): boolean {
  return (flagsOf(annotation) & NO_ROTATE) !== 0;
}

/**
 * Returns whether flattening draws an annotation or removes it. Readers draw one that has no appearance in ways of their own, so it
 * stays as it is. A popup belongs to an annotation that is gone.
 */
export function isDrawn(annotation: PdfDict): boolean {
  const type = annotation.name("Subtype");
  return annotation.has("AP") || type === "Widget" || type === "Popup";
}

function flagsOf(annotation: PdfDict): number {
  return annotation.integer("F") ?? 0;
}
