import { ServiceError } from "../../../src/shared/errors.ts";
import type { ByteSource } from "../../io/source.ts";
import type { Decryptor } from "../security/decryptor.ts";
import { type ObjectSource, PdfDict, type PdfObject, PdfRef, resolved } from "../syntax/objects.ts";
import { MalformedObject } from "../syntax/parser.ts";
import { boundTo } from "../syntax/parts.ts";
import { BrokenStructure, type CrossReference, OBJECT_NUMBER_LIMIT } from "./cross-reference.ts";
import { UndecodableStream } from "./filters.ts";
import { IndirectObjects } from "./indirect-objects.ts";
import { type FileStructure, findHeader, readCrossReference } from "./read-cross-reference.ts";
import { type ScannedFile, scanForObjects, trailerCandidates } from "./rebuild-cross-reference.ts";
import { WorkBudget } from "./work-budget.ts";

/** A file whose header was read. */
type OpenedFile = Pick<PdfDocument, "source" | "version" | "budget">;

/** The most objects that are added to a document. */
const NUMBERS_ADDED = 100_000;

/**
 * A PDF file as a set of objects (ISO 32000-2, 7.5). Reads an object on request, by the cross-reference of the file, or
 * by a rebuilt one when that is broken.
 */
export class PdfDocument implements ObjectSource {
  readonly source: ByteSource;
  /** The version in the file's header, such as "1.7". */
  readonly version: string;
  readonly budget: WorkBudget;
  /** Whether a scan of the file made the cross-reference. */
  readonly isRebuilt: boolean;
  /** Reads the objects where they are in the file, and decodes streams. */
  readonly objects: IndirectObjects;
  #trailer: PdfDict;
  #catalog: PdfDict | undefined;
  /** The object streams that a scan found and whose objects are not in the cross-reference yet. */
  #foundObjectStreams: ScannedFile["objectStreams"] = [];

  private constructor(
    { source, version, budget }: OpenedFile,
    { crossReference, trailer }: FileStructure,
    isRebuilt = false,
  ) {
    this.source = source;
    this.version = version;
    this.budget = budget;
    this.isRebuilt = isRebuilt;
    this.#trailer = boundTo(this, trailer);
    this.objects = new IndirectObjects(this, crossReference);
  }

  /**
   * Opens a file by its own cross-reference, or by scanning it for objects when that is broken.
   *
   * @throws {ServiceError} `damaged_file` when there is no document in it
   */
  static open(source: ByteSource): PdfDocument {
    const budget = new WorkBudget(source.size);
    const { offset, version } = findHeader(source);
    const file = { source, version, budget };
    for (const base of offset === 0 ? [0] : [offset, 0]) {
      const document = PdfDocument.#sound(file, base);
      if (document) return document;
    }
    return PdfDocument.#rebuilt(file, new PdfDict());
  }

