import { PdfDict, PdfName, type PdfObject, type PdfRef } from "../../syntax/objects.ts";
import { nameTree, numberTree } from "../sorted-trees.ts";

/** The standard structure types of an element without a namespace (ISO 32000-1, 14.8.4). A role map may change them. */
export const STANDARD_TYPES: readonly string[] = (
  "Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody " +
  "Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP Figure " +
  "Formula Form"
).split(" ");

/** The entries of a document in the root of the output's structure tree (ISO 32000-2, Table 354). */
export interface StructureEntries {
  readonly kids: readonly PdfObject[];
  /** The entries of the parent tree, with keys of the output. */
  readonly parents: readonly (readonly [key: number, elements: PdfObject])[];
  /** The elements with an identifier. */
  readonly ids: readonly (readonly [id: string, element: PdfRef])[];
  readonly roles: PdfDict;
  readonly classes: PdfDict;
  readonly namespaces: readonly PdfObject[];
}

/** Returns the root of a structure tree. */
export function structureRoot(entries: StructureEntries): PdfDict {
  const { kids, parents, ids, roles, classes, namespaces } = entries;
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
