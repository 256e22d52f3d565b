import { PdfDict, PdfName, type PdfRef } from "../../syntax/objects.ts";
import { encodeText } from "../../syntax/text-string.ts";
import { destinations } from "../destinations.ts";
import type { DocumentPart } from "../document-part.ts";
import { type Contribution, type Feature, feature } from "../feature.ts";
import type { Branch } from "../keyed-tree.ts";
import type { OutputDocument } from "../output-document.ts";
import { Outline, type OutlineItem, only } from "./outline-items.ts";

/** Items of an outline in an output, and the item or the outline dictionary above them, which is not written yet. */
interface WrittenItems {
  readonly parent: PdfRef;
  /** The entries `First` and `Last` of the parent. */
  readonly ends: PdfDict;
  /** The number of visible items when the parent is open. */
  readonly showing: number;
}

/**
 * The outline (ISO 32000-2, 12.3.3), with the items that lead to the pages and those above them. The outline of a merged
 * document has an item for each document, with the outline of the document below it. Pages of a single document have its
 * outline.
 */
export const outline: Feature<Outline> = feature<Outline, WrittenItems>({
  read: (source) => new Outline(source.document, source.of(destinations)),
  keep(found, part) {
    if (part.pages.isRepeat) return undefined;
    const items = found.keptFor(part.pages.all);
    return items.length > 0 ? writeItems(items, part.output.newReference(), part) : undefined;
  },
  combine(contributions, output) {
    const documents = contributions.filter(({ isRepeat }) => !isRepeat);
    const [first] = documents;
    if (first && documents.length === 1) return first.kept;
    const parent = output.newReference();
    const refs = documents.map(({ kept }) => kept?.parent ?? output.newReference());
    for (const [index, document] of documents.entries()) {
      const item = itemOf(document);
      item.set("Parent", parent);
      writeItem(item, index, refs, output);
    }
    return { parent, ends: endsOf(refs), showing: refs.length };
  },
  write({ parent, ends, showing }, { writer, catalog }) {
    writer.object(parent.num, 0, PdfDict.from([...ends.entries(), ["Count", showing] as const]));
    catalog.set("Outlines", parent);
  },
});

/** Returns the item of a document in the outline of a merged document. */
function itemOf({ title, pages, kept }: Contribution<WrittenItems>): PdfDict {
  const item = PdfDict.from([["Title", encodeText(title)]]);
  const [first] = pages;
  if (first) item.set("Dest", [first, PdfName.of("XYZ"), null, null, null]);
  for (const [key, value] of kept?.ends.entries() ?? []) item.set(key, value);
  // Closed, so that the list of documents is seen first.
  if (kept) item.set("Count", -kept.showing);
  return item;
}

/** Writes the items of one level, and all items below them. */
function writeItems(items: readonly Branch<OutlineItem>[], parent: PdfRef, part: DocumentPart): WrittenItems {
  const refs = items.map(() => part.output.newReference());
  let showing = items.length;
  for (const [index, { node, matches, branches: below }] of items.entries()) {
    const ref = refs[index];
    const item = part.map(matches ? node.dict : only(node.dict, ["Title", "C", "F"]), "outline item");
    if (!ref || !item) continue;
    item.set("Parent", parent);
    if (below.length > 0) {
      const inner = writeItems(below, ref, part);
      for (const [key, value] of inner.ends.entries()) item.set(key, value);
      item.set("Count", node.open ? inner.showing : -inner.showing);
      if (node.open) showing += inner.showing;
    }
    writeItem(item, index, refs, part.output);
  }
  return { parent, ends: endsOf(refs), showing };
}

/** Writes an item between those before and after it. */
function writeItem(item: PdfDict, index: number, refs: readonly PdfRef[], { writer }: OutputDocument): void {
  const [previous, ref, next] = [refs[index - 1], refs[index], refs[index + 1]];
  if (previous) item.set("Prev", previous);
  if (next) item.set("Next", next);
  if (ref) writer.object(ref.num, 0, item);
}

function endsOf(refs: readonly PdfRef[]): PdfDict {
  const [first, last] = [refs[0], refs.at(-1)];
  return first && last
    ? PdfDict.from([
        ["First", first],
        ["Last", last],
      ])
    : new PdfDict();
}
