import type { PdfDocument } from "../../file/document.ts";
import { ListOwners } from "../../file/list-owners.ts";
import { PdfDict, PdfName, type PdfObject, PdfReal, PdfRef, PdfString } from "../../syntax/objects.ts";
import { type Branch, KeyedTree } from "../keyed-tree.ts";

/** The most nested groups of layers. */
const DEPTH_LIMIT = 32;
const LISTS = ["ON", "OFF", "Order", "RBGroups", "Locked"];

/** A layer, or a group of those below it. */
type Listed =
  | { readonly kind: "layer"; readonly ref: PdfRef }
  | { readonly kind: "group"; readonly label: readonly PdfObject[] };
type LayerList = KeyedTree<Listed>;

/** An optional content configuration dictionary (ISO 32000-2, Table 99). */
interface Configuration {
  readonly dict: PdfDict;
  readonly lists: readonly (readonly [key: string, list: LayerList])[];
  readonly usages: readonly { readonly dict: PdfDict; readonly layers: LayerList }[];
}

/** A document's layers, which the standard calls optional content groups (ISO 32000-2, 8.11). */
export class Layers {
  readonly #document: PdfDocument;
  /** The layers in all lists. */
  readonly #numbers = new Set<number>();
  /** The lists that are indirect objects, by object number. Configurations may share them. */
  readonly #shared = new Map<number, LayerList>();
  #properties:
    | {
        readonly all: LayerList;
        readonly standard: Configuration | undefined;
        readonly others: readonly Configuration[];
      }
    | undefined;

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /**
   * Returns whether an object is a layer. A dictionary with another type is none. A dictionary without a type
   * is a layer when the document lists it as one.
   */
  isLayer(dict: PdfDict, num: number): boolean {
    if (dict.has("Type")) return dict.is("Type", "OCG");
    return dict.has("Name") && this.#all !== undefined && this.#numbers.has(num);
  }

  /**
   * Returns the catalog's `OCProperties` for the copied layers, so that hidden content stays hidden;
   * undefined when no layer is copied. References in it are those of the input.
   *
   * @param copied the object numbers of the copied layers
   * @param isListed whether the output lists a layer for the user
   */
  propertiesOf(copied: Iterable<number>, isListed: (num: number) => boolean): PdfDict | undefined {
    const properties = this.#all;
    if (!properties) return undefined;
    const { all, standard, others } = properties;
    const kept = [...copied].filter((num) => this.#numbers.has(num));
    const layers = { kept, listed: kept.filter(isListed) };
    const objects = objectsOf(all.branchesTo(kept));
    if (objects.length === 0) return undefined;
    const own = new PdfDict();
    own.set("OCGs", objects);
    own.set("D", standard ? pruned(standard, layers) : new PdfDict());
    // A configuration without a listed layer is of no use, and its name would be copied with it.
    const alternatives = others.filter(({ lists }) =>
      lists.some(([, list]) => list.branchesTo(layers.listed).length > 0),
    );
    if (alternatives.length > 0)
      own.set(
        "Configs",
        alternatives.map((other) => pruned(other, layers)),
      );
    return own;
  }

  get #all() {
    const dict = this.#properties
      ? undefined
      : this.#document.dict(this.#document.catalog?.get("OCProperties"));
    if (dict) this.#properties = this.#read(dict);
    return this.#properties;
  }

  #read(properties: PdfDict) {
    const document = this.#document;
    const all = this.#list(properties.get("OCGs"), () => true);
    const standard = document.dict(properties.get("D"));
    return {
      all,
      standard: standard && this.#configuration(standard),
      others: document.array(properties.get("Configs")).flatMap((config) => {
        const dict = document.dict(config);
        return dict ? [this.#configuration(dict)] : [];
      }),
    };
  }

