import { ServiceError } from "../../../src/errors.ts";
import type { ByteSource } from "../bytes/source.ts";
import type { SecurityHandler } from "../security/handler.ts";
import { dictOf, integerOf, PdfDict, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";
import { MalformedObject } from "../syntax/parser.ts";
import { BrokenStructure, type CrossReference } from "./cross-reference.ts";
import { decodeStream, UndecodableStream } from "./filters.ts";
import { type IndirectObject, readIndirectObject } from "./object-reader.ts";
import { ObjectStream } from "./object-stream.ts";
import { type FileStructure, findHeader, readCrossReference } from "./read-cross-reference.ts";
import { type ScannedFile, scanForObjects } from "./rebuild-cross-reference.ts";
import { WorkBudget } from "./work-budget.ts";

/** Unpacked object streams are kept up to this many bytes together. */
const CONTAINERS_KEPT = 32 * 1024 * 1024;
/** A reference may lead to a reference this many times. */
const REFERENCE_CHAIN = 32;

/**
 * A PDF file as a set of objects that are read when they are asked for (ISO 32000-2, 7.5). Nothing is kept but the
 * cross-reference and a bounded number of unpacked object streams.
 */
export class PdfDocument {
  readonly source: ByteSource;
  /** The version in the file's header, such as "1.7". */
  readonly version: string;
  readonly crossReference: CrossReference;
  readonly trailer: PdfDict;
  readonly budget: WorkBudget;
  /** Whether the cross-reference was rebuilt by scan. */
  readonly rebuilt: boolean;
  /** Decrypts what is read, once a password has opened the document. */
  security: SecurityHandler | undefined;
  readonly #containers = new Map<number, ObjectStream>();
  #containerBytes = 0;
  readonly #lengthsInProgress = new Set<number>();
  readonly #unindexed: ScannedFile["containers"];

  private constructor(
    source: ByteSource,
    version: string,
    { crossReference, trailer }: FileStructure,
    budget: WorkBudget,
    scan?: ScannedFile,
  ) {
    this.source = source;
    this.version = version;
    this.crossReference = crossReference;
    this.trailer = trailer;
    this.budget = budget;
    this.rebuilt = scan !== undefined;
    this.#unindexed = scan?.containers ?? [];
  }

  /**
   * Opens a file by its own cross-reference.
   *
   * @throws BrokenStructure when that does not hold together; {@link rebuild} may still open the file
   */
  static open(source: ByteSource): PdfDocument {
    const budget = new WorkBudget(source.size);
    const { offset, version } = findHeader(source);
    let failure: unknown;
    for (const base of offset === 0 ? [0] : [offset, 0]) {
      try {
        const structure = readCrossReference(source, base, budget);
        const document = new PdfDocument(source, version, structure, budget);
        document.#expectCatalog();
        return document;
      } catch (error) {
        if (!isStructural(error)) throw error;
        failure ??= error;
      }
    }
    throw new BrokenStructure(failure instanceof Error ? failure.message : "the structure is broken");
  }

  /**
   * Opens a file by scanning it for objects.
   *
   * @throws ServiceError `damaged_file` when there is no document in it
   */
  static rebuild(source: ByteSource): PdfDocument {
    const budget = new WorkBudget(source.size);
    const scan = scanForObjects(source, budget);
    const { crossReference } = scan;
    const found = chooseTrailer(scan);
    return new PdfDocument(
      source,
      findHeader(source).version,
      { crossReference, trailer: found },
      budget,
      scan,
    );
  }

  #expectCatalog(): void {
    const root = this.trailer.get("Root");
    if (!root) throw new BrokenStructure("the trailer names no catalog");
    const entry = root instanceof PdfRef ? this.crossReference.get(root.num) : undefined;
    // A packed catalog of an encrypted file cannot be read yet.
    if (entry?.kind === "packed" && this.trailer.has("Encrypt")) return;
    if (!(this.resolve(root) instanceof PdfDict))
      throw new BrokenStructure("the catalog is not where it should be");
  }

  /**
   * Adds the objects of the object streams that a rebuild found. Encrypted ones can be read only once
   * {@link security} is set. An object outside that stands behind the container in the file is newer.
   */
  indexFoundContainers(): void {
    for (const { num: container, offset } of this.#unindexed) {
      const stream = this.#container(container);
      stream?.numbers.forEach((num, index) => {
        const known = this.crossReference.get(num);
        if (known?.kind === "file" && known.offset > offset) return;
        if (num !== container) this.crossReference.replace(num, { kind: "packed", container, index });
      });
    }
  }

  /**
   * The object that a reference leads to, null where it leads nowhere; any other object is itself. Strings are
   * decrypted, stream data is not.
   */
  resolve(object: PdfObject | undefined): PdfObject {
    let found = object ?? null;
    for (let hop = 0; found instanceof PdfRef; hop++) {
      if (hop >= REFERENCE_CHAIN) return null;
      found = this.read(found);
    }
    return found;
  }

  /** The dictionary that `object` is, leads to, or carries as a stream. */
  dict(object: PdfObject | undefined): PdfDict | undefined {
    return dictOf(this.resolve(object));
  }

  /** The array that `object` is or leads to; an empty one when it is none. */
  array(object: PdfObject | undefined): readonly PdfObject[] {
    const found = this.resolve(object);
    return Array.isArray(found) ? found : [];
  }

  /** The object with a reference's number, null when there is none. A reference that it is itself is not followed. */
  read(ref: PdfRef): PdfObject {
    const entry = this.crossReference.get(ref.num);
    if (!entry || entry.kind === "free") return null;
    if (entry.kind === "packed") {
      if (ref.gen !== 0) return null;
      return this.#container(entry.container)?.object(ref.num, entry.index) ?? null;
    }
    if (entry.gen !== ref.gen) return null;
    const object = this.readAt(ref.num, entry.offset);
    if (!object) return null;
    return this.security ? this.security.decryptStrings(object.value, object.num, object.gen) : object.value;
  }

  /**
   * The indirect object `num` as it stands in the file at `offset`, its strings not decrypted.
   *
   * @throws BrokenStructure when another object or none is there; after a rebuild, undefined instead
   */
  readAt(num: number, offset: number, expectedEnd?: number): IndirectObject | undefined {
    try {
      const length = (value: PdfObject | undefined) => this.#length(value);
      const object = readIndirectObject(this.source, offset, length, this.budget, expectedEnd);
      if (object?.num === num) return object;
    } catch (error) {
      if (!(error instanceof MalformedObject)) throw error;
      if (this.rebuilt) return undefined;
    }
    if (this.rebuilt) return undefined;
    throw new BrokenStructure(`object ${num} is not where the cross-reference says`);
  }

  /**
   * A stream's bytes, decrypted and with its filters undone.
   *
   * @throws UndecodableStream when a filter is unknown or the data is a bomb
   */
  decoded(stream: PdfStream): Uint8Array {
    return decodeStream(this.decrypted(stream), stream.dict, (object) => this.resolve(object));
  }

  /** A stream's bytes, decrypted, with its filters on. */
  decrypted({ dict, data }: PdfStream): Uint8Array {
    if (data.kind === "memory") return data.bytes;
    const bytes = this.source.read(data.start, data.end);
    this.budget.spend(bytes.length);
    return this.security
      ? this.security.decryptStreamSync(bytes, dict, data.owner.num, data.owner.gen)
      : bytes;
  }

  #container(num: number): ObjectStream | undefined {
    const known = this.#containers.get(num);
    if (known) return known;
    const entry = this.crossReference.get(num);
    const object = entry?.kind === "file" ? this.readAt(num, entry.offset) : undefined;
    if (!(object?.value instanceof PdfStream)) {
      if (this.rebuilt) return undefined;
      throw new BrokenStructure(`object stream ${num} is missing`);
    }
    let container: ObjectStream;
    try {
      container = new ObjectStream(object.value.dict, this.decoded(object.value));
    } catch (error) {
      if (error instanceof UndecodableStream) return undefined;
      throw error;
    }
    this.#containerBytes += container.size;
    while (this.#containerBytes > CONTAINERS_KEPT && this.#containers.size > 0) {
      const [oldest, dropped] = this.#containers.entries().next().value as [number, ObjectStream];
      this.#containers.delete(oldest);
      this.#containerBytes -= dropped.size;
    }
    this.#containers.set(num, container);
    return container;
  }

  /** A stream's length may be an object of its own, which must not be a stream with that same length. */
  #length(value: PdfObject | undefined): number | undefined {
    if (!(value instanceof PdfRef)) return integerOf(value);
    if (this.#lengthsInProgress.has(value.num)) return undefined;
    this.#lengthsInProgress.add(value.num);
    try {
      return integerOf(this.read(value));
    } catch (error) {
      // The stream's own end can be found without its length.
      if (isStructural(error)) return undefined;
      throw error;
    } finally {
      this.#lengthsInProgress.delete(value.num);
    }
  }
}

/** Whether an error says that the file's structure is broken, rather than that the work should stop. */
function isStructural(error: unknown): boolean {
  return (
    error instanceof BrokenStructure || error instanceof UndecodableStream || error instanceof MalformedObject
  );
}

/** The newest trailer that names a catalog, with what older ones alone know; else one made from what was found. */
function chooseTrailer({ trailers, catalogs }: ScannedFile): PdfDict {
  const newestFirst = [...trailers].reverse();
  const named = newestFirst.find((trailer) => trailer.has("Root"));
  const trailer = named?.clone() ?? new PdfDict();
  if (!named) {
    const catalog = catalogs.at(-1);
    if (catalog === undefined) {
      throw new ServiceError(
        "damaged_file",
        "No document could be found in this PDF, not even by scanning it. Ask its sender for another copy.",
      );
    }
    trailer.set("Root", new PdfRef(catalog, 0));
  }
  for (const key of ["Encrypt", "ID", "Info"]) {
    const value = newestFirst.find((other) => other.has(key))?.get(key);
    if (!trailer.has(key) && value !== undefined) trailer.set(key, value);
  }
  return trailer;
}
