import { zlibSync } from "fflate";
import { type BytePart, lengthOf } from "../../io/byte-ranges.ts";
import type { ByteSink } from "../../io/sink.ts";
import type { ByteSource } from "../../io/source.ts";
import { BLOCK, encryptedLength } from "../security/aes.ts";
import { mapStrings, type ObjectCipher } from "../security/decryptor.ts";
import { type Encryption, encryptString } from "../security/encryption.ts";
import {
  AesKey,
  decryptedLength,
  writeDecrypted,
  writeEncrypted,
  writePlain,
} from "../security/stream-cipher.ts";
import {
  dataLength,
  PdfDict,
  PdfName,
  type PdfObject,
  PdfRef,
  PdfStream,
  PdfString,
  type StreamData,
} from "../syntax/objects.ts";
import { ByteWriter, writeObject } from "../syntax/serializer.ts";
import { CrossReference } from "./cross-reference.ts";
import { newIdentifier } from "./file-identifier.ts";
import { ObjectNumbers } from "./object-numbers.ts";
import { OrderedOutput } from "./ordered-output.ts";
import { SECTION_KEYS } from "./read-cross-reference.ts";
import { crossReferenceStream, writeTable } from "./write-cross-reference.ts";

/** The highest offset in a table, which has ten digits. */
const TABLE_OFFSET_LIMIT = 9_999_999_999;
/** The objects in one object stream. More make the file smaller, fewer make reading one object faster. */
const PACKED_OBJECTS = 200;
const PACKED_BYTES = 256 * 1024;

/** Trailer entries that must be references (ISO 32000-2, Table 15). Some readers need the reference. */
const REFERRED_TO = new Set(["Root", "Info"]);

/** The entries of a stream dictionary that readers need to decode the stream, or to know its kind. */
const READABLE_VALUES = new Set(["Filter", "DecodeParms"]);
const READABLE_NAMES = new Set(["Type", "Subtype", "ColorSpace"]);

/** The options of a {@link FileWriter}. */
interface WriterOptions {
  /** The highest object number in use, even if no object with that number is written. */
  readonly highest?: number;
  /** Whether objects go into object streams. In an encrypted file they always do. */
  readonly pack?: boolean;
  /** Whether references may dangle. New objects then get numbers that no reference names. */
  readonly mayDangle?: boolean;
  /** Called with the number of bytes of each object that is written, without the data of streams. */
  readonly account?: ((bytes: number) => void) | undefined;
  /** The encryption of strings and streams. Undefined for none. */
  readonly encryption?: Encryption | undefined;
}

/** The object stream that is being filled. */
interface OpenObjectStream {
  readonly text: ByteWriter;
  /** The objects' numbers and offsets, at the start of the stream. */
  readonly heading: ByteWriter;
  /** The number of the stream. Valid while it has objects. */
  num: number;
  /** The number of objects in it. */
  count: number;
}

/**
 * Writes a PDF file from its header to its cross-reference (ISO 32000-2, 7.5). Drops what the sink has: the bytes of an
 * attempt that damage has ended.
 */
export class FileWriter {
  readonly #out: OrderedOutput;
  readonly #entries = new CrossReference();
  readonly #numbers: ObjectNumbers;
  readonly #packing: OpenObjectStream | undefined;
  readonly #encryption: (Encryption & { readonly key: AesKey }) | undefined;
  readonly #account: (bytes: number) => void;

  constructor(sink: ByteSink, version: string, options: WriterOptions = {}) {
    const { highest = 0, pack = false, mayDangle = false, encryption, account = () => {} } = options;
    this.#account = account;
    this.#numbers = new ObjectNumbers(highest, mayDangle);
    if (pack || encryption) {
      this.#packing = { text: new ByteWriter(), heading: new ByteWriter(), num: 0, count: 0 };
      this.#packing.text.referenced = this.#numbers.referenced;
    }
    if (encryption) this.#encryption = { ...encryption, key: AesKey.of(encryption.fileKey) };
    sink.restart();
    this.#out = new OrderedOutput(sink);
    this.#out.text.referenced = this.#numbers.referenced;
    // Four bytes over 127 mark the file as binary (7.5.2).
    this.#out.text.text(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`);
  }

  /** Whether {@link drain} has work. */
  get backpressure(): boolean {
    return this.#out.backpressure;
  }

  /** Settles when few bytes wait. Call it between objects. */
  drain(): Promise<void> {
    return this.#out.drain();
  }

