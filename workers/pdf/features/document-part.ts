import { ObjectCopier } from "../copy/copier.ts";
import type { Kind } from "../copy/kinds.ts";
import type { Renaming } from "../copy/renaming.ts";
import type { PartObjects } from "../copy/rules/copied-part.ts";
import { PartRules } from "../copy/rules/part-rules.ts";
import type { PdfDocument } from "../file/document.ts";
import type { PdfDict, PdfObject } from "../syntax/objects.ts";
import type { ChosenPages } from "./chosen-pages.ts";
import type { OutputDocument } from "./output-document.ts";
import type { SourceDocument } from "./source-document.ts";

/** Some pages of a document that are copied into an output, with what belongs to them. */
export class DocumentPart {
  readonly pages: ChosenPages;
  readonly objects: PartObjects;
  readonly output: OutputDocument;
  readonly rules: PartRules;
  readonly copier: ObjectCopier;

  constructor(pages: ChosenPages, objects: PartObjects, renaming: Renaming, output: OutputDocument) {
    const { document, contents, deflater } = pages.source;
    this.pages = pages;
    this.objects = objects;
    this.output = output;
    output.shared?.nextDocument(document.source);
    this.rules = new PartRules({ document, contents, objects, renaming }, deflater, output.shared);
    this.copier = new ObjectCopier(document, output.writer, this.rules);
  }

  get source(): SourceDocument {
    return this.pages.source;
  }

  get document(): PdfDocument {
    return this.source.document;
  }

  /** Whether a merged document gets all pages of the document, and with them what belongs to the document as a whole. */
  get standsForDocument(): boolean {
    return this.output.names.isMerge && this.pages.isWhole;
  }

  /** The structure parent keys of copied objects, as in the document. */
  get structureKeys(): ReadonlySet<number> {
    return this.rules.part.structureKeys;
  }

  /** Returns an object of a kind with references to the output. What it reaches is copied. */
  map(object: PdfDict, kind: Kind): PdfDict | undefined;
  map(object: PdfObject, kind: Kind): PdfObject;
  map(object: PdfObject, kind: Kind): PdfObject | undefined {
    return this.copier.map(object, kind);
  }
}
