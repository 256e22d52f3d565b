import type { PdfDocument } from "../file/document.ts";
import type { FileWriter } from "../file/file-writer.ts";
import { withoutCryptFilter } from "../security/crypt-filter.ts";
import { readData } from "../security/stream-cipher.ts";
import { countParts, PdfDict, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";
import { DEPTH_LIMIT } from "../syntax/parser.ts";
import { completed } from "./cut-off-stream.ts";
import type { Page } from "./page-tree.ts";
import type { StreamDeflater } from "./stream-deflater.ts";

/** A reference may lead to a reference this many times. */
const REFERENCE_CHAIN = 32;
/** An object of more arrays, dictionaries and strings than this is large. */
const FEW_PARTS = 32;
/** Objects that are copied may nest this deep: what is put around them must still be read. */
const COPIED_DEPTH = DEPTH_LIMIT - 8;
/** What copying a reference costs of the budget, beside its bytes. */
const COPYING = 32;

/** What is to be written under a new number. Of a large object only the old one's place is kept: it is read again. */
type Queued = { readonly num: number } & ({ readonly object: PdfObject } | { readonly ref: PdfRef });

/** The result of {@link CopyRules.prepare} for an object that is copied, but written later by the caller. */
export const LATER = Symbol("later");

/** What travels, and how. */
export interface CopyRules {
  /** Whether objects keep their numbers; else they are numbered anew, in the order in which they are reached. */
  readonly keepsNumbers: boolean;
  /** Whether the object with that number may travel: references to one that may not become null. */
  travels(num: number): boolean;
  /** An object as it is to be copied; undefined when, now that it is seen, it does not travel. */
  prepare(object: PdfObject, num: number): PdfObject | typeof LATER | undefined;
  /** A dictionary, wherever it stands, as it is to be copied; undefined when it does not travel. */
  prepareDict(dict: PdfDict): PdfDict | undefined;
  /** Deflates streams that came uncompressed; all are copied as they come when absent. */
  readonly deflater?: StreamDeflater | undefined;
}

/**
 * Copies objects into a new file together with all that they reach. Nothing is copied encrypted.
 */
export class ObjectCopier {
  readonly #document: PdfDocument;
  readonly #writer: FileWriter;
  readonly #rules: CopyRules;
  /** New numbers by old ones; null for what does not travel. */
  readonly #numbers = new Map<number, number | null>();
  /** References that lead nowhere. */
  readonly #dead = new Set<number>();
  #queue: Queued[] = [];

  constructor(document: PdfDocument, writer: FileWriter, rules: CopyRules) {
    this.#document = document;
    this.#writer = writer;
    this.#rules = rules;
  }

  /** Says under which number an object is written by other hands. */
  assign(old: number, num: number): void {
    this.#numbers.set(old, num);
  }

  /** Gives pages their numbers, before anything refers to them; a page that is listed twice becomes two. */
  assignPages(pages: readonly Page[]): PdfRef[] {
    return pages.map(({ ref }) => {
      const first = ref !== undefined && !this.#numbers.has(ref.num);
      const num = first && this.#rules.keepsNumbers ? ref.num : this.#writer.allocate();
      if (first) this.assign(ref.num, num);
      return new PdfRef(num, 0);
    });
  }

  /** The new number of an object that has travelled. */
  numberOf(old: number): number | undefined {
    return this.#numbers.get(old) ?? undefined;
  }

  /** The number of objects that were copied or refused. */
  get travelledCount(): number {
    return this.#numbers.size;
  }

  /** The old numbers of all objects that have travelled. */
  *travelled(): Generator<number> {
    for (const [old, num] of this.#numbers) if (num !== null) yield old;
  }

  /** Writes an object with the number `num`; what it refers to follows with {@link copyReached}. */
  write(num: number, object: PdfObject): void {
    if (object instanceof PdfStream) this.#writeStream(num, object);
    else this.#writer.object(num, 0, this.map(object));
  }

  /** Adds an object that the old file does not have like this. */
  add(object: PdfObject): PdfRef {
    const num = this.#writer.allocate();
    this.#queue.push({ num, object });
    return new PdfRef(num, 0);
  }

  /** Writes everything that was referred to and all that it reaches in turn. */
  async copyReached(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      for (const queued of batch) {
        this.write(queued.num, "object" in queued ? queued.object : this.#readAgain(queued.ref));
        if (this.#writer.backpressure) await this.#writer.drain();
      }
    }
  }

  /**
   * An object with its references as they are in the new file. What has come to nest deeper than can be read, because
   * what was an object of its own is a part of another now, becomes null.
   */
  map(object: PdfObject, depth = 0): PdfObject {
    if (object instanceof PdfRef) return this.#reference(object);
    if (Array.isArray(object)) {
      return depth < COPIED_DEPTH ? object.map((item) => this.map(item, depth + 1)) : null;
    }
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

  #reference(first: PdfRef): PdfObject {
    this.#document.budget.spend(COPYING);
    let ref = first;
    let found: PdfObject = ref;
    // What a chain of references ends at decides.
    for (let hop = 0; found instanceof PdfRef && hop < REFERENCE_CHAIN; hop++) {
      ref = found;
      const known = this.#numbers.get(ref.num);
      if (known !== undefined && this.#isMeant(ref)) return known === null ? null : new PdfRef(known, 0);
      if (this.#dead.has(keyOf(ref)) || !this.#rules.travels(ref.num)) return null;
      found = this.#document.read(ref);
    }
    if (found === null || found instanceof PdfRef) {
      this.#dead.add(keyOf(first));
      return null;
    }
    const whole = found instanceof PdfStream ? completed(this.#document, found) : found;
    const object = this.#rules.prepare(whole, ref.num);
    if (object === undefined) {
      this.#numbers.set(ref.num, null);
      return null;
    }
    const num = this.#rules.keepsNumbers ? ref.num : this.#writer.allocate();
    this.#document.budget.keepEntries(1);
    this.#numbers.set(ref.num, num);
    if (object !== LATER)
      this.#queue.push(countParts(object, FEW_PARTS) <= FEW_PARTS ? { num, object } : { num, ref });
    return new PdfRef(num, 0);
  }

  /** Whether a reference names the object that has its number now, not an older one's; a scan may not know. */
  #isMeant({ num, gen }: PdfRef): boolean {
    const { crossReference, recovered } = this.#document;
    return gen === crossReference.generationOf(num) || recovered;
  }

  #readAgain(ref: PdfRef): PdfObject {
    const found = this.#document.read(ref);
    const whole = found instanceof PdfStream ? completed(this.#document, found) : found;
    const object = this.#rules.prepare(whole, ref.num);
    return object === undefined || object === LATER ? null : object;
  }

  #writeStream(num: number, stream: PdfStream): void {
    const { security, source } = this.#document;
    const { dict, data } = this.#rules.deflater?.deflated(stream) ?? stream;
    const own = withoutCryptFilter(dict, (object) => this.#document.resolve(object)).clone();
    own.delete("Length");
    const beginning = (length: number) => readData(source, data, 0, length);
    const cipher =
      data.kind === "file"
        ? security?.streamCipher(dict, data.owner.num, data.owner.gen, beginning)
        : undefined;
    const mapped = this.map(own);
    this.#writer.stream(num, 0, mapped instanceof PdfDict ? mapped : new PdfDict(), data, cipher);
  }
}

/** One number for a reference's two. */
const keyOf = ({ num, gen }: PdfRef) => num * 65536 + gen;
