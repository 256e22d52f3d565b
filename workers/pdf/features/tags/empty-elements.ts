import type { WorkBudget } from "../../file/work-budget.ts";
import type { PdfObject } from "../../syntax/objects.ts";
import type { EmptyRun, StructureTree } from "./structure-tree.ts";

/**
 * Adds the elements without content that belong to a kept page, such as empty cells of a table. They name a kept page, or
 * stand between two kept elements, or between a kept element and an end of the list. Elements beside a dropped element
 * may belong to its page.
 *
 * @param keepsPage returns whether a page is kept
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
    // Every output may get the same run.
    budget.charge("entry", elements.length);
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
