import type { PdfDocument } from "../../file/document.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef } from "../../syntax/objects.ts";

/** The most nested visibility expressions, and the most members of one. */
const DEPTH_LIMIT = 32;
const MEMBER_LIMIT = 10_000;

/** The visibility of layers when the document is opened on a screen (ISO 32000-2, 8.11.4). */
export class LayerStates {
  readonly #document: PdfDocument;
  readonly #isShownByDefault: boolean;
  readonly #states = new Map<number, boolean>();

  private constructor(document: PdfDocument, configuration: PdfDict | undefined) {
    this.#document = document;
    this.#isShownByDefault = !configuration?.is("BaseState", "OFF");
    for (const layer of this.#layers(configuration?.get("ON"))) this.#states.set(layer, true);
    for (const layer of this.#layers(configuration?.get("OFF"))) this.#states.set(layer, false);
    for (const layer of this.#automatic(configuration)) {
      const usage = document.dict(document.dict(new PdfRef(layer, 0))?.get("Usage"));
      const view = document.dict(usage?.get("View"));
      if (view?.has("ViewState")) this.#states.set(layer, !view.is("ViewState", "OFF"));
    }
  }

  /** Returns undefined for a document without layers. */
  static of(document: PdfDocument): LayerStates | undefined {
    const properties = document.dict(document.catalog?.get("OCProperties"));
    return properties && new LayerStates(document, document.dict(properties.get("D")));
  }

  /**
   * Returns whether content is visible.
   *
   * @param content its `OC` entry: a layer, or a membership dictionary (8.11.2.2)
   */
  isShown(content: PdfObject | undefined): boolean {
    const dict = this.#document.dict(content);
    if (dict === undefined) return true;
    if (!dict.is("Type", "OCMD")) return !(content instanceof PdfRef) || this.#isLayerShown(content.num);
    const expression = this.#document.resolve(dict.get("VE"));
    if (Array.isArray(expression)) return this.#holds(expression, 0, { members: MEMBER_LIMIT });
    const layers = dict.get("OCGs");
    const isOne = this.#document.resolve(layers) instanceof PdfDict;
    const states = this.#layers(isOne && layers ? [layers] : layers).map((layer) =>
      this.#isLayerShown(layer),
    );
    return states.length === 0 || this.#follows(dict, states);
  }

  /** Applies the visibility policy of a membership dictionary, its entry `P`. */
  #follows(membership: PdfDict, states: readonly boolean[]): boolean {
    if (membership.is("P", "AllOn")) return states.every((isOn) => isOn);
    if (membership.is("P", "AnyOff")) return states.some((isOn) => !isOn);
    if (membership.is("P", "AllOff")) return states.every((isOn) => !isOn);
    return states.some((isOn) => isOn);
  }

  /** Evaluates a visibility expression. */
  #holds(expression: PdfObject, depth: number, left: { members: number }): boolean {
    if (expression instanceof PdfRef && this.#document.dict(expression)) {
      return this.#isLayerShown(expression.num);
    }
    const members = this.#document.array(expression);
    const [operator, ...operands] = members;
    left.members -= operands.length;
    if (depth > DEPTH_LIMIT || left.members < 0 || !(operator instanceof PdfName)) return true;
    const holds = (operand: PdfObject) => this.#holds(operand, depth + 1, left);
    switch (operator.value) {
      case "And":
        return operands.every(holds);
      case "Or":
        return operands.some(holds);
      case "Not":
        return operands[0] === undefined || !holds(operands[0]);
      default:
        return true;
    }
  }

  #isLayerShown(layer: number): boolean {
    return this.#states.get(layer) ?? this.#isShownByDefault;
  }

  /** Returns the layers that usage dictionaries switch for viewing (8.11.4.4). */
  #automatic(configuration: PdfDict | undefined): readonly number[] {
    return this.#document.array(configuration?.get("AS")).flatMap((entry) => {
      const application = this.#document.dict(entry);
      return application?.is("Event", "View") ? this.#layers(application.get("OCGs")) : [];
    });
  }

  #layers(list: PdfObject | undefined): number[] {
    return this.#document.array(list).flatMap((layer) => (layer instanceof PdfRef ? [layer.num] : []));
  }
}
