import type { PdfDocument } from "../../file/document.ts";
import { UndecodableStream } from "../../file/filters.ts";
import { PdfDict, PdfName, PdfStream, PdfString } from "../../syntax/objects.ts";
import { keptXmp } from "./xmp.ts";

/**
 * The entries of the document information dictionary that are copied (ISO 32000-2, Table 349), and the
 * entries that claim conformance to PDF/X or PDF/E.
 */
const KEPT_IN_INFO = [
  ...["Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate", "Trapped"],
  ...["GTS_PDFXVersion", "GTS_PDFXConformance", "ISO_PDFEVersion"],
];

/**
 * Reduces the metadata of a document (ISO 32000-2, 14.3) and of its parts to a list of allowed properties.
 * Metadata may hold pictures of pages, content that was pasted from other documents, and other data of
 * programs.
 */
export class Metadata {
  readonly #document: PdfDocument;
  /** The reduced streams by object number. Pages share metadata streams. */
  readonly #kept = new Map<number, PdfStream | undefined>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /** The document's metadata stream, reduced, if there is one. */
  get ofDocument(): PdfStream | undefined {
    const stream = this.#document.resolve(this.#document.catalog?.get("Metadata"));
    return stream instanceof PdfStream ? this.kept(stream) : undefined;
  }

  /**
   * Returns a metadata stream, reduced; undefined when no property is left, or when the stream cannot be
   * read.
   */
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

  /** The entries of the document information that are copied, if they are texts, dates or names. */
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
      return this.#document.objects.decoded(stream);
    } catch (error) {
      if (error instanceof UndecodableStream) return undefined;
      throw error;
    }
  }
}