  #configuration(dict: PdfDict): Configuration {
    const document = this.#document;
    // Most layers are known already and need not be read.
    const isLayer = (ref: PdfRef) => this.#numbers.has(ref.num) || document.resolve(ref) instanceof PdfDict;
    return {
      dict,
      lists: LISTS.map((key) => [key, this.#list(dict.get(key), isLayer)] as const),
      usages: document.array(dict.get("AS")).flatMap((object) => {
        const usage = document.dict(object);
        return usage ? [{ dict: usage, layers: this.#list(usage.get("OCGs"), isLayer) }] : [];
      }),
    };
  }

  #list(object: PdfObject | undefined, isLayer: (ref: PdfRef) => boolean): LayerList {
    const num = object instanceof PdfRef ? object.num : undefined;
    const list = (num === undefined ? undefined : this.#shared.get(num)) ?? this.#readList(object, isLayer);
    if (num !== undefined) this.#shared.set(num, list);
    return list;
  }

  #readList(object: PdfObject | undefined, isLayer: (ref: PdfRef) => boolean): LayerList {
    const document = this.#document;
    const tree: LayerList = new KeyedTree(document.budget);
    const groups = new ListOwners();
    const add = (items: readonly PdfObject[], parent: number | undefined, depth: number) => {
      if (depth > DEPTH_LIMIT) return;
      for (const item of items) {
        const isKnown = item instanceof PdfRef && this.#numbers.has(item.num);
        // The list has this group already.
        if (!isKnown && groups.isTaken(item)) continue;
        if (item instanceof PdfRef && isLayer(item)) {
          tree.add({ kind: "layer", ref: item }, parent, item.num);
          this.#numbers.add(item.num);
          continue;
        }
        const inner = document.resolve(item);
        if (!Array.isArray(inner)) continue;
        groups.claim(item);
        const [first = null] = inner;
        const label = first instanceof PdfRef && isLayer(first) ? null : document.resolve(first);
        const group: Listed = { kind: "group", label: label instanceof PdfString ? [label] : [] };
        add(inner, tree.add(group, parent, undefined), depth + 1);
      }
    };
    add(document.array(object), undefined, 0);
    return tree;
  }
}

/** The copied layers, and those of them that the output lists for the user. */
interface KeptLayers {
  readonly kept: readonly number[];
  readonly listed: readonly number[];
}

/** Returns a configuration for the kept layers. */
function pruned({ dict, lists, usages }: Configuration, { kept, listed }: KeptLayers): PdfDict {
  const own = dict.clone();
  const set = (key: string, objects: PdfObject[]) => {
    if (objects.length > 0) own.set(key, objects);
    else own.delete(key);
  };
  for (const [key, list] of lists) {
    set(key, objectsOf(list.branchesTo(key === "Order" ? listed : kept)));
  }
  const keptUsages = usages.flatMap(({ dict: usage, layers }) => {
    const applied = objectsOf(layers.branchesTo(kept));
    if (applied.length === 0) return [];
    const keptUsage = usage.clone();
    keptUsage.set("OCGs", applied);
    return [keptUsage];
  });
  set("AS", keptUsages);
  return own;
}

/** Returns layers and groups as a list. Leaves out empty groups with their labels. */
function objectsOf(branches: readonly Branch<Listed>[]): PdfObject[] {
  return branches.map(({ node, branches: below }) =>
    node.kind === "layer" ? node.ref : [...node.label, ...objectsOf(below)],
  );
}

/** The usages that decide whether a layer is shown (ISO 32000-2, Table 100). */
const USAGES = ["Export", "Zoom", "Print", "View"];

/** Returns a layer that is shown and hidden like the given one and holds no other data of it. */
export function namelessLayer(document: PdfDocument, layer: PdfDict): PdfDict {
  const own = PdfDict.from([
    ["Type", PdfName.of("OCG")],
    ["Name", new PdfString(new Uint8Array())],
  ]);
  const plain = (object: PdfObject | undefined) => {
    const found = document.resolve(object);
    const names = Array.isArray(found) ? found.map((item) => document.resolve(item)) : [found];
    return names.every((name) => name instanceof PdfName) ? found : null;
  };
  const intent = plain(layer.get("Intent"));
  if (intent !== null) own.set("Intent", intent);
  const usage = document.dict(layer.get("Usage"));
  const states = new PdfDict();
  for (const key of USAGES) {
    const use = document.dict(usage?.get(key));
    // Layers may share a dictionary.
    document.budget.charge("entry", use?.size ?? 0);
    const entries = [...(use?.entries() ?? [])].map(([name, value]): [string, PdfObject] => [
      name,
      document.resolve(value),
    ]);
    const kept = entries.filter(
      ([, value]) => value instanceof PdfName || value instanceof PdfReal || typeof value === "number",
    );
    if (kept.length > 0) states.set(key, PdfDict.from(kept));
  }
  if (states.size > 0) own.set("Usage", states);
  return own;
}
