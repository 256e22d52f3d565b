import { zlibSync } from "fflate";
import { concatBytes } from "../io/concat-bytes.ts";
import { isMetadata } from "../pdf/copy/kinds.ts";
import type { PdfDocument } from "../pdf/file/document.ts";
import { decodeStream, UndecodableStream } from "../pdf/file/filters.ts";
import type { WorkMeter } from "../pdf/file/work-budget.ts";
import { CHARACTER_CLASS, latin1, WHITE_SPACE } from "../pdf/syntax/characters.ts";
import { dataLength, nameOf, PdfName, type PdfObject, PdfStream, readData } from "../pdf/syntax/objects.ts";
import { GENERAL_FILTERS } from "./coded-image.ts";

/** The least overhead of a deflated stream, with its filter's name. */
const OVERHEAD = 32;
/** The header of deflated data, and the level of the fastest encoders (RFC 1950, 2.2: FLEVEL). Programs on macOS write it. */
const HEADER = 2;
const FASTEST = 0;
/** The most bytes that are deflated again: it takes a second for each 8 MB, and makes data 6 % smaller. */
const MOST_AGAIN = 32 * 1024 * 1024;
/** The processing instruction that ends a packet of XMP in UTF-8. */
const PACKET_END = "<?xpacket end=";
const LINE_FEED = Uint8Array.of(0x0a);
/** Limits the bytes that are deflated to `FREE_BYTES` plus `TIMES` the size of the file. The rest is copied unchanged. */
const FREE_BYTES = 256 * 1024 * 1024;
const TIMES = 16;
/** Deflates the streams of a document that have no filter, older ones (LZW, run lengths, text), or were deflated fast. */
export class StreamRecoder {
  readonly #document: PdfDocument;
  #left: number;
  #leftAgain = MOST_AGAIN;
  /** What is decoded counts, also if it is not used. A stream that goes beyond the limit keeps its bytes. */
  readonly #decoding: WorkMeter = {
    charge: (kind, count = 1) => {
      if (kind === "byte") this.#left -= count;
      if (this.#left < 0) throw new UndecodableStream("the streams unpack to too much data");
    },
  };

  constructor(document: PdfDocument) {
    this.#document = document;
    this.#left = FREE_BYTES + document.source.size * TIMES;
  }

  /** Returns the deflated stream if that is possible and smaller, otherwise the stream itself. */
  deflated(stream: PdfStream): PdfStream {
    const { dict, data } = stream;
    if (dict.has("F") || this.#left < 0) return stream;
    const filters = dict.list("Filter").map(nameOf);
    // Other programs read metadata, so it gets no filter (ISO 32000-2, 14.3.2).
    if (isMetadata(stream)) return filters.length > 0 ? stream : this.#withoutPadding(stream);
    const codec = filters.findIndex((name) => !GENERAL_FILTERS.has(name));
    const general = codec < 0 ? filters : filters.slice(0, codec);
    const isDeflated = general.length === 1 && general[0] === "FlateDecode";
    if (isDeflated && codec < 0) return this.#deflatedAgain(stream);
    if (isDeflated || (general.length === 0 && filters.length > 0)) return stream;
    const plain = this.#decoded(stream, general.length);
    if (!plain) return stream;
    if (general.length === 0) this.#left -= plain.length;
    const rest = filters.length - general.length;
    const bytes = rest > 0 ? plain : zlibSync(plain);
    if (bytes.length + OVERHEAD >= dataLength(data)) return stream;
    const recoded = dict.clone();
    recoded.delete("DecodeParms");
    const keepRest = (key: string): PdfObject => dict.list(key).slice(general.length);
    recoded.set("Filter", rest > 0 ? keepRest("Filter") : PdfName.of("FlateDecode"));
    if (rest > 0 && dict.has("DecodeParms")) recoded.set("DecodeParms", keepRest("DecodeParms"));
    return new PdfStream(recoded, { kind: "memory", bytes });
  }

  /** Deflates content and fonts again if the encoder has worked fast. Images are compressed elsewhere. */
  #deflatedAgain(stream: PdfStream): PdfStream {
    const { dict, data } = stream;
    if (dict.is("Subtype", "Image") || dict.has("DecodeParms") || this.#leftAgain < 0) return stream;
    const { decryptor, objects } = this.#document;
    const [, flags = 0xff] = decryptor ? objects.decrypted(stream) : readData(data, 0, HEADER);
    if (flags >> 6 !== FASTEST) return stream;
    const plain = this.#decoded(stream, 1);
    if (!plain) return stream;
    this.#leftAgain -= plain.length;
    const bytes = zlibSync(plain);
    return bytes.length < dataLength(data) ? new PdfStream(dict, { kind: "memory", bytes }) : stream;
  }

  /** Returns XMP without the padding at the end of its packet, which is for editing in place (XMP Part 1, 7.3.2). */
  #withoutPadding(stream: PdfStream): PdfStream {
    const bytes = this.#document.objects.decrypted(stream);
    this.#left -= bytes.length;
    const end = latin1(bytes).lastIndexOf(PACKET_END);
    let padding = end;
    while (padding > 0 && CHARACTER_CLASS[bytes[padding - 1] ?? 0] === WHITE_SPACE) padding--;
    if (end - padding < OVERHEAD) return stream;
    const parts = [bytes.subarray(0, padding), LINE_FEED, bytes.subarray(end)];
    return new PdfStream(stream.dict, { kind: "memory", bytes: concatBytes(parts) });
  }

  #decoded(stream: PdfStream, filters: number): Uint8Array | undefined {
    const dict = stream.dict.clone();
    for (const key of ["Filter", "DecodeParms"]) dict.set(key, stream.dict.list(key).slice(0, filters));
    let isDamaged = false;
    const onDamage = () => {
      isDamaged = true;
    };
    try {
      const decoded = decodeStream(this.#document.objects.decrypted(stream), dict, this.#decoding, onDamage);
      // Readers differ in how much of damaged data they show.
      return isDamaged ? undefined : decoded;
    } catch (error) {
      if (error instanceof UndecodableStream) return undefined;
      throw error;
    }
  }
}
