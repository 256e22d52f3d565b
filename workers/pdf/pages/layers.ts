import type { PdfDocument } from "../file/document.ts";
import { ListOwners } from "../file/list-owners.ts";
import { PdfDict, type PdfObject, PdfRef, PdfString } from "../syntax/objects.ts";
import { type Branch, KeyedTree } from "./keyed-tree.ts";

/** Layers may be listed this deep in groups. */
const DEPTH_LIMIT = 32;
const LISTS = ["ON", "OFF", "Order", "RBGroups", "Locked"];

/** A layer, or a group of those below it. */
type Listed =
  | { readonly kind: "layer"; readonly ref: PdfRef }
  | { readonly kind: "group"; readonly label: readonly PdfObject[] };
type LayerList = KeyedTree<Listed>;

/** Says which layers are shown, and how they are listed. */
interface Configuration {
  readonly dict: PdfDict;
  readonly lists: readonly (readonly [key: string, list: LayerList])[];
  readonly usages: readonly { readonly dict: PdfDict; readonly layers: LayerList }[];
}

/** A document's layers (ISO 32000-2, 8.11.4), the lists of which are read once. */
export class Layers {
  readonly #document: PdfDocument;
  /** The layers that any list has. */
  readonly #numbers = new Set<number>();
  /** Those lists that are objects of their own, by number: configurations may share them. */
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
   * The catalog's `OCProperties` for the layers that travel, so that what was hidden stays hidden; undefined when none
   * does. References are still the old file's.
   *
   * @param travelled the numbers of all objects that travel
   */
  propertiesOf(travelled: Iterable<number>): PdfDict | undefined {
    const dict = this.#document.dict(this.#document.catalog?.get("OCProperties"));
    if (!dict) return undefined;
    this.#properties ??= this.#read(dict);
    const { all, standard, others } = this.#properties;
    const kept = [...travelled].filter((num) => this.#numbers.has(num));
    const layers = objectsOf(all.branchesTo(kept));
    if (layers.length === 0) return undefined;
    const own = new PdfDict();
    own.set("OCGs", layers);
    own.set("D", standard ? pruned(standard, kept) : new PdfDict());
    if (others.length > 0)
      own.set(
        "Configs",
        others.map((other) => pruned(other, kept)),
      );
    return own;
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
    // Most layers are known by now, and need not be read.
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
    const num = object instanceof PdfRef ? this.#document.lastReference(object).num : undefined;
    const list = (num === undefined ? undefined : this.#shared.get(num)) ?? this.#readList(object, isLayer);
    if (num !== undefined) this.#shared.set(num, list);
    return list;
  }

  #readList(object: PdfObject | undefined, isLayer: (ref: PdfRef) => boolean): LayerList {
    const document = this.#document;
    const tree: LayerList = new KeyedTree(document.budget);
    const groups = new ListOwners(document);
    const add = (items: readonly PdfObject[], parent: number | undefined, depth: number) => {
      if (depth > DEPTH_LIMIT) return;
      for (const item of items) {
        const isKnown = item instanceof PdfRef && this.#numbers.has(item.num);
        // A group that is listed again is the same group.
        if (!isKnown && groups.ownerOf(item) !== undefined) continue;
        if (item instanceof PdfRef && isLayer(item)) {
          tree.add({ kind: "layer", ref: item }, parent, item.num);
          this.#numbers.add(item.num);
          continue;
        }
        const inner = document.resolve(item);
        if (!Array.isArray(inner)) continue;
        groups.claim(item, 0);
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

/** A configuration for the layers that are kept. */
function pruned({ dict, lists, usages }: Configuration, kept: readonly number[]): PdfDict {
  const own = dict.clone();
  const set = (key: string, objects: PdfObject[]) => {
    if (objects.length > 0) own.set(key, objects);
    else own.delete(key);
  };
  for (const [key, list] of lists) set(key, objectsOf(list.branchesTo(kept)));
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

/** Layers and groups of them as they are listed; a group of none goes with its label. */
function objectsOf(branches: readonly Branch<Listed>[]): PdfObject[] {
  return branches.map(({ node, branches: below }) =>
    node.kind === "layer" ? node.ref : [...node.label, ...objectsOf(below)],
  );
}
