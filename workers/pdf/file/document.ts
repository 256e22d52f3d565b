import { ServiceError } from "../../../src/shared/errors.ts";
import type { ByteSource } from "../../io/source.ts";
import type { SecurityHandler } from "../security/handler.ts";
import { dictOf, integerOf, PdfDict, type PdfObject, PdfRef, type PdfStream } from "../syntax/objects.ts";
import { BrokenStructure, CrossReference, OBJECT_NUMBER_LIMIT } from "./cross-reference.ts";
import { IndirectObjects, isStructural } from "./indirect-objects.ts";
import type { IndirectObject } from "./object-reader.ts";
import { type FileStructure, findHeader, readCrossReference } from "./read-cross-reference.ts";
import { type ScannedFile, scanForObjects, trailerCandidates } from "./rebuild-cross-reference.ts";
import { WorkBudget } from "./work-budget.ts";

/** The most objects that are added to a document. */
const NUMBERS_ADDED = 100_000;
/** A reference may lead to a reference this many times. */
const REFERENCE_CHAIN = 32;

/**
 * A PDF file as a set of objects (ISO 32000-2, 7.5). Reads an object on request, by the cross-reference of the file, or
 * by a rebuilt one when that is broken.
 */
export class PdfDocument {
  readonly source: ByteSource;
  /** The version in the file's header, such as "1.7". */
  readonly version: string;
  readonly budget: WorkBudget;
  readonly #objects: IndirectObjects;
  #trailer: PdfDict;
  #catalog: PdfDict | undefined;
  /** The object streams that a scan found and whose objects are not in the cross-reference yet. */
  #foundContainers: ScannedFile["containers"] = [];

  private constructor(source: ByteSource, version: string, structure: FileStructure, budget: WorkBudget) {
    this.source = source;
    this.version = version;
    this.#trailer = structure.trailer;
    this.budget = budget;
    this.#objects = new IndirectObjects(source, structure.crossReference, this, budget);
  }

