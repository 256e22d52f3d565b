import { ServiceError } from "../../../src/shared/errors.ts";
import { limitReached } from "../../call-budget.ts";
import { joinBytes } from "../../io/concat-bytes.ts";
import type { ByteSource } from "../../io/source.ts";
import type { Decryptor } from "../security/decryptor.ts";
import { decryptedChunks } from "../security/stream-cipher.ts";
import {
  dataLength,
  integerOf,
  type ObjectSource,
  type PdfObject,
  PdfRef,
  PdfStream,
} from "../syntax/objects.ts";
import { MalformedObject } from "../syntax/parser.ts";
import { BrokenStructure, type CrossReference, type Entry, NumberSet } from "./cross-reference.ts";
import { decodedChunks, decodeStream, UndecodableStream, UnpacksTooMuch } from "./filters.ts";
import { ObjectCache } from "./object-cache.ts";
import { type IndirectObject, readIndirectObject } from "./object-reader.ts";
import { ObjectStream } from "./object-stream.ts";
import { RecentValues } from "./recent-values.ts";
import type { WorkBudget, WorkMeter } from "./work-budget.ts";

/** The most bytes of decoded object streams in the cache. */
const OBJECT_STREAM_BYTES = 16 * 1024 * 1024;

/** The document whose objects are read. */
interface ObjectOwner extends ObjectSource {
  readonly source: ByteSource;
  readonly budget: WorkBudget;
  /** Whether a scan made the cross-reference. An object that is not in its place then does not exist. */
  readonly isRebuilt: boolean;
}

/**
 * Reads a file's indirect objects by its cross-reference. Caches a bounded number of objects and of decoded object
 * streams.
 */
export class IndirectObjects {
  readonly crossReference: CrossReference;
  readonly #owner: ObjectOwner;
  readonly #source: ByteSource;
  readonly #budget: WorkBudget;
  #decryptor: Decryptor | undefined;
  readonly #latest = new ObjectCache();
  /** The objects that were charged to the budget. */
  readonly #everRead = new NumberSet();
  readonly #objectStreams = new RecentValues<ObjectStream>(OBJECT_STREAM_BYTES);
  readonly #unpacking = new Set<number>();
  /** The object streams that were charged to the budget. */
  readonly #everUnpacked = new Set<number>();
  readonly #lengthsInProgress = new Set<number>();

  constructor(owner: ObjectOwner, crossReference: CrossReference) {
    const { source, budget } = owner;
    this.crossReference = crossReference;
    this.#owner = owner;
    this.#source = source;
    this.#budget = budget;
  }

  get decryptor(): Decryptor | undefined {
    return this.#decryptor;
  }

  set decryptor(decryptor: Decryptor | undefined) {
    this.#decryptor = decryptor;
    this.#latest.clear();
    this.#objectStreams.clear();
  }

