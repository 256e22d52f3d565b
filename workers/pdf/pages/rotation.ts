import { addTurns, type Turn } from "../../../src/shared/rotation.ts";
import { numberOf, type PdfDict, type PdfObject } from "../syntax/objects.ts";

/** Returns the value of a `Rotate` entry in quarter turns, which may be negative. Readers ignore the rest of a division. */
export function quarterTurnsOf(rotate: PdfObject | undefined): number {
  return Math.trunc((numberOf(rotate) ?? 0) / 90);
}

/** Rotates a page with all its attributes, also inherited ones (ISO 32000-2, Table 31). */
export function rotatePage(page: PdfDict, turn: Turn): void {
  if (turn !== 0) page.set("Rotate", addTurns(90 * (quarterTurnsOf(page.value("Rotate")) % 4), turn));
}
