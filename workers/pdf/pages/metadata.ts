import type { PdfDocument } from "../file/document.ts";
import { UndecodableStream } from "../file/filters.ts";
import { PdfDict, PdfName, type PdfObject, PdfStream, PdfString } from "../syntax/objects.ts";
import { keptXmp } from "./xmp.ts";

/**
 * The entries of the document's information that travel (ISO 32000-2, Table 349), and those by which a file says that
 * it conforms to PDF/X or PDF/E.
 */
const KEPT_IN_INFO = [
  ...["Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate", "Trapped"],
  ...["GTS_PDFXVersion", "GTS_PDFXConformance", "ISO_PDFEVersion"],
];

/**
 * A document's metadata (ISO 32000-2, 14.3), and those of its parts, as they travel: by a list of what may. Metadata hold
 * pictures of pages, what was pasted from other documents, and whatever else programs leave there.
 */
export class Metadata {
  readonly #document: PdfDocument;
  /** By the number of the stream, as many as differ: pages share them. */
  readonly #kept = new Map<number, PdfStream | undefined>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /** The document's metadata stream as it travels, if there is one. */
  get ofDocument(): PdfStream | undefined {
    const stream = this.#document.resolve(this.#document.catalog?.get("Metadata"));
    return stream instanceof PdfStream ? this.kept(stream) : undefined;
  }

  /** A metadata stream as it travels; undefined when nothing of it does, or when it cannot be read. */
  kept(stream: PdfStream): PdfStream | undefined {
    const num = stream.data.kind === "file" ? stream.data.owner.num : undefined;
    if (num !== undefined && this.#kept.has(num)) return this.#kept.get(num);
    const packet = this.#decoded(stream);
    const text = packet && keptXmp(packet);
    const dict = PdfDict.from([
      ["Type", PdfName.of("Metadata")],
      ["Subtype", PdfName.of("XML")],
    ]);
    const kept =
      text === undefined
        ? undefined
        : new PdfStream(dict, { kind: "memory", bytes: new TextEncoder().encode(text) });
    if (num !== undefined) this.#kept.set(num, kept);
    return kept;
  }

  /** The entries of the document's information that travel, if they are texts, dates or names. */
  get information(): PdfDict {
    const info = this.#document.dict(this.#document.trailer.get("Info"));
    const kept = new PdfDict();
    for (const key of KEPT_IN_INFO) {
      const value = this.#document.resolve(info?.get(key));
      if (value instanceof PdfString || value instanceof PdfName) kept.set(key, value);
    }
    return kept;
  }

  #decoded(stream: PdfStream): Uint8Array | undefined {
    try {
      return this.#document.decoded(stream);
    } catch (error) {
      if (error instanceof UndecodableStream) return undefined;
      throw error;
    }
  }
}

/** Whether an object is a stream of metadata. */
export function isMetadata(object: PdfObject): object is PdfStream {
  return (
    object instanceof PdfStream && (object.dict.is("Type", "Metadata") || object.dict.is("Subtype", "XML"))
  );
}