  /**
   * Returns a free object number.
   *
   * @throws {ServiceError} `input_too_large` when there is none left
   */
  allocate(): number {
    return this.#numbers.allocate();
  }

  /** Marks a number of the old file as free: its object is not written and nothing refers to it. */
  release(num: number): void {
    this.#numbers.release(num);
  }

  /** Returns whether an object with that number was written. */
  has(num: number): boolean {
    return this.#entries.has(num);
  }

  /** Records that object `num` has the index `index` in the object stream `objectStream`. */
  packed(num: number, objectStream: number, index: number): void {
    this.#entries.replace(num, { kind: "packed", objectStream, index });
    this.#numbers.take(num);
  }

  /**
   * Writes an indirect object that is not a stream.
   *
   * @param gen 0 if the file is encrypted: an object stream holds no other generations (ISO 32000-2, 7.5.7)
   */
  object(num: number, gen: number, value: PdfObject): void {
    if (this.#packing && gen === 0) this.#pack(this.#packing, num, value);
    else this.#plainObject(num, gen, value);
  }

  /**
   * Writes a stream object.
   *
   * @param dict must not name a crypt filter, because a reader would use it instead of the new encryption
   * @param cipher the encryption of the input data, which is decrypted
   */
  stream(num: number, gen: number, dict: PdfDict, data: StreamData, cipher?: ObjectCipher): void {
    const encryption = this.#encryption;
    const written = this.#withStringsEncrypted(encryption ? this.#withValuesPacked(dict) : dict);
    if (cipher) {
      const length = decryptedLength(data, cipher);
      this.#beginStream(num, gen, written, length);
      writeDecrypted(this.#out, data, cipher, length);
    } else if (encryption) {
      this.#beginStream(num, gen, written, encryptedLength(dataLength(data)));
      writeEncrypted(this.#out, data, encryption.key, encryption.random.take(BLOCK));
    } else {
      this.#beginStream(num, gen, written, dataLength(data));
      writePlain(this.#out, data);
    }
    this.#endStream();
  }

  /**
   * Writes a stream object of parts, without encryption.
   *
   * @param source the file that ranges refer to
   */
  parts(num: number, dict: PdfDict, parts: readonly BytePart[], source: ByteSource): void {
    this.#beginStream(num, 0, dict, lengthOf(parts));
    for (const part of parts) {
      if (part.kind === "bytes") this.#out.write(part.bytes);
      else this.#out.copy(source, part.start, part.end);
    }
    this.#endStream();
  }

  /** Writes the cross-reference and the trailer. Settles when all bytes are in the sink. */
  async end(trailer: PdfDict): Promise<void> {
    this.#numbers.recordReferences(trailer);
    const newTrailer = new PdfDict();
    for (const [key, value] of trailer.entries()) {
      if (!SECTION_KEYS.has(key)) newTrailer.set(key, key === "ID" ? value : this.#trailerValue(key, value));
    }
    if (this.#packing) this.#endPacking(this.#packing);
    if (this.#encryption) await this.#declare(this.#encryption, newTrailer);
    const start = this.#out.position;
    const { text } = this.#out;
    if (this.#entries.hasPacked || start > TABLE_OFFSET_LIMIT) {
      const num = this.allocate();
      this.#entries.replace(num, { kind: "file", offset: start, gen: 0 });
      const { dict, data } = crossReferenceStream(this.#entries, this.#entries.highest, start);
      for (const [key, value] of newTrailer.entries()) dict.set(key, value);
      this.#beginStream(num, 0, dict, data.length);
      this.#out.write(data);
      this.#endStream();
    } else {
      // The highest written number, which may be lower than the highest number of the old file.
      const { highest } = this.#entries;
      writeTable(text, this.#entries, highest);
      newTrailer.set("Size", highest + 1);
      text.text("trailer\n");
      writeObject(text, newTrailer);
      text.text("\n");
    }
    text.text(`startxref\n${start}\n%%EOF\n`);
    await this.#out.end();
  }

  /**
   * Returns the value of an entry of the trailer. Writes it as an object and returns a reference if the entry must be a
   * reference, or if the file is encrypted: the trailer never is.
   */
  #trailerValue(key: string, value: PdfObject): PdfObject {
    const isEncrypted = this.#encryption !== undefined && !(value instanceof PdfRef);
    const isReferredTo = value instanceof PdfDict && REFERRED_TO.has(key);
    return isEncrypted || isReferredTo ? this.#added(value) : value;
  }

  /** Writes a new object and returns a reference to it. */
  #added(value: PdfObject): PdfRef {
    const num = this.allocate();
    this.object(num, 0, value);
    return new PdfRef(num, 0);
  }

  /**
   * Returns the dictionary of a stream with references in place of the values that may tell something. The values go
   * into an encrypted object stream. Only strings and streams are encrypted by themselves.
   */
  #withValuesPacked(dict: PdfDict): PdfDict {
    let copy: PdfDict | undefined;
    for (let index = 0; index < dict.size; index++) {
      const value = dict.valueAt(index);
      if (staysReadable(dict.keyAt(index), value)) continue;
      copy ??= dict.clone();
      copy.setValueAt(index, this.#added(value));
    }
    return copy ?? dict;
  }

  /** Writes the encryption dictionary, unencrypted, and refers to it in the trailer. */
  async #declare({ dict }: Encryption, trailer: PdfDict): Promise<void> {
    const num = this.allocate();
    this.#plainObject(num, 0, await dict);
    trailer.set("Encrypt", new PdfRef(num, 0));
    // An encrypted file must have an identifier (ISO 32000-2, Table 15).
    if (!trailer.has("ID")) {
      const id = newIdentifier();
      trailer.set("ID", [id, id]);
    }
  }

  #withStringsEncrypted(dict: PdfDict): PdfDict {
    const encryption = this.#encryption;
    return encryption ? mapStrings(dict, (string) => encryptString(encryption, string)) : dict;
  }

  #pack(packing: OpenObjectStream, num: number, value: PdfObject): void {
    const { text, heading } = packing;
    if (packing.count === 0) packing.num = this.allocate();
    this.packed(num, packing.num, packing.count);
    packing.count++;
    heading.number(num);
    heading.byte(0x20);
    heading.number(text.length);
    heading.byte(0x20);
    const start = text.length;
    writeObject(text, value);
    text.byte(0x0a);
    this.#account(text.length - start);
    if (packing.count >= PACKED_OBJECTS || text.length >= PACKED_BYTES) this.#writePacked(packing);
  }

  #endPacking(packing: OpenObjectStream): void {
    this.#writePacked(packing);
    packing.text.end();
    packing.heading.end();
  }

  /** Writes the full object stream (ISO 32000-2, 7.5.7). It is encrypted as a whole. */
  #writePacked(packing: OpenObjectStream): void {
    const { text, heading, num, count } = packing;
    if (count === 0) return;
    packing.count = 0;
    const first = heading.length;
    heading.raw(text.takeView());
    const dict = PdfDict.from([
      ["Type", PdfName.of("ObjStm")],
      ["N", count],
      ["First", first],
      ["Filter", PdfName.of("FlateDecode")],
    ]);
    this.stream(num, 0, dict, { kind: "memory", bytes: zlibSync(heading.takeView()) });
  }

  #plainObject(num: number, gen: number, value: PdfObject): void {
    const start = this.#out.position;
    this.#begin(num, gen);
    const { text } = this.#out;
    writeObject(text, value instanceof PdfStream ? value.dict : value);
    text.text("\nendobj\n");
    this.#account(this.#out.position - start);
  }

