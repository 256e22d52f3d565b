import { sha256 } from "@noble/hashes/sha2.js";
import { WORTH_A_SLICE } from "../../io/byte-ranges.ts";
import { crc32 } from "../../io/crc32.ts";
import { equalBytes } from "../../io/equal-bytes.ts";
import type { ByteSource } from "../../io/source.ts";
import type { FileWriter } from "../file/file-writer.ts";
import type { ObjectCipher } from "../security/decryptor.ts";
import { decryptedChunks, decryptedLength } from "../security/stream-cipher.ts";
import { latin1 } from "../syntax/characters.ts";
import { dataLength, type PdfObject, PdfStream, readData, type StreamData } from "../syntax/objects.ts";
import { ByteWriter, writeObject } from "../syntax/serializer.ts";
import type { Kind } from "./kinds.ts";

/**
 * What pages draw, and what fields draw for a state: of a check box, "on" or "off" (ISO 32000-2, 12.5.5). An equal object may
 * take the place of another, because programs do not change them. They do change annotations, other appearances, fields and
 * layers.
 */
const DRAWN: ReadonlySet<Kind> = new Set<Kind>([
  ...(["contents", "resources", "XObjects", "fonts", "graphics states", "patterns", "names"] as const),
  ...(["XObject", "font", "graphics state", "pattern", "soft mask", "glyphs", "state appearance"] as const),
]);

/** The most objects that are known, of up to 300 bytes each. Further ones are found only if they equal one of these. */
const MOST_KNOWN = 300_000;
/** The most streams with different data that are known by one text. */
const MOST_ALIKE = 16;
/** The bytes that tell most streams of one length apart. */
const SAMPLE = 4096;
/** A longer text is known by its SHA-256. */
const LONGEST_TEXT = 128;
/** The bytes that may be compared, for each byte of the inputs. Only streams that overlap need more. They are not shared. */
const COMPARED_PER_BYTE = 2;

/** The data of a stream: where it is in an input, and its encryption there. */
export interface InputData {
  readonly data: StreamData;
  readonly cipher: ObjectCipher | undefined;
}

/** An object of the output. */
interface KnownObject {
  readonly num: number;
  readonly stream: InputData | undefined;
}

/**
 * The objects of an output that gets parts of several documents. Finds equal ones, to write them once. Objects are equal
 * when they read the same in the output, so one is looked up after those that it refers to. Data of streams is compared
 * only if their dictionary, their length and, unless it is encrypted, a CRC are the same.
 */
export class SharedObjects {
  readonly #writer: FileWriter;
  readonly #known = new Map<string, KnownObject[]>();
  #count = 0;
  readonly #text = new ByteWriter();
  #source: ByteSource | undefined;
  /** The source of an earlier document that was read last. */
  #earlier: ByteSource | undefined;
  /** The bytes that may still be compared. */
  #left = 0;

  constructor(writer: FileWriter) {
    this.#writer = writer;
  }

  /** Begins with the objects of a document. The source of the previous one is kept, without its cache. */
  nextDocument(source: ByteSource): void {
    this.#source?.release?.();
    this.#source = source;
    this.#left += COMPARED_PER_BYTE * source.size;
  }

  /**
   * Returns whether an object of a kind may be shared.
   *
   * @param isDrawn whether an object that pages draw leads to it
   */
  mayShare(object: PdfObject, kind: Kind, isDrawn: boolean): boolean {
    return DRAWN.has(kind) || (kind === "other" && (isDrawn || object instanceof PdfStream));
  }

  /**
   * Returns the number of an object in the output, and whether it is new: the caller then writes it.
   *
   * @param object the object as it is in the output; of a stream the dictionary
   * @param stream the data of a stream
   */
  placeOf(object: PdfObject, stream?: InputData): { readonly num: number; readonly isNew: boolean } {
    const key = stream ? `${this.#textOf(object)} ${headOf(stream)}` : this.#textOf(object);
    const alike = this.#known.get(key) ?? [];
    const equal = alike.find((known) => !known.stream || !stream || this.#hasEqualData(known.stream, stream));
    if (equal) return { num: equal.num, isNew: false };
    const num = this.#writer.allocate();
    // Data in memory would have to be held.
    const mayKeep = this.#count < MOST_KNOWN && alike.length < MOST_ALIKE && stream?.data.kind !== "memory";
    if (mayKeep) {
      this.#count++;
      this.#known.set(key, [...alike, { num, stream }]);
    }
    return { num, isNew: true };
  }

  #textOf(object: PdfObject): string {
    writeObject(this.#text, object);
    const bytes = this.#text.takeView();
    return latin1(bytes.length > LONGEST_TEXT ? sha256(bytes) : bytes);
  }

  #hasEqualData(earlier: InputData, stream: InputData): boolean {
    if (this.#left < dataLength(stream.data)) return false;
    this.#beginReading(earlier.data);
    const others = decryptedChunks(earlier.data, earlier.cipher);
    for (const chunk of decryptedChunks(stream.data, stream.cipher)) {
      this.#left -= chunk.length;
      const other = others.next().value;
      if (!other || !equalBytes(chunk, other)) return false;
    }
    return true;
  }

  /** Drops what the source of another earlier document has cached, so that few caches are in memory. */
  #beginReading(data: StreamData): void {
    if (data.kind === "memory" || data.source === this.#source || data.source === this.#earlier) return;
    this.#earlier?.release?.();
    this.#earlier = data.source;
  }
}

/**
 * Returns the length of data and a CRC: of all of it, or of the middle of long data, which is copied without being read.
 * Without a CRC if it is encrypted, because decrypting it twice takes long.
 */
function headOf({ data, cipher }: InputData): string {
  if (cipher) return `${decryptedLength(data, cipher)}`;
  const length = dataLength(data);
  const half = Math.floor(length / 2);
  const [start, end] = length < WORTH_A_SLICE ? [0, length] : [half, half + SAMPLE];
  return `${length} ${crc32(readData(data, start, end))}`;
}
