import type { OutlineEntry } from "../../../../src/shared/protocol.ts";
import { PdfString } from "../../syntax/objects.ts";
import { decodeText } from "../../syntax/text-string.ts";
import type { Branch } from "../keyed-tree.ts";
import type { OutlineItem } from "./outline-items.ts";

/** The bytes of a title that are read. A file name has room for less. */
const TITLE_BYTES = 1024;

/**
 * Returns the title and the page of an outline item. An item without a page has the page of the first item below it.
 *
 * @param level 1 at the top
 */
export function outlineEntry(branch: Branch<OutlineItem>, level: number): OutlineEntry {
  const bytes = branch.node.dict.string("Title")?.bytes.subarray(0, TITLE_BYTES) ?? new Uint8Array();
  return { title: decodeText(new PdfString(bytes)).trim(), page: firstPage(branch) + 1, level };
}

/** Returns the index of the page of an item, or of the first item below it that has one. */
function firstPage(branch: Branch<OutlineItem>): number {
  let found: Branch<OutlineItem> | undefined = branch;
  // An item that leads to no page has items below it that do.
  while (found && !found.matches) found = found.branches[0];
  return found?.node.page ?? 0;
}

/**
 * Returns the entries of an outline, each before the entries below it.
 *
 * @param most how many entries to return at most
 */
export function outlineEntries(
  branches: readonly Branch<OutlineItem>[],
  most: number,
): readonly OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  const add = (siblings: readonly Branch<OutlineItem>[], level: number) => {
    for (const branch of siblings) {
      if (entries.length === most) return;
      entries.push(outlineEntry(branch, level));
      add(branch.branches, level + 1);
    }
  };
  add(branches, 1);
  return entries;
}