  /** Writes a stream object up to its data, which has `length` bytes. */
  #beginStream(num: number, gen: number, dict: PdfDict, length: number): void {
    const start = this.#out.position;
    this.#begin(num, gen);
    const copy = dict.clone();
    copy.set("Length", length);
    const { text } = this.#out;
    writeObject(text, copy);
    text.text("\nstream\n");
    this.#account(this.#out.position - start);
  }

  #endStream(): void {
    this.#out.text.text("\nendstream\nendobj\n");
  }

  #begin(num: number, gen: number): void {
    this.#entries.replace(num, { kind: "file", offset: this.#out.position, gen });
    this.#numbers.take(num);
    this.#out.text.text(`${num} ${gen} obj\n`);
  }
}

/**
 * Returns whether a value in a stream dictionary of an encrypted file stays readable. The type of an attachment does not:
 * it is a `Subtype` with a slash (ISO 32000-2, Table 44).
 */
function staysReadable(key: string, value: PdfObject): boolean {
  if (READABLE_VALUES.has(key)) return true;
  if (value instanceof PdfName) return READABLE_NAMES.has(key) && !value.value.includes("/");
  return !(value instanceof PdfDict || value instanceof PdfString || Array.isArray(value));
}

/** Returns the later of two versions such as "1.4" and "1.7". */
export function laterVersion(one: string, other: string): string {
  return Number.parseFloat(one) >= Number.parseFloat(other) ? one : other;
}
