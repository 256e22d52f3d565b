import fc from "fast-check";
import { expect, it } from "vitest";
import { type Branch, KeyedTree } from "../../../../../workers/pdf/features/keyed-tree.ts";
import { WorkBudget } from "../../../../../workers/pdf/file/work-budget.ts";

interface Plain {
  readonly name: number;
  readonly key: number | undefined;
  readonly below: readonly Plain[];
}

const { tree: plainTree } = fc.letrec<{ tree: Plain[]; node: Plain }>((tie) => ({
  tree: fc.array(tie("node"), { maxLength: 4, depthIdentifier: "tree" }),
  node: fc.record({
    name: fc.nat(),
    key: fc.option(fc.nat(5), { nil: undefined }),
    below: fc.oneof({ depthIdentifier: "tree" }, fc.constant([]), tie("tree")),
  }),
}));

/** Goes through all of a tree, as a {@link KeyedTree} does not. */
function pruned(nodes: readonly Plain[], keys: ReadonlySet<number>): Branch<number>[] {
  return nodes.flatMap(({ name, key, below }) => {
    const branches = pruned(below, keys);
    const matches = key !== undefined && keys.has(key);
    return matches || branches.length > 0 ? [{ node: name, matches, branches }] : [];
  });
}

it("subtreesWith returns the nodes with the keys and their ancestors", () => {
  fc.assert(
    fc.property(plainTree, fc.uniqueArray(fc.nat(6)), (nodes, keys) => {
      const tree = new KeyedTree<number>(new WorkBudget(1));
      const add = (list: readonly Plain[], parent: number | undefined) => {
        for (const { name, key, below } of list) add(below, tree.add(name, parent, key));
      };
      add(nodes, undefined);
      expect(tree.subtreesWith(keys)).toEqual(pruned(nodes, new Set(keys)));
    }),
  );
});
