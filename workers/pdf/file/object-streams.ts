import type { PdfStream } from "../syntax/objects.ts";
import { UndecodableStream } from "./filters.ts";
import { ObjectStream } from "./object-stream.ts";
import type { WorkBudget } from "./work-budget.ts";

/** Unpacked object streams are kept up to this many bytes together. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Where object streams come from. */
export interface ObjectStreamSource {
  /** The stream that is the object `num`; undefined when there is none. */
  stream(num: number): PdfStream | undefined;
  /** Its bytes, with its filters undone. */
  decoded(stream: PdfStream): Uint8Array;
  readonly budget: WorkBudget;
}

/** A document's object streams, by their numbers, unpacked when they are asked for. Those used lately are kept. */
export class ObjectStreams {
  readonly #source: ObjectStreamSource;
  /** That of the latest use last. */
  readonly #kept = new Map<number, ObjectStream>();
  #latest: ObjectStream | undefined;
  #keptBytes = 0;
  readonly #unpacking = new Set<number>();
  /** Those that the budget knows of. */
  readonly #everUnpacked = new Set<number>();

  constructor(source: ObjectStreamSource) {
    this.#source = source;
  }

  /** The object stream `num`; undefined when it cannot be unpacked. */
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

  /** Lets go of what was unpacked. */
  clear(): void {
    this.#kept.clear();
    this.#latest = undefined;
    this.#keptBytes = 0;
  }

  #unpack(num: number): ObjectStream | undefined {
    const stream = this.#source.stream(num);
    // One whose filters are inside itself cannot be unpacked.
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

  /** Lets those go that were not used for the longest time when this one makes too many. */
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
