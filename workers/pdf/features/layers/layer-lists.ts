import type { PdfDocument } from "../../file/document.ts";
import { ListOwners } from "../../file/list-owners.ts";
import { dictOf, PdfDict, type PdfObject, PdfRef, PdfString, resolved } from "../../syntax/objects.ts";
import { setList } from "../combined-dicts.ts";
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
    const objects = objectsOf(all.subtreesWith(kept));
    if (objects.length === 0) return undefined;
    // A configuration without a listed layer is of no use, and its name would be copied with it.
    const alternatives = others.filter(({ lists }) =>
      lists.some(([, list]) => list.subtreesWith(layers.listed).length > 0),
    );
    const reduced = PdfDict.from([
      ["OCGs", objects],
      ["D", standard ? pruned(standard, layers) : new PdfDict()],
    ]);
    const configurations = alternatives.map((other) => pruned(other, layers));
    if (configurations.length > 0) reduced.set("Configs", configurations);
    return reduced;
  }

  get #all() {
    const dict = this.#properties ? undefined : this.#document.catalog?.dict("OCProperties");
    if (dict) this.#properties = this.#read(dict);
    return this.#properties;
  }

  #read(properties: PdfDict) {
    const all = this.#list(properties, "OCGs", () => true);
    const standard = properties.dict("D");
    return {
      all,
      standard: standard && this.#configuration(standard),
      others: properties.array("Configs").flatMap((config) => {
        const dict = dictOf(config);
        return dict ? [this.#configuration(dict)] : [];
      }),
    };
  }

  #configuration(dict: PdfDict): Configuration {
    // Most layers are known already and need not be read.
    const isLayer = (ref: PdfRef) => this.#numbers.has(ref.num) || ref.resolve() instanceof PdfDict;
    return {
      dict,
      lists: LISTS.map((key) => [key, this.#list(dict, key, isLayer)] as const),
      usages: dict.array("AS").flatMap((object) => {
        const usage = dictOf(object);
        return usage ? [{ dict: usage, layers: this.#list(usage, "OCGs", isLayer) }] : [];
      }),
    };
  }

  #list(dict: PdfDict, key: string, isLayer: (ref: PdfRef) => boolean): LayerList {
    const num = dict.reference(key)?.num;
    const known = num === undefined ? undefined : this.#shared.get(num);
    const list = known ?? this.#readList(dict.array(key), isLayer);
    if (num !== undefined) this.#shared.set(num, list);
    return list;
  }

  #readList(list: readonly PdfObject[], isLayer: (ref: PdfRef) => boolean): LayerList {
    const tree: LayerList = new KeyedTree(this.#document.budget);
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
        const inner = resolved(item);
        if (!Array.isArray(inner)) continue;
        groups.claim(item);
        const [first = null] = inner;
        const label = first instanceof PdfRef && isLayer(first) ? null : resolved(first);
        const group: Listed = { kind: "group", label: label instanceof PdfString ? [label] : [] };
        add(inner, tree.add(group, parent, undefined), depth + 1);
      }
    };
    add(list, undefined, 0);
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
  const reduced = dict.clone();
  for (const [key, list] of lists) {
    setList(reduced, key, objectsOf(list.subtreesWith(key === "Order" ? listed : kept)));
  }
  const keptUsages = usages.flatMap(({ dict: usage, layers }) => {
    const applied = objectsOf(layers.subtreesWith(kept));
    if (applied.length === 0) return [];
    const keptUsage = usage.clone();
    keptUsage.set("OCGs", applied);
    return [keptUsage];
  });
  setList(reduced, "AS", keptUsages);
  return reduced;
}

/** Returns layers and groups as a list. Leaves out empty groups with their labels. */
function objectsOf(branches: readonly Branch<Listed>[]): PdfObject[] {
  return branches.map(({ node, branches: below }) =>
    node.kind === "layer" ? node.ref : [...node.label, ...objectsOf(below)],
  );
}
