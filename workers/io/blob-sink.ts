import { requestGc } from "../../src/shared/request-gc.ts";
import { WORTH_A_SLICE } from "./byte-ranges.ts";
import type { ByteSink, OutputPart, SourceRange } from "./sink.ts";
import type { ByteSource } from "./source.ts";

/** Shorter chunks are copied together. Longer chunks are kept as they are. */
const SMALL_CHUNK = 8 * 1024;
const CHUNK = 1024 * 1024;
/** When this many bytes are gathered, they become a Blob, which the browser may keep on disk. */
const GATHERED = 4 * 1024 * 1024;
const READ_STEP = 512 * 1024;
/**
 * Browsers are slow with many parts. Each time the output has this many more of them, a range must be twice as long to
 * become a part: 10,000 parts are 8 GB or more.
 */
const PARTS_PER_LEVEL = 2_000;

/**
 * The most bytes in Blobs that the browser may not have stored yet. Chromium stores a Blob some time after it is made.
 * When some 500 MB wait, it never stores them.
 */
const MOST_UNSTORED = 8 * 1024 * 1024;

/** A part of the output that is not a Blob yet: new bytes, or a range of a file. */
type HeldPart =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array<ArrayBuffer> }
  | (SourceRange & { readonly file: Blob });

/** A Blob and the number of its new bytes, which the browser has to store. */
interface UnstoredBlob {
  readonly blob: Blob;
  readonly newBytes: number;
}

/**
 * An output that becomes a Blob. Gathers new bytes into few chunks, and takes slices of files without reading them.
 * Memory stays small for outputs of any length.
 */
export class BlobSink implements ByteSink {
  #length = 0;
  #parts: Blob[] = [];
  /** The parts after {@link #parts}. */
  #held: HeldPart[] = [];
  /** How many Blobs and ranges there are. Bytes that follow each other become one Blob. */
  #partCount = 0;
  #holdsInput = false;
  /** The last range. The next one may continue it. */
  #range: SourceRange | undefined;
  /** The number of new bytes that are not in a Blob yet. */
  #gatheredBytes = 0;
  /** Small chunks are copied here. The bytes before `#taken` are in `#held` already. */
  #chunk = new Uint8Array(0);
  #taken = 0;
  #used = 0;
  /** The Blobs that the browser may not have stored yet. */
  #unstored: UnstoredBlob[] = [];
  #unstoredBytes = 0;

  get length(): number {
    return this.#length;
  }

  write(bytes: Uint8Array): void {
    this.#length += bytes.length;
    this.#endRange();
    this.#gather(bytes);
  }

  copy(source: ByteSource, start: number, end: number): void {
    if (end <= start) return;
    this.#length += end - start;
    const before = this.#range;
    if (before?.source === source && before.end === start) {
      this.#range = { ...before, end };
      return;
    }
    this.#endRange();
    this.#range = { kind: "range", source, start, end };
  }

  /** Whether the output may contain slices of inputs. It is then readable as long as they are. */
  get holdsInput(): boolean {
    return this.#holdsInput;
  }

  get backpressure(): boolean {
    return this.#unstoredBytes > MOST_UNSTORED;
  }

  /** Settles when at most half of {@link MOST_UNSTORED} bytes wait for the browser. */
  async drain(): Promise<void> {
    while (this.#unstoredBytes > MOST_UNSTORED / 2) {
      const oldest = this.#unstored.shift();
      if (oldest === undefined) break;
      this.#unstoredBytes -= oldest.newBytes;
      // An error of storing appears again when the result is read.
      await oldest.blob
        .slice(-1)
        .arrayBuffer()
        .catch(() => {});
    }
  }

  /** Appends another output without reading it. */
  append(other: BlobSink | Blob): void {
    this.#endRange();
    if (other instanceof Blob) {
      this.#length += other.size;
      this.#holdsInput = true;
      this.#addPart(other, 1);
      return;
    }
    const blob = other.toBlob();
    this.#unstored.push(...other.#unstored);
    this.#unstoredBytes += other.#unstoredBytes;
    this.#length += blob.size;
    this.#holdsInput ||= other.#holdsInput;
    this.#addPart(blob, other.#partCount);
  }

