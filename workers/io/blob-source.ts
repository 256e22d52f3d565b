import { readFailure } from "./read-failure.ts";
import type { ByteSource } from "./source.ts";

/** Reads a Blob synchronously. `FileReaderSync` does so; only workers have it. */
export interface SyncReader {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const BLOCK = 64 * 1024;
/** Reads in file order grow up to this length. In Chromium, 64 KB at a time give 105 MB/s, 4 MB give 635. */
const LONGEST_STEP = 4 * 1024 * 1024;
/** Requests from this length on bypass the cache: they would empty it. */
const LARGE_READ = 256 * 1024;
/** Large requests in file order are read in windows of this length. 2 MB at a time take twice as long as 8 MB. */
const WINDOW = 16 * 1024 * 1024;
/** The most bytes between two requests that count as following each other. */
const GAP = 64 * 1024;
/** A file up to this size is read whole, which takes as long as four reads of parts. */
const SMALL_FILE = 2 * 1024 * 1024;
const CACHE_BYTES = 16 * 1024 * 1024;

/** Bytes of the file, from `start` on. In the cache, `start` is a multiple of {@link BLOCK}. */
interface Segment {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** Reads a Blob, with a cache of recent reads. */
export class BlobSource implements ByteSource {
  readonly size: number;
  readonly file: Blob;
  readonly #reader: SyncReader;
  /** The segment that holds each block. Segments do not overlap. */
  readonly #segments = new Map<number, Segment>();
  /** The same segments, the most recently used last. */
  readonly #byUse = new Set<Segment>();
  #latest: Segment | undefined;
  /** The bytes from the start of the last large request on. */
  #window: Segment | undefined;
  #largeEnd = Number.NEGATIVE_INFINITY;
  #cachedBytes = 0;

  constructor(file: Blob, reader: SyncReader) {
    this.file = file;
    this.#reader = reader;
    this.size = file.size;
  }

  release(): void {
    this.#segments.clear();
    this.#byUse.clear();
    this.#latest = undefined;
    this.#window = undefined;
    this.#cachedBytes = 0;
  }

  read(start: number, end: number): Uint8Array {
    const from = Math.max(0, start);
    const to = Math.min(this.size, end);
    if (to <= from) return new Uint8Array();
    const window = this.#window;
    if (window !== undefined && from >= window.start && to <= window.start + window.bytes.length) {
      if (to - from >= LARGE_READ) this.#largeEnd = to;
      return window.bytes.subarray(from - window.start, to - window.start);
    }
    if (to - from >= LARGE_READ) return this.#readLarge(from, to);
    const first = this.#segmentAt(from, to);
    const bytes = first.bytes.subarray(from - first.start, to - first.start);
    return bytes.length === to - from ? bytes : this.#joined(bytes, from, to);
  }

  #readLarge(from: number, to: number): Uint8Array {
    const isNext = from >= this.#largeEnd && from - this.#largeEnd <= GAP;
    this.#largeEnd = to;
    if (!isNext || to - from >= WINDOW) return this.#readFile(from, to);
    const bytes = this.#readFile(from, Math.min(from + WINDOW, this.size));
    this.#window = { start: from, bytes };
    return bytes.subarray(0, to - from);
  }

  /** Returns the bytes of a request that extends over the end of a segment. */
  #joined(beginning: Uint8Array, from: number, to: number): Uint8Array {
    const joined = new Uint8Array(to - from);
    joined.set(beginning);
    let length = beginning.length;
    while (length < joined.length) {
      const { start, bytes } = this.#segmentAt(from + length, to);
      const more = bytes.subarray(from + length - start, to - start);
      joined.set(more, length);
      length += more.length;
    }
    return joined;
  }

  #segmentAt(position: number, wantedEnd: number): Segment {
    const latest = this.#latest;
    if (latest !== undefined && position >= latest.start && position < latest.start + latest.bytes.length) {
      return latest;
    }
    const block = Math.floor(position / BLOCK);
    const segment = this.#segments.get(block) ?? this.#load(block, wantedEnd);
    this.#byUse.delete(segment);
    this.#byUse.add(segment);
    this.#latest = segment;
    return segment;
  }

  #load(block: number, wantedEnd: number): Segment {
    if (this.size <= SMALL_FILE) return this.#keep(0, this.size);
    const start = block * BLOCK;
    // If the previous block is in the cache, the file is probably read in order.
    const before = this.#segments.get(block - 1);
    const ahead = before === undefined ? BLOCK : Math.min(2 * before.bytes.length, LONGEST_STEP);
    const wantedBlocks = Math.ceil((Math.max(start + ahead, wantedEnd) - start) / BLOCK);
    let blocks = 1;
    while (blocks < wantedBlocks && !this.#segments.has(block + blocks)) blocks++;
    return this.#keep(start, Math.min(start + blocks * BLOCK, this.size));
  }

  #keep(start: number, end: number): Segment {
    const bytes = this.#readFile(start, end);
    const segment = { start, bytes };
    this.#evictDownTo(CACHE_BYTES - bytes.length);
    for (let at = start; at < start + bytes.length; at += BLOCK) this.#segments.set(at / BLOCK, segment);
    this.#byUse.add(segment);
    this.#cachedBytes += bytes.length;
    return segment;
  }

  #evictDownTo(limit: number): void {
    for (const segment of this.#byUse) {
      if (this.#cachedBytes <= limit) return;
      this.#byUse.delete(segment);
      this.#cachedBytes -= segment.bytes.length;
      for (let at = segment.start; at < segment.start + segment.bytes.length; at += BLOCK) {
        this.#segments.delete(at / BLOCK);
      }
    }
  }

  #readFile(start: number, end: number): Uint8Array {
    const part = start === 0 && end === this.size ? this.file : this.file.slice(start, end);
    try {
      const bytes = new Uint8Array(this.#reader.readAsArrayBuffer(part));
      if (bytes.length === end - start) return bytes;
    } catch (thrown) {
      throw readFailure(thrown);
    }
    throw readFailure();
  }
}
