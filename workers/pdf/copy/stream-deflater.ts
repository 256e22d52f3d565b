import { zlibSync } from "fflate";
import type { PdfDocument } from "../file/document.ts";
import { dataLength, PdfName, PdfStream } from "../syntax/objects.ts";

/** Longer streams are copied unchanged: deflating them takes too long. */
const STREAM_LIMIT = 1 << 20;
/** Shorter streams are copied as they are: the deflater allocates some 200 KB for each call. */
const WORTHWHILE = 512;
/** The least overhead of a deflated stream, with its filter's name. */
const OVERHEAD = 32;
/** The most deflated bytes in the cache. Pages share fonts and forms. */
const BYTES_KEPT = 32 * 1024 * 1024;
/** Limits the deflated data to `FREE_BYTES` plus `TIMES` the size of the file. The rest is copied unchanged. */
const FREE_BYTES = 64 * 1024 * 1024;
const TIMES = 4;

/** Deflates the uncompressed streams of a document. */
export class StreamDeflater {
  readonly #document: PdfDocument;
  /** Deflated data by object number; null when it is not smaller. */
  readonly #known = new Map<number, Uint8Array | null>();
  #kept = 0;
  #left: number;

  constructor(document: PdfDocument) {
    this.#document = document;
    this.#left = FREE_BYTES + document.source.size * TIMES;
  }

  /** Returns the deflated stream if that is possible and smaller, otherwise the stream itself. */
  deflated(stream: PdfStream): PdfStream {
    const { dict, data } = stream;
    const length = dataLength(data);
    if (length < WORTHWHILE || length > STREAM_LIMIT || !this.#mayBeDeflated(stream)) return stream;
    const num = data.kind === "file" ? data.owner.num : undefined;
    let bytes = num === undefined ? undefined : this.#known.get(num);
    if (bytes === undefined) {
      if (length > this.#left) return stream;
      this.#left -= length;
      const smaller = zlibSync(this.#document.objects.decrypted(stream));
      bytes = smaller.length + OVERHEAD < length ? smaller : null;
      if (num !== undefined) this.#keep(num, bytes);
    }
    if (bytes === null) return stream;
    const deflated = dict.clone();
    deflated.set("Filter", PdfName.of("FlateDecode"));
    deflated.delete("DecodeParms");
    return new PdfStream(deflated, { kind: "memory", bytes });
  }

  /** Returns whether a stream has no filter and is not metadata, which other programs read (ISO 32000-2, 14.3.2). */
  #mayBeDeflated({ dict }: PdfStream): boolean {
    if (dict.is("Type", "Metadata") || dict.is("Subtype", "XML") || dict.has("F")) return false;
    return dict.list("Filter").length === 0;
  }

  #keep(num: number, bytes: Uint8Array | null): void {
    const length = bytes?.length ?? 0;
    if (this.#kept + length > BYTES_KEPT) return;
    this.#kept += length;
    this.#known.set(num, bytes);
  }
}
