import type { PdfDocument } from "../file/document.ts";
import { dictOf, PdfDict, PdfRef, resolved } from "../syntax/objects.ts";
import type { LayerContent } from "./layer-content.ts";
import type { PlaceFinder } from "./place-finder.ts";

/**
 * Finds the structure elements whose content hidden layers draw, or a part of it, and those above them: their texts may say
 * what was there (ISO 32000-2, 14.7.2).
 */
export class LostElements {
  readonly #finder: PlaceFinder;
  readonly #layers: LayerContent;
  /** The object numbers of these elements. */
  readonly #lost = new Set<number>();

  constructor(document: PdfDocument, finder: PlaceFinder, layers: LayerContent) {
    this.#finder = finder;
    this.#layers = layers;
    const parents = new Map<number, number[]>();
    const found: number[] = [];
    for (const [num, kinds] of finder.kinds) {
      const element = kinds.includes("element") ? dictOf(document.referenceTo(num)) : undefined;
      if (!element) continue;
      const loses = this.#loses(element, (kid) => {
        document.budget.charge("keptEntry");
        const above = parents.get(kid);
        if (above) above.push(num);
        else parents.set(kid, [num]);
      });
      if (loses) found.push(num);
    }
    for (let num = found.pop(); num !== undefined; num = found.pop()) {
      if (this.#lost.has(num)) continue;
      this.#lost.add(num);
      for (const parent of parents.get(num) ?? []) found.push(parent);
    }
  }

  /** Returns whether an element, or one below it, has lost content. */
  has(element: PdfDict): boolean {
    let isAbove = false;
    const loses = this.#loses(element, (kid) => {
      isAbove ||= this.#lost.has(kid);
    });
    return loses || isAbove;
  }

  /**
   * Returns whether an element has lost content of its own.
   *
   * @param onElement called with the object numbers of the elements below it
   */
  #loses(element: PdfDict, onElement: (num: number) => void): boolean {
    const page = element.reference("Pg")?.num;
    let loses = false;
    for (const kid of element.list("K")) {
      const found = resolved(kid);
      if (typeof found === "number") loses ||= this.#layers.removedIdsOfPage(page).has(found);
      if (!(found instanceof PdfDict)) continue;
      if (found.has("MCID")) loses ||= this.#losesMarked(found, page);
      else if (found.has("Obj")) loses ||= this.#finder.layers.hidesObject(found.get("Obj"));
      else if (kid instanceof PdfRef) onElement(kid.num);
      else loses = this.#loses(found, onElement) || loses;
    }
    return loses;
  }

  /** Returns whether marked content is lost, by its reference (Table 357). */
  #losesMarked(reference: PdfDict, page: number | undefined): boolean {
    const stream = reference.stream("Stm");
    const ids = stream
      ? this.#layers.lossOf(stream).removedIds
      : this.#layers.removedIdsOfPage(reference.reference("Pg")?.num ?? page);
    return ids.has(reference.integer("MCID") ?? -1);
  }
}
