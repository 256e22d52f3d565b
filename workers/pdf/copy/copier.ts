import type { PdfDocument } from "../file/document.ts";
import type { FileWriter } from "../file/file-writer.ts";
import { UndecodableStream } from "../file/filters.ts";
import type { Page } from "../pages/page-tree.ts";
import { withoutCryptFilter } from "../security/crypt-filter.ts";
import { countParts, PdfDict, PdfName, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";
import { DEPTH_LIMIT } from "../syntax/parser.ts";
import type { StreamDeflater } from "./stream-deflater.ts";

/** An object with more parts is large. */
const FEW_PARTS = 32;
/** The most nested copied objects. Leaves room for the objects around them. */
const COPIED_DEPTH = DEPTH_LIMIT - 8;

/** An object to write with a new number. A large object is read again instead of being held. */
type Queued = { readonly num: number } & ({ readonly object: PdfObject } | { readonly ref: PdfRef });

/** The result of {@link CopyRules.prepare} for an object that is copied, but written later by the caller. */
export const LATER = Symbol("later");

/** Decides which objects are copied, and how. */
export interface CopyRules {
  /** Whether objects keep their numbers. Otherwise they are numbered in the order of references. */
  readonly keepsNumbers: boolean;
  /** Returns whether an object may be copied. References to other objects become null. */
  mayCopy(num: number): boolean;
  /** Returns an object as it is to be copied; undefined when it is not copied. */
  prepare(object: PdfObject, num: number): PdfObject | typeof LATER | undefined;
  /** Returns any dictionary as it is to be copied; undefined when it is not copied. */
  prepareDict(dict: PdfDict): PdfDict | undefined;
  /** Deflates uncompressed streams. Undefined to copy them unchanged. */
  readonly deflater?: StreamDeflater | undefined;
}

/**
 * Copies objects into a new file, with all objects that they reach. Decrypts them.
 */
export class ObjectCopier {
  readonly #document: PdfDocument;
  readonly #writer: FileWriter;
  readonly #rules: CopyRules;
  /** New numbers by old ones; null for objects that are not copied. */
  readonly #numbers = new Map<number, number | null>();
  /** Dangling references. */
  readonly #dangling = new Set<number>();
  #queue: Queued[] = [];

  constructor(document: PdfDocument, writer: FileWriter, rules: CopyRules) {
    this.#document = document;
    this.#writer = writer;
    this.#rules = rules;
  }

  /** Sets the new number of an object that the caller writes. */
  assign(old: number, num: number): void {
    this.#numbers.set(old, num);
  }

  /** Assigns numbers to pages before other objects refer to them. A page that is listed twice becomes two pages. */
  assignPages(pages: readonly Page[]): PdfRef[] {
    return pages.map(({ ref }) => {
      const first = ref !== undefined && !this.#numbers.has(ref.num);
      const num = first && this.#rules.keepsNumbers ? ref.num : this.#writer.allocate();
      if (first) this.assign(ref.num, num);
      return new PdfRef(num, 0);
    });
  }

  /** Returns the new number of a copied object. */
  numberOf(old: number): number | undefined {
    return this.#numbers.get(old) ?? undefined;
  }

  /** The number of objects that were copied or refused. */
  get copiedCount(): number {
    return this.#numbers.size;
  }

  /** Generates the old numbers of all copied objects. */
  *copiedNumbers(): Generator<number> {
    for (const [old, num] of this.#numbers) if (num !== null) yield old;
  }

  /** Writes an object with the number `num`. {@link copyReached} writes the objects that it refers to. */
  #write(num: number, object: PdfObject): void {
    if (object instanceof PdfStream) this.#writeStream(num, object);
    else this.#writer.object(num, 0, this.map(object));
  }

  /** Adds a new object. */
  add(object: PdfObject): PdfRef {
    const num = this.#writer.allocate();
    this.#queue.push({ num, object });
    return new PdfRef(num, 0);
  }

  /** Writes all objects that were referred to, and all that they reach. */
  async copyReached(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      for (const queued of batch) {
        this.#write(queued.num, "object" in queued ? queued.object : this.#readAgain(queued.ref));
        if (this.#writer.backpressure) await this.#writer.drain();
      }
    }
  }

  /**
   * Returns an object with references to the new file. Replaces parts that nest too deep by null: an indirect object may
   * have become a part of another one.
   */
  map(object: PdfObject, depth = 0): PdfObject {
    if (object instanceof PdfRef) return this.#reference(object);
    if (Array.isArray(object)) {
      return depth < COPIED_DEPTH ? object.map((item) => this.map(item, depth + 1)) : null;
    }
    // Streams are indirect objects, so this one is new.
    if (object instanceof PdfStream) return this.add(object);
    if (!(object instanceof PdfDict)) return object;
    const prepared = depth < COPIED_DEPTH ? this.#rules.prepareDict(object) : undefined;
    return prepared ? this.#mapEntries(prepared, depth + 1) : null;
  }

  #mapEntries(dict: PdfDict, depth: number): PdfDict {
    const mapped = dict.clone();
    let hasNull = false;
    const { size } = mapped;
    for (let index = 0; index < size; index++) {
      const value = this.map(mapped.valueAt(index), depth);
      mapped.setValueAt(index, value);
      if (value === null) hasNull = true;
    }
    if (hasNull) mapped.dropNulls();
    return mapped;
  }

  #reference(ref: PdfRef): PdfObject {
    this.#document.budget.charge("copy");
    const known = this.#numbers.get(ref.num);
    if (known !== undefined && this.#isCurrent(ref)) return known === null ? null : new PdfRef(known, 0);
    if (this.#dangling.has(keyOf(ref)) || !this.#rules.mayCopy(ref.num)) return null;
    const found = this.#document.read(ref);
    if (found === null) {
      this.#dangling.add(keyOf(ref));
      return null;
    }
    const whole = found instanceof PdfStream ? completed(this.#document, found) : found;
    const object = this.#rules.prepare(whole, ref.num);
    if (object === undefined) {
      this.#numbers.set(ref.num, null);
      return null;
    }
    const num = this.#rules.keepsNumbers ? ref.num : this.#writer.allocate();
    this.#document.budget.charge("keptEntry");
    this.#numbers.set(ref.num, num);
    if (object !== LATER)
      this.#queue.push(countParts(object, FEW_PARTS) <= FEW_PARTS ? { num, object } : { num, ref });
    return new PdfRef(num, 0);
  }

  /** Returns whether a reference has the current generation number. After a rebuild, generations are unreliable. */
  #isCurrent({ num, gen }: PdfRef): boolean {
    const { crossReference, isRebuilt } = this.#document;
    return isRebuilt || gen === crossReference.generationOf(num);
  }

  #readAgain(ref: PdfRef): PdfObject {
    const found = this.#document.read(ref);
    const whole = found instanceof PdfStream ? completed(this.#document, found) : found;
    const object = this.#rules.prepare(whole, ref.num);
    return object === undefined || object === LATER ? null : object;
  }

  #writeStream(num: number, stream: PdfStream): void {
    const written = this.#rules.deflater?.deflated(stream) ?? stream;
    const own = withoutCryptFilter(written.dict, (object) => this.#document.resolve(object)).clone();
    own.delete("Length");
    const cipher = this.#document.decryptor?.streamCipher(written);
    const mapped = this.map(own);
    this.#writer.stream(num, 0, mapped instanceof PdfDict ? mapped : new PdfDict(), written.data, cipher);
  }
}

/** Combines the two numbers of a reference. */
const keyOf = ({ num, gen }: PdfRef) => num * 65536 + gen;

/**
 * Inflates a stream that is cut off by the end of the file, because readers disagree about truncated deflated data.
 * Returns any other stream unchanged.
 */
function completed(document: PdfDocument, stream: PdfStream): PdfStream {
  const { dict, data } = stream;
  if (!document.isRebuilt || data.kind === "memory" || data.end < document.source.size - 2) return stream;
  const filter = document.resolve(dict.get("Filter"));
  const only = Array.isArray(filter) && filter.length === 1 ? document.resolve(filter[0]) : filter;
  if (!(only instanceof PdfName) || only.value !== "FlateDecode") return stream;
  try {
    const bytes = document.objects.decoded(stream);
    const own = dict.clone();
    for (const key of ["Filter", "DecodeParms"]) own.delete(key);
    return new PdfStream(own, { kind: "memory", bytes });
  } catch (error) {
    if (error instanceof UndecodableStream) return stream;
    throw error;
  }
}
