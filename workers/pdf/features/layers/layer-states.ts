import type { PdfDocument } from "../../file/document.ts";
import {
  arrayOf,
  dictOf,
  nameOf,
  PdfDict,
  PdfName,
  type PdfObject,
  PdfRef,
  resolved,
} from "../../syntax/objects.ts";

/** The most nested visibility expressions, and the most members of one. */
const DEPTH_LIMIT = 32;
const MEMBER_LIMIT = 10_000;

/** The visibility of layers when the document is opened on a screen (ISO 32000-2, 8.11.4). */
export class LayerStates {
  readonly #isShownByDefault: boolean;
  readonly #states = new Map<number, boolean>();
  /** What is known of membership dictionaries: content names one again and again. */
  readonly #memberships = new Map<number | PdfDict, boolean>();
  readonly #document: PdfDocument;

  private constructor(document: PdfDocument, configuration: PdfDict | undefined) {
    this.#document = document;
    this.#isShownByDefault = !configuration?.is("BaseState", "OFF");
    for (const layer of this.#layers(configuration?.get("ON"))) this.#states.set(layer, true);
    for (const layer of this.#layers(configuration?.get("OFF"))) this.#states.set(layer, false);
    for (const layer of this.#automatic(configuration)) {
      const view = dictOf(document.referenceTo(layer))?.dict("Usage")?.dict("View");
      if (view?.has("ViewState")) this.#states.set(layer, !view.is("ViewState", "OFF"));
    }
  }

  /** Returns undefined for a document without layers. */
  static of(document: PdfDocument): LayerStates | undefined {
    const properties = document.catalog?.dict("OCProperties");
    return properties && new LayerStates(document, properties.dict("D"));
  }

  /**
   * Returns whether content is visible.
   *
   * @param content its `OC` entry: a layer, or a membership dictionary (8.11.2.2)
   */
  isShown(content: PdfObject | undefined): boolean {
    const dict = dictOf(content);
    if (dict === undefined) return true;
    if (!dict.is("Type", "OCMD")) return !(content instanceof PdfRef) || this.#isLayerShown(content.num);
    const key = content instanceof PdfRef ? content.num : dict;
    const known = this.#memberships.get(key);
    if (known !== undefined) return known;
    const isShown = this.#isMembershipShown(dict);
    this.#memberships.set(key, isShown);
    return isShown;
  }

  #isMembershipShown(dict: PdfDict): boolean {
    const expression = dict.value("VE");
    if (Array.isArray(expression)) return this.#holds(expression, 0, { members: MEMBER_LIMIT });
    const layers = dict.get("OCGs");
    // Many memberships may share one list.
    this.#document.budget.charge("entry", arrayOf(layers).length);
    const isOne = resolved(layers) instanceof PdfDict;
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
    if (expression instanceof PdfRef && dictOf(expression)) {
      return this.#isLayerShown(expression.num);
    }
    const members = arrayOf(expression);
    const [operator, ...operands] = members;
    left.members -= operands.length;
    this.#document.budget.charge("entry", operands.length);
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
    return (configuration?.array("AS") ?? []).flatMap((entry) => {
      const application = dictOf(entry);
      // The states for viewing count only if the entry `View` is asked for.
      const asksView = application?.list("Category").some((name) => nameOf(name) === "View") === true;
      return asksView && application?.is("Event", "View") ? this.#layers(application.get("OCGs")) : [];
    });
  }

  #layers(list: PdfObject | undefined): number[] {
    return arrayOf(list).flatMap((layer) => (layer instanceof PdfRef ? [layer.num] : []));
  }
}
