import { Layers } from "../features/layers/layer-lists.ts";
import { LayerStates } from "../features/layers/layer-states.ts";
import type { PdfDocument } from "../file/document.ts";
import {
  arrayOf,
  dictOf,
  nameOf,
  type PdfDict,
  type PdfObject,
  PdfRef,
  resolved,
} from "../syntax/objects.ts";

/** The layers of a document that are hidden when it is opened (ISO 32000-2, 8.11.4), and those that are shown. */
export class HiddenLayers {
  /** The object numbers of the hidden layers. */
  readonly hidden: ReadonlySet<number>;
  readonly #document: PdfDocument;
  readonly #states: LayerStates | undefined;
  readonly #shown: readonly number[];

  constructor(document: PdfDocument) {
    this.#document = document;
    this.#states = LayerStates.of(document);
    const all = new Set<number>();
    const properties = document.catalog?.dict("OCProperties");
    for (const layer of properties?.array("OCGs") ?? []) if (layer instanceof PdfRef) all.add(layer.num);
    const isShown = (num: number) => this.#states?.isShown(document.referenceTo(num)) ?? true;
    this.#shown = [...all].filter(isShown);
    this.hidden = new Set([...all].filter((num) => !isShown(num)));
  }

  /** Whether the document has layers. Content may be hidden although each of them is shown. */
  get mayHide(): boolean {
    return this.#states !== undefined;
  }

  /**
   * Whether readers disagree about a hidden layer: its intent is not one of those that the configuration is for. By the
   * standard, it then hides nothing (8.11.2.3). Some readers hide its content all the same.
   */
  get isUnclear(): boolean {
    const wanted = intentsOf(this.#document.catalog?.dict("OCProperties")?.dict("D"));
    return [...this.hidden].some((num) => {
      const intents = intentsOf(dictOf(this.#document.referenceTo(num)));
      return (
        !wanted.includes("All") && !intents.some((intent) => intent === "All" || wanted.includes(intent))
      );
    });
  }

  /** Returns whether content is hidden, by its `OC` entry or its property list. */
  hides(content: PdfObject | undefined): boolean {
    return this.#states !== undefined && !this.#states.isShown(content);
  }

  /** Returns whether a membership dictionary names a hidden layer. Its content is shown, and stays so without that layer. */
  dependsOnHidden(membership: PdfDict): boolean {
    const stack = [membership.get("OCGs"), membership.get("VE")];
    const seen = new Set<number>();
    while (stack.length > 0) {
      const object = stack.pop();
      if (object instanceof PdfRef) {
        if (this.hidden.has(object.num)) return true;
        if (seen.has(object.num)) continue;
        seen.add(object.num);
      }
      const members = arrayOf(object);
      this.#document.budget.charge("entry", members.length);
      for (const member of members) stack.push(member);
    }
    return false;
  }

  /** Returns the catalog's `OCProperties` for the layers that are shown; undefined when none is. */
  get shownProperties(): PdfDict | undefined {
    return new Layers(this.#document).propertiesOf(this.#shown, () => true);
  }

  /** Returns whether an object is hidden by its own `OC` entry. */
  hidesObject(object: PdfObject | undefined): boolean {
    const found = resolved(object);
    const dict = found === null ? undefined : dictOf(found);
    return dict?.has("OC") === true && this.hides(dict.get("OC"));
  }
}

/** Returns the intents of a layer or a configuration (Tables 96 and 99). */
function intentsOf(dict: PdfDict | undefined): readonly string[] {
  return dict?.has("Intent") ? dict.list("Intent").map((intent) => nameOf(intent) ?? "") : ["View"];
}