  /** Returns the document by the cross-reference of the file; undefined when that is broken or leads to no catalog. */
  static #sound(file: OpenedFile, headerOffset: number): PdfDocument | undefined {
    try {
      const document = new PdfDocument(file, readCrossReference(file.source, headerOffset, file.budget));
      return document.#hasCatalog() ? document : undefined;
    } catch (error) {
      const isBroken =
        error instanceof BrokenStructure ||
        error instanceof UndecodableStream ||
        error instanceof MalformedObject;
      if (!isBroken) throw error;
      return undefined;
    }
  }

  /**
   * Returns the document as a scan of the whole file finds it. No password has opened it yet.
   *
   * @throws {ServiceError} `damaged_file` when the scan finds no document
   */
  rebuilt(): PdfDocument {
    return PdfDocument.#rebuilt(this, this.#trailer);
  }

  /** @param declared the trailer of the file; empty when it is unknown */
  static #rebuilt(file: OpenedFile, declared: PdfDict): PdfDocument {
    // All work may be repeated.
    file.budget.renew();
    const scan = scanForObjects(file.source, file.budget);
    const document = new PdfDocument(file, { ...scan, trailer: declared }, true);
    document.#findCatalog(scan);
    return document;
  }

  get crossReference(): CrossReference {
    return this.objects.crossReference;
  }

  get trailer(): PdfDict {
    return this.#trailer;
  }

  /** The highest object number in use, by an entry or by the trailer's `Size`. */
  get highestNumber(): number {
    const size = this.#trailer.integer("Size") ?? 0;
    const { highest } = this.crossReference;
    // A `Size` that is far off is wrong. Numbers must remain for new objects.
    return Math.max(highest, Math.min(size - 1, 2 * highest + 1000, OBJECT_NUMBER_LIMIT - NUMBERS_ADDED - 1));
  }

  /** Whether objects are packed into object streams. */
  get usesObjectStreams(): boolean {
    return this.crossReference.hasPacked;
  }

  /** Decrypts the document's strings and streams. Undefined until a password has opened the document. */
  get decryptor(): Decryptor | undefined {
    return this.objects.decryptor;
  }

  set decryptor(decryptor: Decryptor | undefined) {
    this.objects.decryptor = decryptor;
    this.#catalog = undefined;
    this.#addFoundObjectStreams();
  }

  /**
   * Sets the trailer that leads to a catalog.
   *
   * @throws {ServiceError} `damaged_file` when there is none
   */
  #findCatalog(scan: ScannedFile): void {
    this.#foundObjectStreams = scan.objectStreams;
    for (const trailer of trailerCandidates(scan, this.#trailer)) {
      this.#trailer = boundTo(this, trailer);
      if (!trailer.has("Encrypt")) this.#addFoundObjectStreams();
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
    this.#catalog ??= this.#trailer.dict("Root");
    return this.#catalog;
  }

  /** Returns whether the trailer leads to a catalog, as far as that is known before a password has opened the document. */
  #hasCatalog(): boolean {
    const root = this.#trailer.get("Root");
    const entry = root instanceof PdfRef ? this.crossReference.get(root.num) : undefined;
    // Encrypted object streams can be read only after a password has opened the file.
    const isPacked = entry?.kind === "packed" || this.#foundObjectStreams.length > 0;
    if (this.#trailer.has("Encrypt") && root && isPacked) return true;
    return resolved(root) instanceof PdfDict;
  }

  /**
   * Adds the objects in the object streams that a scan found. Keeps an object that stands after the stream in the file,
   * because it is newer.
   */
  #addFoundObjectStreams(): void {
    const objectStreams = this.#foundObjectStreams;
    this.#foundObjectStreams = [];
    for (const { num: objectStream, offset } of objectStreams) {
      const stream = this.objects.objectStream(objectStream);
      stream?.numbers.forEach((num, index) => {
        const known = this.crossReference.get(num);
        if (num === objectStream || (known?.kind === "file" && known.offset > offset)) return;
        this.crossReference.replace(num, { kind: "packed", objectStream, index });
      });
    }
  }

  /** Looks for a catalog in object streams, which a scan does not see, and makes a trailer for it. */
  #findPackedCatalog({ objectStreams, trailers, encryption }: ScannedFile): boolean {
    const encrypted = encryption !== undefined || trailers.some((trailer) => trailer.has("Encrypt"));
    if (encrypted) return false;
    this.#addFoundObjectStreams();
    for (const { num: objectStream } of [...objectStreams].reverse()) {
      for (const num of [...(this.objects.objectStream(objectStream)?.numbers ?? [])].reverse()) {
        const root = new PdfRef(num, 0, this);
        const found = root.resolve();
        if (!(found instanceof PdfDict) || !found.is("Type", "Catalog") || !found.has("Pages")) continue;
        this.#trailer = this.#trailer.clone();
        this.#trailer.set("Root", root);
        return true;
      }
    }
    return false;
  }

  /** Returns the reference to the object with a number. */
  referenceTo(num: number): PdfRef {
    return new PdfRef(num, this.crossReference.generationOf(num), this);
  }

  /**
   * Returns the object that a reference names, or null.
   *
   * @throws BrokenStructure when another object is in its place, unless the cross-reference was rebuilt
   * @throws {ServiceError} `damaged_file` when it is too large or nests too deep
   */
  read(ref: PdfRef): PdfObject {
    return this.objects.read(ref);
  }
}