  /**
   * Opens a file by its own cross-reference, or by scanning it for objects when that is broken.
   *
   * @throws {ServiceError} `damaged_file` when there is no document in it
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
    return this.#objects.crossReference;
  }

  get trailer(): PdfDict {
    return this.#trailer;
  }

  /** The highest object number in use, by an entry or by the trailer's `Size`. */
  get highestNumber(): number {
    const size = integerOf(this.#trailer.get("Size")) ?? 0;
    const { highest } = this.crossReference;
    // A `Size` that is far off is wrong. Numbers must remain for new objects.
    return Math.max(highest, Math.min(size - 1, 2 * highest + 1000, OBJECT_NUMBER_LIMIT - NUMBERS_ADDED - 1));
  }

  /** Whether objects can be added above the numbers that are taken. */
  get hasRoomForNumbers(): boolean {
    return this.highestNumber < OBJECT_NUMBER_LIMIT - NUMBERS_ADDED;
  }

  /** Whether objects are packed into object streams. */
  get usesObjectStreams(): boolean {
    return this.crossReference.hasPacked;
  }

  /** Whether the cross-reference was rebuilt by a scan. */
  get recovered(): boolean {
    return this.#objects.isRebuilt;
  }

  /** Decrypts the document's strings and streams. Undefined until a password has opened the document. */
  get security(): SecurityHandler | undefined {
    return this.#objects.security;
  }

  set security(handler: SecurityHandler | undefined) {
    this.#objects.security = handler;
    this.#catalog = undefined;
    this.#indexFoundContainers();
  }

  /**
   * Rebuilds the cross-reference by scanning the file. Objects that were read before stay valid, because numbers do not
   * change.
   *
   * @throws {ServiceError} `damaged_file` when the scan finds no document
   */
  recover(): void {
    // After the scan, all work may be repeated.
    this.budget.renew();
    const scan = scanForObjects(this.source, this.budget);
    this.#objects.rebuild(scan.crossReference);
    this.#foundContainers = scan.containers;
    this.#catalog = undefined;
    for (const trailer of trailerCandidates(scan, this.#trailer)) {
      this.#trailer = trailer;
      if (this.security || !trailer.has("Encrypt")) this.#indexFoundContainers();
      if (this.#hasCatalog()) return;
    }
    if (this.#findPackedCatalog(scan)) return;
    throw new ServiceError(
      "damaged_file",
      "No document could be found in this PDF, not even by scanning it. Ask its sender for another copy.",
    );
  }

  /** The catalog; undefined when the trailer leads to none. */
  get catalog(): PdfDict | undefined {
    this.#catalog ??= this.dict(this.#trailer.get("Root"));
    return this.#catalog;
  }

  #hasCatalog(): boolean {
    const root = this.#trailer.get("Root");
    const entry = root instanceof PdfRef ? this.crossReference.get(root.num) : undefined;
    // Encrypted object streams can be read only after a password has opened the file.
    const locked = this.#trailer.has("Encrypt") && !this.security;
    if (locked && root && (entry?.kind === "packed" || this.#foundContainers.length > 0)) return true;
    return this.resolve(root) instanceof PdfDict;
  }

  /**
   * Adds the objects in the object streams that a scan found. Keeps an object that stands after the stream in the file,
   * because it is newer.
   */
  #indexFoundContainers(): void {
    const containers = this.#foundContainers;
    this.#foundContainers = [];
    for (const { num: container, offset } of containers) {
      const stream = this.#objects.container(container);
      stream?.numbers.forEach((num, index) => {
        const known = this.crossReference.get(num);
        if (num === container || (known?.kind === "file" && known.offset > offset)) return;
        this.crossReference.replace(num, { kind: "packed", container, index });
      });
    }
  }

  /** Looks for a catalog in object streams, which a scan does not see, and makes a trailer for it. */
  #findPackedCatalog({ containers, trailers, encryption }: ScannedFile): boolean {
    const encrypted = encryption !== undefined || trailers.some((trailer) => trailer.has("Encrypt"));
    if (encrypted && !this.security) return false;
    this.#indexFoundContainers();
    for (const { num: container } of [...containers].reverse()) {
      for (const num of [...(this.#objects.container(container)?.numbers ?? [])].reverse()) {
        const root = new PdfRef(num, 0);
        const found = this.resolve(root);
        if (!(found instanceof PdfDict) || !found.is("Type", "Catalog") || !found.has("Pages")) continue;
        this.#trailer = this.#trailer.clone();
        this.#trailer.set("Root", root);
        this.#catalog = undefined;
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the object that a reference leads to, or null when it dangles. Returns any other object
   * unchanged. Strings are decrypted, stream data is not. Charges the budget for the entries of an array
   * behind a reference, because other objects may share the array.
   */
  resolve(object: PdfObject | undefined): PdfObject {
    if (!(object instanceof PdfRef)) return object ?? null;
    let found: PdfObject = object;
    for (let hop = 0; found instanceof PdfRef; hop++) {
      if (hop >= REFERENCE_CHAIN) return null;
      found = this.read(found);
    }
    if (Array.isArray(found)) this.budget.list(found.length);
    return found;
  }

  /** Returns the reference to the object with a number. */
  referenceTo(num: number): PdfRef {
    return new PdfRef(num, this.crossReference.generationOf(num));
  }

  /** Returns the last reference of a chain of references. */
  lastReference(first: PdfRef): PdfRef {
    let last = first;
    for (let hop = 0; hop < REFERENCE_CHAIN; hop++) {
      const found = this.read(last);
      if (!(found instanceof PdfRef)) break;
      last = found;
    }
    return last;
  }

  /** Returns the dictionary or the stream dictionary that `object` is or refers to. */
  dict(object: PdfObject | undefined): PdfDict | undefined {
    return dictOf(this.resolve(object));
  }

  /**
   * Returns the array that `object` is or leads to, else an empty array. Charges the budget for the entries.
   */
  array(object: PdfObject | undefined): readonly PdfObject[] {
    const found = this.resolve(object);
    if (!Array.isArray(found)) return [];
    if (found === object) this.budget.list(found.length);
    return found;
  }

  /**
   * Returns the object that a reference names, or null. Rebuilds the cross-reference when another object is in its
   * place.
   *
   * @throws {ServiceError} `damaged_file` when it is too large or nests too deep
   */
  read(ref: PdfRef): PdfObject {
    try {
      return this.#objects.read(ref);
    } catch (error) {
      if (!(error instanceof BrokenStructure) || this.recovered) throw error;
      this.recover();
      return this.#objects.read(ref);
    }
  }

  /**
   * Returns the indirect object `num` at `offset`, with encrypted strings; undefined when it is not there and the
   * cross-reference was rebuilt.
   *
   * @param expectedEnd the likely start of the next object
   * @throws BrokenStructure when another object or none is there, before {@link recover}
   * @throws {ServiceError} `damaged_file` when it is too large or nests too deep
   */
  readAt(num: number, offset: number, expectedEnd?: number): IndirectObject | undefined {
    return this.#objects.readAt(num, offset, expectedEnd);
  }

  /**
   * Returns a stream's decoded bytes, decrypted.
   *
   * @throws UndecodableStream when a filter is unknown or the data is a bomb
   */
  decoded(stream: PdfStream): Uint8Array {
    return this.#objects.decoded(stream);
  }

  /**
   * Generates a stream's bytes in chunks, decrypted and with its filters undone. The stream may have any
   * length.
   *
   * @throws UndecodableStream when a filter is unknown
   */
  decodedChunks(stream: PdfStream): Generator<Uint8Array> {
    return this.#objects.decodedChunks(stream);
  }

  /** Returns a stream's encoded bytes, decrypted. */
  decrypted(stream: PdfStream): Uint8Array {
    return this.#objects.decrypted(stream);
  }
}
