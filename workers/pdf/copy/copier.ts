import type { PdfDocument } from "../file/document.ts";
import type { FileWriter } from "../file/file-writer.ts";
import { UndecodableStream } from "../file/filters.ts";
import type { Page } from "../pages/page-tree.ts";
import { withoutCryptFilter } from "../security/crypt-filter.ts";
import type { ObjectCipher } from "../security/decryptor.ts";
import { nameOf, PdfDict, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";
import { DEPTH_LIMIT } from "../syntax/parser.ts";
import { countParts } from "../syntax/parts.ts";
import { type EntryKinds, entryKinds, type Kind } from "./kinds.ts";
import type { SharedObjects } from "./shared-objects.ts";
import type { StreamDeflater } from "./stream-deflater.ts";

/** An object with more parts is large. */
const FEW_PARTS = 32;
/** The most nested copied objects. Leaves room for the objects around them. */
const COPIED_DEPTH = DEPTH_LIMIT - 8;
/** The most nested objects around a shared one, counted through references. Deeper ones are not shared. */
const SHARED_DEPTH = 64;

/** An object to write with a new number. A large object is read again instead of being held. */
type Queued = { readonly num: number; readonly kind: Kind } & (
  | { readonly object: PdfObject }
  | { readonly ref: PdfRef }
);

/** The result of {@link CopyRules.prepare} for an object that is copied, but written later by the caller. */
export const LATER = Symbol("later");

/** Decides which objects are copied, and how. */
export interface CopyRules {
  /** Whether objects keep their numbers. Otherwise they are numbered in the order of references. */
  readonly keepsNumbers: boolean;
  /** Returns whether an object may be copied. References to other objects become null. */
  mayCopy(num: number): boolean;
  /**
   * Returns what an object is.
   *
   * @param place the kind of object that the entry leading to it holds
   * @param num its object number; undefined for a direct object
   */
  kindOf(object: PdfDict | PdfStream, place: Kind, num?: number): Kind;
  /** Returns the kinds of the values in a dictionary of a kind. Default: {@link entryKinds}. */
  entryKinds?(kind: Kind): EntryKinds;
  /** Returns an indirect object as it is to be copied; undefined when it is not copied. */
  prepare(object: PdfObject, num: number, kind: Kind): PdfObject | typeof LATER | undefined;
  /** Returns a dictionary, which may be a stream's, as it is to be copied; undefined when it is not copied. */
  prepareDict(dict: PdfDict, kind: Kind): PdfDict | undefined;
  /** Deflates streams. Undefined to copy them unchanged. */
  readonly deflater?: Pick<StreamDeflater, "deflated"> | undefined;
  /** Finds objects that the output has already. Undefined to copy all objects, also equal ones. */
  readonly shared?: SharedObjects | undefined;
  /**
   * Takes a stream that the caller writes later, after {@link ObjectCopier.copyReached}. Returns false to have it written
   * now.
   */
  takesStream?(copied: CopiedStream): boolean;
}

/** A stream that is copied. */
export interface CopiedStream {
  /** Its number in the new file. */
  readonly num: number;
  readonly stream: PdfStream;
  /** Returns its dictionary with references to the new file, without `Length`. */
  dict(): PdfDict;
}

/**
 * Copies objects into a new file, with all objects that they reach. Decrypts them. Knows of each object what kind it is,
 * from the entry that leads to it. An object is copied once, as what the first reference to it says that it is: references
 * are followed in the order of the objects that hold them, so this does not change from run to run.
 */
export class ObjectCopier {
  readonly #document: PdfDocument;
  readonly #writer: FileWriter;
  readonly #rules: CopyRules;
  /** New numbers by old ones. */
  readonly #numbers = new Map<number, number>();
  /** Dangling references. */
  readonly #dangling = new Set<number>();
  #queue: Queued[] = [];
  /** The shared objects that are being copied, and how deep they nest. */
  readonly #open = new Set<number>();
  #openDepth = 0;

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

  /** The new numbers of copied objects, by their old numbers. */
  get copied(): ReadonlyMap<number, number> {
    return this.#numbers;
  }

  /** Adds a new object of a kind. */
  add(object: PdfObject, kind: Kind): PdfRef {
    const num = this.#writer.allocate();
    this.#queue.push({ num, object, kind });
    return new PdfRef(num, 0);
  }

  /** Writes all objects that were referred to, and all that they reach. */
  async copyReached(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      for (const queued of batch) {
        const { num, kind } = queued;
        const object = "object" in queued ? queued.object : this.#readAgain(queued.ref, kind);
        if (object instanceof PdfStream) this.#writeStream(num, object, kind);
        else this.#writer.object(num, 0, this.#known(object, kind));
        if (this.#writer.backpressure) await this.#writer.drain();
      }
    }
  }

  /**
   * Returns an object of a kind with references to the new file. {@link copyReached} writes the objects that it refers to.
   * Replaces parts that nest too deep by null: an indirect object may have become a part of another one.
   */
  map(object: PdfObject, kind: Kind): PdfObject {
    this.#document.budget.charge("keptEntry");
    return this.#known(object, kind);
  }

  #known(object: PdfObject, kind: Kind): PdfObject {
    return object instanceof PdfDict ? this.#dict(object, kind, 0) : this.#part(object, kind, 0);
  }

  #part(object: PdfObject, place: Kind, depth: number): PdfObject {
    if (object instanceof PdfRef) return this.#reference(object, place, depth);
    if (Array.isArray(object)) {
      return depth < COPIED_DEPTH ? object.map((item) => this.#part(item, place, depth + 1)) : null;
    }
    // Streams are indirect objects, so this one is new.
    if (object instanceof PdfStream) return this.add(object, this.#rules.kindOf(object, place));
    if (!(object instanceof PdfDict)) return object;
    return depth < COPIED_DEPTH ? this.#dict(object, this.#rules.kindOf(object, place), depth) : null;
  }

  #dict(dict: PdfDict, kind: Kind, depth: number): PdfDict | null {
    const prepared = this.#rules.prepareDict(dict, kind);
    if (!prepared) return null;
    const { byKey, rest } = this.#rules.entryKinds?.(kind) ?? entryKinds(kind);
    // A new dictionary, because a clone would hold the document.
    const flat: (string | PdfObject)[] = [];
    for (let index = 0; index < prepared.size; index++) {
      const key = prepared.keyAt(index);
      const value = prepared.valueAt(index);
      const place = typeof value === "object" ? (byKey.get(key) ?? rest) : rest;
      const copy = this.#part(value, place, depth + 1);
      if (copy !== null) flat.push(key, copy);
    }
    return new PdfDict(flat);
  }

  #reference(ref: PdfRef, place: Kind, depth: number): PdfObject {
    this.#document.budget.charge("copy");
    const known = this.#numbers.get(ref.num);
    if (known !== undefined && this.#isCurrent(ref)) return new PdfRef(known, 0);
    if (this.#dangling.has(keyOf(ref)) || !this.#rules.mayCopy(ref.num)) return null;
    const found = this.#document.read(ref);
    if (found === null) {
      this.#dangling.add(keyOf(ref));
      return null;
    }
    const whole = found instanceof PdfStream ? completed(this.#document, found) : found;
    const kind = isDictionary(whole) ? this.#rules.kindOf(whole, place, ref.num) : place;
    const object = this.#rules.prepare(whole, ref.num, kind);
    if (object === undefined) return null;
    this.#document.budget.charge("keptEntry");
    // An object that is being copied leads back to itself.
    const isOpen = this.#open.has(ref.num);
    const { shared } = this.#rules;
    const isDrawn = this.#open.size > 0;
    const mayNest = this.#openDepth + depth < SHARED_DEPTH;
    if (object !== LATER && !isOpen && mayNest && shared?.mayShare(object, kind, isDrawn)) {
      this.#openDepth += depth + 1;
      const num = this.#share(shared, ref.num, object, kind);
      this.#openDepth -= depth + 1;
      return new PdfRef(num, 0);
    }
    const num = this.#rules.keepsNumbers ? ref.num : this.#writer.allocate();
    this.#numbers.set(ref.num, num);
    if (object !== LATER && !isOpen) {
      // New data of a stream is made again, too, because many streams may wait.
      const hasNewData = object instanceof PdfStream && object.data.kind === "memory" && object !== whole;
      const isLarge = hasNewData || countParts(object, FEW_PARTS) > FEW_PARTS;
      this.#queue.push(isLarge ? { num, kind, ref } : { num, kind, object });
    }
    return new PdfRef(num, 0);
  }

  /** Copies all that an object reaches. Then returns the number of an equal object of the output, or writes it. */
  #share(shared: SharedObjects, old: number, object: PdfObject, kind: Kind): number {
    this.#open.add(old);
    const stream = object instanceof PdfStream ? object : undefined;
    const dict = stream && this.#streamDict(stream, kind);
    const copy = dict ?? this.#known(object, kind);
    this.#open.delete(old);
    // It has a number if it leads back to itself. Then it is not shared.
    const known = this.#numbers.get(old);
    const { num, isNew } =
      known === undefined
        ? shared.placeOf(copy, stream && { data: stream.data, cipher: this.#cipherOf(stream) })
        : { num: known, isNew: true };
    this.#numbers.set(old, num);
    if (!isNew) return num;
    if (stream) this.#writeStream(num, stream, kind, dict);
    else this.#writer.object(num, 0, copy);
    return num;
  }

  /** Returns whether a reference has the current generation number. After a rebuild, generations are unreliable. */
  #isCurrent({ num, gen }: PdfRef): boolean {
    const { crossReference, isRebuilt } = this.#document;
    return isRebuilt || gen === crossReference.generationOf(num);
  }

  #readAgain(ref: PdfRef, kind: Kind): PdfObject {
    const found = this.#document.read(ref);
    const whole = found instanceof PdfStream ? completed(this.#document, found) : found;
    const object = this.#rules.prepare(whole, ref.num, kind);
    return object === undefined || object === LATER ? null : object;
  }

  /** @param copy the dictionary in the new file, if it is known. A stream that is deflated gets another one */
  #writeStream(num: number, stream: PdfStream, kind: Kind, copy?: PdfDict): void {
    if (this.#rules.takesStream?.({ num, stream, dict: () => copy ?? this.#streamDict(stream, kind) }))
      return;
    const written = this.#rules.deflater?.deflated(stream) ?? stream;
    const dict = written === stream && copy ? copy : this.#streamDict(written, kind);
    this.#writer.stream(num, 0, dict, written.data, this.#cipherOf(written));
  }

  #cipherOf(stream: PdfStream): ObjectCipher | undefined {
    return this.#document.decryptor?.streamCipher(stream);
  }

  #streamDict(stream: PdfStream, kind: Kind): PdfDict {
    const dict = withoutCryptFilter(stream.dict).clone();
    dict.delete("Length");
    return this.#dict(dict, kind, 0) ?? new PdfDict();
  }
}

function isDictionary(object: PdfObject): object is PdfDict | PdfStream {
  return object instanceof PdfDict || object instanceof PdfStream;
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
  const [filter, ...others] = dict.list("Filter");
  if (nameOf(filter) !== "FlateDecode" || others.length > 0) return stream;
  try {
    const bytes = document.objects.decoded(stream);
    const plain = dict.clone();
    for (const key of ["Filter", "DecodeParms"]) plain.delete(key);
    return new PdfStream(plain, { kind: "memory", bytes });
  } catch (error) {
    if (error instanceof UndecodableStream) return stream;
    throw error;
  }
}
