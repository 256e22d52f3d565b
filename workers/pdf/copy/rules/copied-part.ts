import type { ContentReader } from "../../content/content-reader.ts";
import type { PartUse } from "../../content/content-use.ts";
import type { PdfDocument } from "../../file/document.ts";
import type { PdfDict, PdfObject, PdfStream } from "../../syntax/objects.ts";
import type { Renaming } from "../renaming.ts";

/** What the lists of a document say about its objects, for some of its pages. */
export interface PartObjects {
  /** The annotations of the pages. */
  readonly annotations: ReadonlySet<number>;
  /** The form fields that have a widget on one of the pages, and their ancestors. */
  readonly fields: ReadonlySet<number>;
  /** Returns whether an object belongs to other pages, or is part of a tree that the output has of its own. */
  isForeign(num: number): boolean;
  /** Returns whether an object is the content of any page. */
  isPageContent(num: number): boolean;
  isLayer(dict: PdfDict, num: number): boolean;
  /** Returns a metadata stream with the properties that are copied; undefined when there are none. */
  reducedMetadata(stream: PdfStream): PdfStream | undefined;
  /** Returns a field with the kids and the resources that are copied. */
  reducedField(field: PdfDict, num: number): PdfDict;
  /** Returns a destination as it is in the output; undefined when its page is not copied. */
  copiedDestination(destination: PdfObject | undefined): PdfObject | undefined;
}

/** A part of a document that is copied, as the rules see it. */
export interface CopiedPart {
  readonly document: PdfDocument;
  readonly contents: ContentReader;
  readonly objects: PartObjects;
  readonly renaming: Renaming;
  /** The glyphs and layers that copied content uses. Rules record them. */
  readonly use: PartUse;
  /** The structure parent keys of copied objects. Rules record them. */
  readonly structureKeys: Set<number>;
}
