import type { WorkBudget } from "../file/work-budget.ts";
import type { PdfObject } from "../syntax/objects.ts";
import type { EmptyRun, StructureTree } from "./structure-tree.ts";

/**
 * Adds to the kept elements those without content, such as empty cells of a table, that are of a kept page: because
 * they name it, or because they stand between two elements that are kept, or one and an end of the list. Those
 * beside an element that stays behind may be its page's.
 *
 * @param keepsPage whether a page that an element names is kept
 */
export function addEmptyElements(
  budget: WorkBudget,
  tree: StructureTree,
  kept: Set<number>,
  keepsPage: (page: PdfObject) => boolean,
): void {
  const add = (num: number, isAmongKept: boolean) => {
    const stack = [num];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (kept.has(next) || tree.hasContent(next)) continue;
      const page = tree.element(next)?.get("Pg");
      if (page === undefined ? !isAmongKept : !keepsPage(page)) continue;
      kept.add(next);
      for (const below of tree.kidsOf(next).places.keys()) {
        if (tree.parentOf(below) === next) stack.push(below);
      }
    }
  };
  const addRun = (run: EmptyRun | undefined, isAmongKept: boolean) => {
    const { elements = [] } = run ?? {};
    // Every part may get the same run.
    budget.list(elements.length);
    for (const num of elements) add(num, isAmongKept);
  };
  const addFirstRun = (owner: number) => {
    const first = tree.kidsOf(owner).empty.get(0);
    addRun(first, first !== undefined && kept.has(first.next));
  };
  for (const num of [...kept]) {
    addFirstRun(num);
    const after = tree.kidsOf(tree.parentOf(num)).empty.get(num);
    addRun(after, after?.next === 0 || (after !== undefined && kept.has(after.next)));
  }
  addFirstRun(0);
}
