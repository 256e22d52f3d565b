import type { PdfDocument } from "../../file/document.ts";
import { UndecodableStream } from "../../file/filters.ts";
import { PdfDict, PdfName, PdfStream, PdfString } from "../../syntax/objects.ts";
import { encodeText } from "../../syntax/text-string.ts";
import { feature } from "../feature.ts";
import { keptXmp, xmpOfTitle } from "./xmp.ts";

/**
 * The entries of the document information dictionary that are copied (ISO 32000-2, Table 349), and the
 * entries that claim conformance to PDF/X or PDF/E.
 */
const KEPT_IN_INFO = [
  ...["Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate", "Trapped"],
  ...["GTS_PDFXVersion", "GTS_PDFXConformance", "ISO_PDFEVersion"],
];

/** The metadata of a document: its stream, if there is one, and the document information dictionary. */
interface KeptMetadata {
  readonly stream: PdfStream | undefined;
  readonly information: PdfDict;
}

/**
 * What a document says about itself. A merged document has the title that the caller gives it: the metadata of its
 * documents does not describe it.
 */
export const metadata = feature<Metadata, KeptMetadata>({
  read: ({ document }) => new Metadata(document),
  keep: (found) => ({ stream: found.ofDocument, information: found.information }),
  combine(_, { title }) {
    if (title === undefined) return undefined;
    return {
      stream: metadataStream(xmpOfTitle(title)),
      information: PdfDict.from([["Title", encodeText(title)]]),
    };
  },
  write({ stream, information }, output) {
    if (information.size > 0) output.trailer.set("Info", information);
    if (!stream) return;
    const ref = output.newReference();
    output.writer.stream(ref.num, 0, stream.dict, stream.data);
    output.catalog.set("Metadata", ref);
  },
});

function metadataStream(xmp: string): PdfStream {
  const dict = PdfDict.from([
    ["Type", PdfName.of("Metadata")],
    ["Subtype", PdfName.of("XML")],
  ]);
  return new PdfStream(dict, { kind: "memory", bytes: new TextEncoder().encode(xmp) });
}

/**
 * Reduces the metadata of a document (ISO 32000-2, 14.3) and of its parts to a list of allowed properties.
 * Metadata may hold pictures of pages, content that was pasted from other documents, and other data of
 * programs.
 */
class Metadata {
  readonly #document: PdfDocument;
  /** The reduced streams by object number. Pages share metadata streams. */
  readonly #reduced = new Map<number, PdfStream | undefined>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /** The document's metadata stream, reduced, if there is one. */
  get ofDocument(): PdfStream | undefined {
    const stream = this.#document.catalog?.stream("Metadata");
    return stream && this.reduced(stream);
  }

  /**
   * Returns a metadata stream, reduced; undefined when no property is left, or when the stream cannot be
   * read.
   */
  reduced(stream: PdfStream): PdfStream | undefined {
    const num = stream.data.kind === "file" ? stream.data.owner.num : undefined;
    if (num !== undefined && this.#reduced.has(num)) return this.#reduced.get(num);
    const packet = this.#decoded(stream);
    const text = packet && keptXmp(packet);
    const kept = text === undefined ? undefined : metadataStream(text);
    if (num !== undefined) this.#reduced.set(num, kept);
    return kept;
  }

  /** The entries of the document information that are copied, if they are texts, dates or names. */
  get information(): PdfDict {
    const information = this.#document.trailer.dict("Info");
    const kept = new PdfDict();
    for (const key of KEPT_IN_INFO) {
      const value = information?.value(key);
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
