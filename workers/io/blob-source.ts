import { Prefetcher } from "./prefetcher.ts";
import { ReadAhead } from "./read-ahead.ts";
import { readFailure } from "./read-failure.ts";
import type { ByteSource } from "./source.ts";

/** Reads a Blob at once: `FileReaderSync`, which only workers have. */
export interface SyncReader {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const BLOCK = 64 * 1024;
/** Reading in order goes on in ever larger steps: 64 KB at a time gives 105 MB/s, 4 MB at a time 635. */
const LONGEST_STEP = 4 * 1024 * 1024;
/** From here on a request is read as it is: it gains nothing from the cache and would empty it. */
const LARGE_READ = 256 * 1024;
/** Large requests that follow each other are read in stretches of this: 2 MB at a time take twice as long as 8. */
const STRETCH = 16 * 1024 * 1024;
/** Between large things in a row, little things stand. */
const GAP = 64 * 1024;
/** A file up to this size is read at once: four reads of parts of it take as long. */
const SMALL_FILE = 2 * 1024 * 1024;
const CACHE_BYTES = 16 * 1024 * 1024;

/** Bytes of the file from a multiple of {@link BLOCK} on. */
interface Segment {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** A Blob as a source of bytes, with a cache of what was read lately. */
export class BlobSource implements ByteSource {
  readonly size: number;
  readonly #file: Blob;
  readonly #reader: SyncReader;
  /** Which segment holds a block. Segments do not overlap. */
  readonly #segments = new Map<number, Segment>();
  /** The same segments, that of the latest use last. */
  readonly #byUse = new Set<Segment>();
  #latest: Segment | undefined;
  /** What was read ahead of the last large request. */
  #stretch: Segment | undefined;
  #largeEnd = Number.NEGATIVE_INFINITY;
  readonly #ahead: ReadAhead;
  readonly #glances: Prefetcher;
  #cachedBytes = 0;

  constructor(file: Blob, reader: SyncReader) {
    this.#file = file;
    this.#reader = reader;
    this.size = file.size;
    this.#ahead = new ReadAhead(file);
    this.#glances = new Prefetcher(file);
  }

  glance(start: number, end: number): void {
    this.#glances.begin({ start, end });
  }

  goOn(position: number): Promise<void> | undefined {
    const glance = this.#glances.next(position);
    // What lies before it is hardly asked for.
    return glance ? glance.arrival : this.#ahead.goOn(position);
  }

  arrival(start: number, end: number): Promise<void> | undefined {
    return this.#ahead.arrival(start, Math.min(end, this.size));
  }

  read(start: number, end: number): Uint8Array {
    const from = Math.max(0, start);
    const to = Math.min(this.size, end);
    if (to <= from) return new Uint8Array();
    const here = this.#glances.find(from, to) ?? this.#ahead.find(from, to);
    if (here !== undefined) return here;
    const stretch = this.#stretch;
    if (stretch !== undefined && from >= stretch.start && to <= stretch.start + stretch.bytes.length) {
      if (to - from >= LARGE_READ) this.#largeEnd = to;
      return stretch.bytes.subarray(from - stretch.start, to - stretch.start);
    }
    if (to - from >= LARGE_READ) return this.#readLarge(from, to);
    const first = this.#segmentAt(from, to);
    const bytes = first.bytes.subarray(from - first.start, to - first.start);
    return bytes.length === to - from ? bytes : this.#joined(bytes, from, to);
  }

  #readLarge(from: number, to: number): Uint8Array {
    const mapOrdered = from >= this.#largeEnd && from - this.#largeEnd <= GAP;
    this.#largeEnd = to;
    if (!mapOrdered || to - from >= STRETCH) return this.#readFile(from, to);
    const bytes = this.#readFile(from, Math.min(from + STRETCH, this.size));
    this.#stretch = { start: from, bytes };
    return bytes.subarray(0, to - from);
  }

  /** A request that goes over the end of a segment, in one piece. */
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
    // The block before is here: the file is being read in order, or nearly so.
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
    this.#forgetDownTo(CACHE_BYTES - bytes.length);
    for (let at = start; at < start + bytes.length; at += BLOCK) this.#segments.set(at / BLOCK, segment);
    this.#byUse.add(segment);
    this.#cachedBytes += bytes.length;
    return segment;
  }

  #forgetDownTo(limit: number): void {
    for (const segment of this.#byUse) {
      if (this.#cachedBytes <= limit) return;
      this.#byUse.delete(segment);
      this.#cachedBytes -= segment.bytes.length;
      for (let at = segment.start; at < segment.start + segment.bytes.length; at += BLOCK) {
        this.#segments.delete(at / BLOCK);
      }
    }
  }

  #part(start: number, end: number): Blob {
    return start === 0 && end === this.size ? this.#file : this.#file.slice(start, end);
  }

  #readFile(start: number, end: number): Uint8Array {
    try {
      const bytes = new Uint8Array(this.#reader.readAsArrayBuffer(this.#part(start, end)));
      if (bytes.length === end - start) return bytes;
    } catch (thrown) {
      throw readFailure(thrown);
    }
    throw readFailure();
  }
}
