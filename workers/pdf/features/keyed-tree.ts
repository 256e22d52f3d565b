import type { WorkBudget } from "../file/work-budget.ts";

/** A node of a subtree. */
export interface Branch<Node> {
  readonly node: Node;
  /** Whether it has one of the keys. Otherwise it is an ancestor of such a node. */
  readonly matches: boolean;
  readonly branches: readonly Branch<Node>[];
}

/** A tree with an index by keys. Returns subtrees without visiting the whole tree. */
export class KeyedTree<Node> {
  readonly #nodes: { readonly node: Node; readonly parent: number }[] = [];
  readonly #places = new Map<number, number[]>();
  readonly #budget: WorkBudget;

  /** @param budget charged with the nodes of the tree and of all subtrees */
  constructor(budget: WorkBudget) {
    this.#budget = budget;
  }

  /**
   * Adds a node after its parent and its earlier siblings.
   *
   * @param parent the place of the parent, undefined at the top
   * @returns the place of the node
   */
  add(node: Node, parent: number | undefined, key: number | undefined): number {
    this.#budget.charge("keptEntry");
    const place = this.#nodes.length;
    this.#nodes.push({ node, parent: parent ?? -1 });
    if (key === undefined) return place;
    const known = this.#places.get(key);
    if (known) known.push(place);
    else this.#places.set(key, [place]);
    return place;
  }

  /** Returns the nodes with one of the keys and their ancestors, in order. */
  subtreesWith(keys: Iterable<number>): Branch<Node>[] {
    const matching = new Set<number>();
    for (const key of keys) {
      const places = this.#places.get(key) ?? [];
      this.#budget.charge("entry", 1 + places.length);
      for (const place of places) matching.add(place);
    }
    const found = new Set<number>();
    for (const first of matching) {
      for (let place = first; place >= 0 && !found.has(place); place = this.#nodes[place]?.parent ?? -1) {
        found.add(place);
      }
    }
    this.#budget.charge("keptEntry", found.size);
    const top: Branch<Node>[] = [];
    const listsBelow = new Map<number, Branch<Node>[]>();
    for (const place of [...found].sort((one, other) => one - other)) {
      const entry = this.#nodes[place];
      if (!entry) continue;
      const branches: Branch<Node>[] = [];
      listsBelow.set(place, branches);
      const list = listsBelow.get(entry.parent) ?? top;
      list.push({ node: entry.node, matches: matching.has(place), branches });
    }
    return top;
  }
}
