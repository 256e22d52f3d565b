import type { PdfDict, PdfObject, PdfRef } from "../syntax/objects.ts";
import type { SecurityHandler } from "./handler.ts";

/** An entry of a cross-reference. An object in an object stream has no generation. */
type CrossReferenceEntry = { readonly kind: "file"; readonly gen: number } | { readonly kind: string };

/** The parts of a document that the standard security handler uses. `PdfDocument` has all of them. */
export interface EncryptedDocument {
  readonly trailer: PdfDict;
  readonly catalog: PdfDict | undefined;
  /** Whether a scan of the file made the cross-reference. */
  readonly isRebuilt: boolean;
  readonly crossReference: { entries(): Iterable<readonly [number, CrossReferenceEntry]> };
  /** Counts the work of reading lists. */
  readonly budget: { charge(kind: "entry", count: number): void };
  /** Decrypts the objects that are read after it is set. */
  security: SecurityHandler | undefined;
  resolve(object: PdfObject | undefined): PdfObject;
  dict(object: PdfObject | undefined): PdfDict | undefined;
  array(object: PdfObject | undefined): readonly PdfObject[];
  read(ref: PdfRef): PdfObject;
  /** Returns the last reference of a chain of references. */
  lastReference(first: PdfRef): PdfRef;
}
