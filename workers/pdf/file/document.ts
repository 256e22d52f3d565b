import { ServiceError } from "../../../src/errors.ts";
import type { ByteSource } from "../bytes/source.ts";
import type { SecurityHandler } from "../security/handler.ts";
import { dictOf, integerOf, PdfDict, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";
import { MalformedObject } from "../syntax/parser.ts";
import { BrokenStructure, CrossReference, type Entry, OBJECT_NUMBER_LIMIT } from "./cross-reference.ts";
import { decodeStream, UndecodableStream } from "./filters.ts";
import { ObjectCache } from "./object-cache.ts";
import { type IndirectObject, readIndirectObject } from "./object-reader.ts";
import { ObjectStream, UnpackedObjectStreams } from "./object-stream.ts";
import { type FileStructure, findHeader, readCrossReference } from "./read-cross-reference.ts";
import { type ScannedFile, scanForObjects } from "./rebuild-cross-reference.ts";
import { WorkBudget } from "./work-budget.ts";

/** More objects than this are never added to a document. */
const NUMBERS_ADDED = 100_000;
/** What undoing filters costs, however little comes out. */
const DECODING = 2048;
/** What following a reference costs, in bytes of the budget. */
const LOOK = 64;
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
  readonly budget: WorkBudget;
  #crossReference: CrossReference;
  #trailer: PdfDict;
  #recovered = false;
  #security: SecurityHandler | undefined;
  #catalog: PdfDict | undefined;
  readonly #objects = new ObjectCache();
  readonly #containers = new UnpackedObjectStreams();
  #foundContainers: ScannedFile["containers"] = [];
  readonly #unpacking = new Set<number>();
  /** The object streams that the budget knows of. */
  readonly #everUnpacked = new Set<number>();
  readonly #lengthsInProgress = new Set<number>();

  private constructor(source: ByteSource, version: string, structure: FileStructure, budget: WorkBudget) {
    this.source = source;
    this.version = version;
    this.#crossReference = structure.crossReference;
    this.#trailer = structure.trailer;
    this.budget = budget;
  }

  /**
   * Opens a file by its own cross-reference or, where that does not hold together, by scanning it for objects.
   *
   * @throws ServiceError `damaged_file` when there is no document in it
   */
  static open(source: ByteSource): PdfDocument {
    const budget = new WorkBudget(source.size);
    const { offset, version } = findHeader(source);
    for (const base of offset === 0 ? [0] : [offset, 0]) {
      try {
        const structure = readCrossReference(source, base, budget);
        const document = new PdfDocument(source, version, structure, budget);
        if (document.#hasCatalog()) return document;
      } catch (error) {
        if (!isStructural(error)) throw error;
      }
    }
    const empty = { crossReference: new CrossReference(), trailer: new PdfDict() };
    const document = new PdfDocument(source, version, empty, budget);
    document.recover();
    return document;
  }

  get crossReference(): CrossReference {
    return this.#crossReference;
  }

  get trailer(): PdfDict {
    return this.#trailer;
  }

  /** The highest object number that is taken: by an object, or by what the trailer says. */
  get highestNumber(): number {
    const size = integerOf(this.#trailer.get("Size")) ?? 0;
    const { highest } = this.#crossReference;
    // A size far off is a lie, and numbers must be left for what is added.
    return Math.max(highest, Math.min(size - 1, 2 * highest + 1000, OBJECT_NUMBER_LIMIT - NUMBERS_ADDED - 1));
  }

  /** Whether objects can be added above the numbers that are taken. */
  get hasRoomForNumbers(): boolean {
    return this.highestNumber < OBJECT_NUMBER_LIMIT - NUMBERS_ADDED;
  }

  /** Whether objects are packed into object streams. */
  get usesObjectStreams(): boolean {
    return this.#crossReference.hasPacked;
  }

  /** Whether the cross-reference was rebuilt by a scan. */
  get recovered(): boolean {
    return this.#recovered;
  }

  /** What decrypts the document's strings and streams, once a password has opened it. */
  get security(): SecurityHandler | undefined {
    return this.#security;
  }

  set security(handler: SecurityHandler | undefined) {
    this.#security = handler;
    this.#forget();
    this.#indexFoundContainers();
  }

  /**
   * Replaces the cross-reference by what a scan over the file finds. What was read before stays valid: objects keep
   * their numbers.
   *
   * @throws ServiceError `damaged_file` when the scan finds no document
   */
  recover(): void {
    const scan = scanForObjects(this.source, this.budget);
    this.#recovered = true;
    this.#crossReference = scan.crossReference;
    this.#foundContainers = scan.containers;
    this.#forget();
    for (const trailer of trailerCandidates(scan, this.#trailer)) {
      this.#trailer = trailer;
      if (this.#security || !trailer.has("Encrypt")) this.#indexFoundContainers();
      if (this.#hasCatalog()) return;
    }
    throw new ServiceError(
      "damaged_file",
      "No document could be found in this PDF, not even by scanning it. Ask its sender for another copy.",
    );
  }

  /** The document's catalog; undefined when it is not where the trailer says. */
  get catalog(): PdfDict | undefined {
    this.#catalog ??= this.dict(this.#trailer.get("Root"));
    return this.#catalog;
  }

  #forget(): void {
    this.#catalog = undefined;
    this.#objects.clear();
    this.#containers.clear();
  }

  #hasCatalog(): boolean {
    const root = this.#trailer.get("Root");
    const entry = root instanceof PdfRef ? this.#crossReference.get(root.num) : undefined;
    // What is packed in an encrypted file cannot be read before a password has opened it.
    const locked = this.#trailer.has("Encrypt") && !this.#security;
    if (locked && root && (entry?.kind === "packed" || this.#foundContainers.length > 0)) return true;
    return this.resolve(root) instanceof PdfDict;
  }

  /** Adds what a scan found packed; an object that stands by itself behind the container is newer. */
  #indexFoundContainers(): void {
    const containers = this.#foundContainers;
    this.#foundContainers = [];
    for (const { num: container, offset } of containers) {
      const stream = this.#container(container);
      stream?.numbers.forEach((num, index) => {
        const known = this.#crossReference.get(num);
        if (num === container || (known?.kind === "file" && known.offset > offset)) return;
        this.#crossReference.replace(num, { kind: "packed", container, index });
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

  /** The last reference of a chain of references to references, of which the first is given. */
  lastReference(first: PdfRef): PdfRef {
    let last = first;
    for (let hop = 0; hop < REFERENCE_CHAIN; hop++) {
      const found = this.read(last);
      if (!(found instanceof PdfRef)) break;
      last = found;
    }
    return last;
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

  /**
   * The object that a reference names, null when there is none. When another object is in its place the
   * cross-reference is rebuilt.
   */
  read(ref: PdfRef): PdfObject {
    try {
      return this.#read(ref);
    } catch (error) {
      if (!(error instanceof BrokenStructure) || this.#recovered) throw error;
      this.recover();
      return this.#read(ref);
    }
  }

  #read({ num, gen }: PdfRef): PdfObject {
    // Even what costs nothing to read must not be asked for without end.
    this.budget.spend(LOOK);
    const entry = this.#crossReference.get(num);
    if (!entry || entry.kind === "free") return null;
    if (entry.kind === "packed") {
      if (gen !== 0) return null;
    } else if (entry.gen !== gen) return null;
    const known = this.#objects.get(num);
    if (known !== undefined) return known;
    if (entry.kind === "packed") return this.#readPacked(num, entry);
    const object = this.readAt(num, entry.offset);
    if (!object) return null;
    const value = this.#security
      ? this.#security.decryptStrings(object.value, num, object.gen)
      : object.value;
    this.#objects.keep(num, value, object.parsed);
    return value;
  }

  #readPacked(num: number, { container, index }: Extract<Entry, { kind: "packed" }>): PdfObject {
    const found = this.#container(container)?.object(num, index, this.budget);
    if (!found) return null;
    this.#objects.keep(num, found.value, found.parsed);
    return found.value;
  }

  /**
   * The indirect object `num` as it stands in the file at `offset`, its strings not decrypted; undefined when it
   * cannot be read, not even after {@link recover}.
   *
   * @throws BrokenStructure when another object or none is there, before {@link recover}
   */
  readAt(num: number, offset: number, expectedEnd?: number): IndirectObject | undefined {
    const length = (value: PdfObject | undefined) => this.#length(value);
    try {
      const object = readIndirectObject(this.source, offset, length, this.budget, expectedEnd);
      if (object?.num === num) return object;
    } catch (error) {
      if (!(error instanceof MalformedObject)) throw error;
      return undefined;
    }
    if (this.#recovered) return undefined;
    throw new BrokenStructure(`object ${num} is not where the cross-reference says`);
  }

  /**
   * A stream's bytes, decrypted and with its filters undone.
   *
   * @throws UndecodableStream when a filter is unknown or the data is a bomb
   */
  decoded(stream: PdfStream): Uint8Array {
    this.budget.spend(DECODING);
    return decodeStream(this.decrypted(stream), stream.dict, (object) => this.resolve(object), this.budget);
  }

  /** A stream's bytes, decrypted, with its filters on. */
  decrypted({ dict, data }: PdfStream): Uint8Array {
    if (data.kind === "memory") return data.bytes;
    const bytes = this.source.read(data.start, data.end);
    this.budget.spend(bytes.length);
    return this.#security
      ? this.#security.decryptStreamSync(bytes, dict, data.owner.num, data.owner.gen)
      : bytes;
  }

  #container(num: number): ObjectStream | undefined {
    const known = this.#containers.get(num);
    if (known) return known;
    const entry = this.#crossReference.get(num);
    const object = entry?.kind === "file" ? this.readAt(num, entry.offset) : undefined;
    if (!(object?.value instanceof PdfStream)) {
      if (this.#recovered) return undefined;
      throw new BrokenStructure(`object stream ${num} is missing`);
    }
    // One whose filters are inside itself cannot be unpacked.
    if (this.#unpacking.has(num)) return undefined;
    this.#unpacking.add(num);
    let container: ObjectStream;
    try {
      const bytes = this.decoded(object.value);
      if (!this.#everUnpacked.has(num)) this.budget.unpacked(bytes.length);
      this.#everUnpacked.add(num);
      container = new ObjectStream(object.value.dict, bytes);
    } catch (error) {
      if (error instanceof UndecodableStream) return undefined;
      throw error;
    } finally {
      this.#unpacking.delete(num);
    }
    this.#containers.keep(num, container);
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
export function isStructural(error: unknown): boolean {
  return (
    error instanceof BrokenStructure || error instanceof UndecodableStream || error instanceof MalformedObject
  );
}

/**
 * What may be the trailer, best first: the one that the file's own cross-reference led to, those that the scan found
 * from the newest on, and one for each object that calls itself a catalog. Each takes over what only others know.
 */
function* trailerCandidates({ trailers, catalogs }: ScannedFile, declared: PdfDict): Generator<PdfDict> {
  const found = [...(declared.has("Root") ? [declared] : []), ...[...trailers].reverse()];
  const withRoot = found.filter((trailer) => trailer.has("Root"));
  const made = catalogs
    .slice(-64)
    .reverse()
    .map((num) => new PdfDict(new Map([["Root", new PdfRef(num, 0)]])));
  for (const trailer of [...withRoot, ...made]) {
    const completed = trailer.clone();
    for (const key of ["Encrypt", "ID", "Info"]) {
      const value = found.find((other) => other.has(key))?.get(key);
      if (!completed.has(key) && value !== undefined) completed.set(key, value);
    }
    yield completed;
  }
}
