import type { PdfStream } from "../syntax/objects.ts";
import { UndecodableStream } from "./filters.ts";
import { ObjectStream } from "./object-stream.ts";
import type { WorkBudget } from "./work-budget.ts";

/** The most bytes of decoded object streams in the cache. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Reads the streams that hold objects. */
interface ObjectStreamSource {
  /** Returns the stream with object number `num`, if there is one. */
  stream(num: number): PdfStream | undefined;
  /** Returns its decoded bytes. */
  decoded(stream: PdfStream): Uint8Array;
  readonly budget: WorkBudget;
}

/** Decodes a document's object streams on request, and caches the most recently used ones. */
export class ObjectStreams {
  readonly #source: ObjectStreamSource;
  /** The most recently used last. */
  readonly #kept = new Map<number, ObjectStream>();
  #latest: ObjectStream | undefined;
  #keptBytes = 0;
  readonly #unpacking = new Set<number>();
  /** The streams that were charged to the budget. */
  readonly #everUnpacked = new Set<number>();

  constructor(source: ObjectStreamSource) {
    this.#source = source;
  }

  /** Returns the object stream `num`; undefined when it cannot be decoded. */
  get(num: number): ObjectStream | undefined {
    const kept = this.#kept.get(num);
    if (kept === undefined) return this.#unpack(num);
    if (kept !== this.#latest) {
      this.#latest = kept;
      this.#kept.delete(num);
      this.#kept.set(num, kept);
    }
    return kept;
  }

  clear(): void {
    this.#kept.clear();
    this.#latest = undefined;
    this.#keptBytes = 0;
  }

  #unpack(num: number): ObjectStream | undefined {
    const stream = this.#source.stream(num);
    // A stream whose filters are objects in itself cannot be decoded.
    if (!stream || this.#unpacking.has(num)) return undefined;
    this.#unpacking.add(num);
    try {
      const bytes = this.#source.decoded(stream);
      if (!this.#everUnpacked.has(num)) this.#source.budget.unpacked(bytes.length);
      this.#everUnpacked.add(num);
      const unpacked = new ObjectStream(stream.dict, bytes, this.#source.budget);
      this.#keep(num, unpacked);
      return unpacked;
    } catch (error) {
      if (error instanceof UndecodableStream) return undefined;
      throw error;
    } finally {
      this.#unpacking.delete(num);
    }
  }

  /** Adds a stream and drops the least recently used ones. */
  #keep(num: number, stream: ObjectStream): void {
    this.#keptBytes += stream.size;
    for (const [oldest, { size }] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= size;
    }
    this.#kept.set(num, stream);
    this.#latest = stream;
  }
}
