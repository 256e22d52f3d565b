import { PdfDict, PdfName, PdfRef } from "../../syntax/objects.ts";
import { joined } from "../combined-dicts.ts";
import { type Feature, feature, keptOf } from "../feature.ts";
import { form } from "../form/form.ts";
import { nameTree, numberTree } from "../sorted-trees.ts";
import { ElementWriter, type StructureEntries } from "./element-writer.ts";
import { addEmptyElements } from "./empty-elements.ts";
import { StructureTree } from "./structure-tree.ts";
import { STANDARD_TYPES } from "./structure-types.ts";

interface Tags {
  readonly entries: StructureEntries;
  /** The catalog's `MarkInfo` (ISO 32000-2, 14.7.1). */
  readonly marks: PdfDict | undefined;
}

/** The structure tree (ISO 32000-2, 14.7), with the elements that have content on the pages, and those between them. */
export const tags: Feature<StructureTree> = feature<StructureTree, Tags>({
  read(source) {
    const isElsewhere = (num: number) =>
      source.pageIndices.has(num) || source.annotations.numbers.has(num) || source.of(form).has(num);
    return new StructureTree(source.document, source.pageIndices, isElsewhere);
  },
  keep(tree, part) {
    const { document, objects, output, pages, structureKeys } = part;
    output.names.reserve("structure type", STANDARD_TYPES);
    if (!tree.root) return undefined;
    const kept = tree.elementsOf({ keys: structureKeys, pages: pages.all, annotations: objects.annotations });
    if (kept.size === 0) return undefined;
    addEmptyElements(
      document.budget,
      tree,
      kept,
      (page) => page instanceof PdfRef && pages.hasObject(page.num),
    );
    const marks = document.catalog?.dict("MarkInfo");
    return {
      entries: new ElementWriter(tree, kept, part).write(tree.root),
      marks: marks && part.map(marks, "other"),
    };
  },
  // Keys, identifiers, types and classes are different already.
  combine(documents) {
    const all = keptOf(documents).map(({ entries }) => entries);
    if (all.length === 0) return undefined;
    return {
      entries: {
        kids: all.flatMap(({ kids }) => kids),
        parents: all.flatMap(({ parents }) => parents),
        ids: all.flatMap(({ ids }) => ids),
        roles: joined(all.map(({ roles }) => roles)),
        classes: joined(all.map(({ classes }) => classes)),
        namespaces: all.flatMap(({ namespaces }) => namespaces),
      },
      marks: PdfDict.from([["Marked", true]]),
    };
  },
  write({ entries, marks }, output) {
    const root = output.rootOf("StructTreeRoot");
    output.writer.object(root.num, 0, rootOf(entries));
    output.catalog.set("StructTreeRoot", root);
    if (marks) output.catalog.set("MarkInfo", marks);
  },
});

/** Returns the root of a structure tree (ISO 32000-2, Table 354). */
function rootOf({ kids, parents, ids, roles, classes, namespaces }: StructureEntries): PdfDict {
  const root = PdfDict.from([["Type", PdfName.of("StructTreeRoot")]]);
  if (namespaces.length > 0) root.set("Namespaces", [...namespaces]);
  if (roles.size > 0) root.set("RoleMap", roles);
  if (classes.size > 0) root.set("ClassMap", classes);
  root.set("K", [...kids]);
  root.set("ParentTree", numberTree(parents));
  root.set(
    "ParentTreeNextKey",
    parents.reduce((next, [key]) => Math.max(next, key + 1), 0),
  );
  if (ids.length > 0) root.set("IDTree", nameTree(ids));
  return root;
}