  /** Returns whether an output of `length` bytes should be appended as a part instead of being copied. */
  isWorthASlice(length: number): boolean {
    return length >= WORTH_A_SLICE * 2 ** Math.floor(this.#partCount / PARTS_PER_LEVEL);
  }

  restart(): void {
    this.#length = 0;
    this.#parts = [];
    this.#partCount = 0;
    this.#holdsInput = false;
    this.#range = undefined;
    this.#unstored = [];
    this.#unstoredBytes = 0;
    this.#forgetHeld();
  }

  /** Returns the parts of the output; undefined when some of them are Blobs already. */
  parts(): readonly OutputPart[] | undefined {
    this.#endRange();
    this.#gatherChunk();
    if (this.#parts.length > 0) return undefined;
    return this.#held;
  }

  /** Returns the output up to here. */
  toBlob(type = ""): Blob {
    this.#endRange();
    this.#gatherChunk();
    const newBytes = this.#gatheredBytes;
    // Each Blob costs a synchronous call to the browser, so held parts get none of their own.
    const blob = new Blob([...this.#parts, ...this.#held.map(blobPart)], { type });
    this.#parts = [blob];
    this.#forgetHeld();
    if (newBytes > 0) this.#addUnstored(blob, newBytes);
    return blob;
  }

  /** Ends the open range. A long range of a file becomes a part. Another one is read and gathered. */
  #endRange(): void {
    const range = this.#range;
    if (range === undefined) return;
    this.#range = undefined;
    const { source, start, end } = range;
    const { file } = source;
    if (file !== undefined && this.isWorthASlice(end - start)) {
      this.#gatherChunk();
      this.#holdsInput = true;
      this.#hold({ ...range, file });
      return;
    }
    for (let at = start; at < end; at += READ_STEP) {
      this.#gather(source.read(at, Math.min(at + READ_STEP, end)));
    }
  }

  #gather(bytes: Uint8Array): void {
    if (bytes.length < SMALL_CHUNK) this.#gatherCopy(bytes);
    else {
      this.#gatherChunk();
      // A Blob does not take shared memory.
      this.#hold({ kind: "bytes", bytes: isUnshared(bytes) ? bytes : bytes.slice() });
    }
    this.#gatheredBytes += bytes.length;
    if (this.#gatheredBytes < GATHERED) return;
    this.#flush();
    requestGc();
  }

  #gatherCopy(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#chunk.length) {
      this.#gatherChunk();
      // A split has many small outputs, which need a small chunk only.
      this.#chunk = new Uint8Array(Math.max(bytes.length, Math.min(CHUNK, 4 * this.#chunk.length)));
      this.#taken = 0;
      this.#used = 0;
    }
    this.#chunk.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** Appends the bytes that were copied into the chunk since the last call. */
  #gatherChunk(): void {
    if (this.#used === this.#taken) return;
    this.#hold({ kind: "bytes", bytes: this.#chunk.subarray(this.#taken, this.#used) });
    this.#taken = this.#used;
  }

  /** Makes Blobs of all held parts, which leave the memory. */
  #flush(): void {
    this.#gatherChunk();
    let bytes: Uint8Array<ArrayBuffer>[] = [];
    const endBytes = () => {
      if (bytes.length === 0) return;
      const blob = new Blob(bytes);
      this.#addUnstored(blob, blob.size);
      this.#parts.push(blob);
      bytes = [];
    };
    for (const part of this.#held) {
      if (part.kind === "bytes") bytes.push(part.bytes);
      else {
        endBytes();
        this.#parts.push(part.file.slice(part.start, part.end));
      }
    }
    endBytes();
    this.#forgetHeld();
  }

  #addUnstored(blob: Blob, newBytes: number): void {
    this.#unstored.push({ blob, newBytes });
    this.#unstoredBytes += newBytes;
  }

  /** Forgets the held parts. A Blob has copied their bytes, so the chunk can be filled again. */
  #forgetHeld(): void {
    this.#held = [];
    this.#gatheredBytes = 0;
    this.#taken = 0;
    this.#used = 0;
  }

  #addPart(blob: Blob, count: number): void {
    this.#flush();
    this.#parts.push(blob);
    this.#partCount += count;
  }

  #hold(part: HeldPart): void {
    if (part.kind === "range" || this.#held.at(-1)?.kind !== "bytes") this.#partCount++;
    this.#held.push(part);
  }
}

function blobPart(part: HeldPart): BlobPart {
  return part.kind === "bytes" ? part.bytes : part.file.slice(part.start, part.end);
}

function isUnshared(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
