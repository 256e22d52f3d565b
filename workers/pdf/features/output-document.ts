import type { OutputNames } from "../copy/output-names.ts";
import { SharedObjects } from "../copy/shared-objects.ts";
import { pageTreeNode } from "../copy/whole-document.ts";
import type { FileWriter } from "../file/file-writer.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef } from "../syntax/objects.ts";

/** A document that is being written: its file, and the roots that the parts of documents add to. */
export class OutputDocument {
  readonly writer: FileWriter;
  readonly names: OutputNames;
  /** The title of a merged document, if it gets one. */
  readonly title: string | undefined;
  /** The equal objects of the documents of a merge. */
  readonly shared: SharedObjects | undefined;
  readonly catalog: PdfDict;
  readonly trailer: PdfDict;
  readonly pages: PdfRef[] = [];
  readonly pageTree: PdfRef;
  readonly #roots = new Map<string, PdfRef>();

  constructor(writer: FileWriter, names: OutputNames, title?: string) {
    this.writer = writer;
    this.names = names;
    this.title = title;
    this.shared = names.isMerge ? new SharedObjects(writer) : undefined;
    this.trailer = PdfDict.from([["Root", this.newReference()]]);
    this.pageTree = this.newReference();
    this.catalog = PdfDict.from([
      ["Type", PdfName.of("Catalog")],
      ["Pages", this.pageTree],
    ]);
  }

  /** Returns a reference to a new object. */
  newReference(): PdfRef {
    return new PdfRef(this.writer.allocate(), 0);
  }

  /** Returns the reference of the object that the catalog has as `key`, for objects that refer to it before it is written. */
  rootOf(key: string): PdfRef {
    const known = this.#roots.get(key) ?? this.newReference();
    this.#roots.set(key, known);
    return known;
  }

  /** Adds a tree to the names of the document (ISO 32000-2, 7.7.4). */
  addNames(key: string, tree: PdfObject): void {
    const names = this.catalog.dict("Names") ?? new PdfDict();
    names.set(key, tree);
    this.catalog.set("Names", names);
  }

  /** Writes the page tree, the catalog and the end of the file. */
  async end(): Promise<void> {
    this.writer.object(this.pageTree.num, 0, pageTreeNode(this.pages));
    const root = this.trailer.reference("Root");
    if (root) this.writer.object(root.num, 0, this.catalog);
    await this.writer.end(this.trailer);
  }
}
