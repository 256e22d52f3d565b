import { CodeSet } from "./content-use.ts";

/** The shared objects that the content of one output uses, by their object numbers in the input. */
export class PartUse {
  readonly #codes = new Map<number, CodeSet>();
  readonly #layers = new Set<number>();

  /** Records text of these codes in a Type 3 font. */
  addText(font: number, codes: CodeSet): void {
    const known = this.#codes.get(font) ?? new CodeSet();
    known.addAll(codes);
    this.#codes.set(font, known);
  }

  /** Returns the codes of all recorded text in a Type 3 font. */
  codesOf(font: number): CodeSet {
    return this.#codes.get(font) ?? new CodeSet();
  }

  /** Records that a copied object names a layer. */
  addLayer(layer: number): void {
    this.#layers.add(layer);
  }

  /** Returns whether a copied object names the layer itself. */
  namesLayer(layer: number): boolean {
    return this.#layers.has(layer);
  }
}
