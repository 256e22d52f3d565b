import { CodeSet } from "./content-use.ts";

/** What the content of one output uses that is shared with other pages, by object numbers of the input. */
export class PartUse {
  readonly #codes = new Map<number, CodeSet>();
  readonly #layers = new Set<number>();

  /** Takes into account that text of these codes is shown in a Type 3 font. */
  addText(font: number, codes: CodeSet): void {
    const known = this.#codes.get(font) ?? new CodeSet();
    known.addAll(codes);
    this.#codes.set(font, known);
  }

  /** The codes of all text that is shown in a Type 3 font. */
  codesOf(font: number): CodeSet {
    return this.#codes.get(font) ?? new CodeSet();
  }

  /** Takes into account that something that travels names an object as its layer. */
  addLayer(layer: number): void {
    this.#layers.add(layer);
  }

  /** Whether something that travels names a layer itself. */
  namesLayer(layer: number): boolean {
    return this.#layers.has(layer);
  }
}