  /**
   * Returns the object that a reference names, with decrypted strings; null when there is none.
   *
   * @throws BrokenStructure when another object is in its place, unless the cross-reference was rebuilt
   * @throws {ServiceError} `damaged_file` when it is too large or nests too deep
   */
  read({ num, gen }: PdfRef): PdfObject {
    // Cached objects cost work too, so that the number of reads is bounded.
    this.#budget.charge("object");
    const entry = this.crossReference.get(num);
    if (!entry || entry.kind === "free") return null;
    if (entry.kind === "packed") {
      if (gen !== 0) return null;
    } else if (entry.gen !== gen) return null;
    const known = this.#latest.get(num);
    if (known !== undefined) return known;
    if (entry.kind === "packed") return this.#readPacked(num, entry);
    const object = this.readAt(num, entry.offset, undefined, this.#budgetFor(num));
    if (!object) return null;
    const value = this.#decryptor
      ? this.#decryptor.decryptStrings(object.value, num, object.gen)
      : object.value;
    this.#latest.keep(num, value, object.parsed);
    return value;
  }

  #budgetFor(num: number): WorkMeter {
    if (this.#everRead.has(num)) return this.#budget.repeated;
    this.#everRead.add(num);
    return this.#budget;
  }

  #readPacked(num: number, { objectStream, index }: Extract<Entry, { kind: "packed" }>): PdfObject {
    try {
      const found = this.objectStream(objectStream)?.object(num, index, this.#budgetFor(num));
      if (!found) return null;
      this.#latest.keep(num, found.value, found.parsed);
      return found.value;
    } catch (error) {
      throw refusalOf(num, error);
    }
  }

  /**
   * Returns the object `num` at `offset`, with encrypted strings; undefined when it is not there.
   *
   * @param expectedEnd the likely start of the next object
   * @param budget charged with the read; by default without memory
   * @throws BrokenStructure when another object or none is there, unless the cross-reference was rebuilt
   * @throws {ServiceError} `damaged_file` when it is too large or nests too deep
   */
  readAt(
    num: number,
    offset: number,
    expectedEnd?: number,
    budget: WorkMeter = this.#budget.repeated,
  ): IndirectObject | undefined {
    const resolveLength = (value: PdfObject | undefined) => this.#length(value);
    const bytes = { source: this.#source, objects: this.#owner, budget, resolveLength };
    try {
      const object = readIndirectObject(bytes, offset, expectedEnd);
      if (object?.num === num) return object;
    } catch (error) {
      throw refusalOf(num, error);
    }
    if (this.#owner.isRebuilt) return undefined;
    throw new BrokenStructure(`object ${num} is not where the cross-reference says`);
  }

  /**
   * Returns the object stream `num`; undefined when it cannot be decoded.
   *
   * @throws BrokenStructure when it is missing, unless the cross-reference was rebuilt
   */
  objectStream(num: number): ObjectStream | undefined {
    return this.#objectStreams.get(num) ?? this.#unpacked(num);
  }

  #unpacked(num: number): ObjectStream | undefined {
    const stream = this.#readObjectStream(num);
    // A stream whose filters are objects in itself cannot be decoded.
    if (!stream || this.#unpacking.has(num)) return undefined;
    this.#unpacking.add(num);
    try {
      const bytes = this.decoded(stream);
      if (!this.#everUnpacked.has(num)) this.#budget.unpacked(bytes.length);
      this.#everUnpacked.add(num);
      const objectStream = new ObjectStream(stream.dict, bytes, this.#owner, this.#budget);
      this.#objectStreams.add(num, objectStream, bytes.length);
      return objectStream;
    } catch (error) {
      if (error instanceof UnpacksTooMuch) throw tooMuchUnpacked(num);
      if (error instanceof UndecodableStream) return undefined;
      throw error;
    } finally {
      this.#unpacking.delete(num);
    }
  }

  #readObjectStream(num: number): PdfStream | undefined {
    const entry = this.crossReference.get(num);
    const object = entry?.kind === "file" ? this.readAt(num, entry.offset) : undefined;
    if (object?.value instanceof PdfStream) return object.value;
    if (this.#owner.isRebuilt) return undefined;
    throw new BrokenStructure(`object stream ${num} is missing`);
  }

  /**
   * Returns a stream's decoded bytes, decrypted.
   *
   * @throws UndecodableStream when a filter is unknown or the data is a bomb
   */
  decoded(stream: PdfStream): Uint8Array {
    this.#budget.charge("stream");
    return decodeStream(this.decrypted(stream), stream.dict, this.#budget);
  }

  /**
   * Generates a stream's bytes in chunks, decrypted and with its filters undone. The stream may have any
   * length. Charges {@link WorkBudget.content}, because page content may be much longer than the file.
   *
   * @throws UndecodableStream when a filter is unknown
   */
  *decodedChunks(stream: PdfStream): Generator<Uint8Array> {
    this.#budget.charge("stream");
    yield* decodedChunks(() => this.#decryptedChunks(stream), stream.dict, this.#budget.content);
  }

  /** Returns a stream's encoded bytes, decrypted. */
  decrypted(stream: PdfStream): Uint8Array {
    return joinBytes([...this.#decryptedChunks(stream)]);
  }

  #decryptedChunks(stream: PdfStream): Iterable<Uint8Array> {
    const { data } = stream;
    if (data.kind === "memory") return [data.bytes];
    this.#budget.charge("byte", dataLength(data));
    return decryptedChunks(data, this.#decryptor?.streamCipher(stream));
  }

  /** Returns a stream's `Length`. It may be a reference, but not to a stream with that same length. */
  #length(value: PdfObject | undefined): number | undefined {
    if (!(value instanceof PdfRef)) return integerOf(value);
    if (this.#lengthsInProgress.has(value.num)) return undefined;
    this.#lengthsInProgress.add(value.num);
    try {
      return integerOf(this.#owner.read(value));
    } finally {
      this.#lengthsInProgress.delete(value.num);
    }
  }
}

/** Returns the error for an object stream that is a decompression bomb. As null, its objects would be lost. */
function tooMuchUnpacked(num: number): ServiceError {
  return limitReached(
    "unpacked_bytes",
    `Object stream ${num} of this PDF unpacks to more than 128 MB. Ask its sender for another copy.`,
  );
}

/** Returns `damaged_file` for a malformed object, and any other error unchanged. As null, the object would be lost. */
function refusalOf(num: number, error: unknown): unknown {
  if (!(error instanceof MalformedObject)) return error;
  return new ServiceError(
    "damaged_file",
    `Object ${num} of this PDF is damaged: ${error.message}. Ask its sender for another copy.`,
  );
}
