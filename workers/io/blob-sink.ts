import { type BytePart, newBytes, WORTH_A_SLICE } from "./byte-ranges.ts";
import { requestGc } from "./request-gc.ts";
import type { ByteSink } from "./sink.ts";
import type { ByteSource } from "./source.ts";

/** Smaller pieces are copied together; larger ones are kept as they come. */
const SMALL_PIECE = 8 * 1024;
const CHUNK = 1024 * 1024;
/** Gathered bytes are handed to the browser, which may keep them on disk, when they reach this. */
const GATHERED = 8 * 1024 * 1024;
const READ_STEP = 512 * 1024;
/** Browsers are slow with Blobs of very many parts. */
const MOST_PARTS = 10_000;
/** After so many parts, only ranges twice as long are sliced, and so on. */
const PARTS_PER_LEVEL = 2_000;

/**
 * So many bytes may be on their way to the browser. Chromium takes them over later than it says, and where very many
 * wait (some 500 MB), it never does.
 */
const MOST_UNSTORED = 16 * 1024 * 1024;

/** A range of the input that is not passed on yet: the next one may continue it. */
interface Range {
  readonly start: number;
  end: number;
}

/** The same bytes, as a file and for what is better read. */
export interface Input {
  readonly file: Blob;
  readonly source: ByteSource;
}

/** A part that the browser has not been given yet. */
type HeldPart =
  | { readonly kind: "gathered"; readonly pieces: Uint8Array<ArrayBuffer>[] }
  | { readonly kind: "range"; readonly start: number; readonly end: number };

/** What the browser has been given, and how many bytes of it are new ones that it has to store. */
interface Given {
  readonly blob: Blob;
  readonly newBytes: number;
}

/**
 * An output that becomes a Blob: new bytes gathered into few pieces, and slices of the input that are never
 * read. Memory stays small however long the output is.
 */
export class BlobSink implements ByteSink {
  /** What {@link copy} copies from. */
  readonly input: Input;
  #length = 0;
  #parts: Blob[] = [];
  /** What comes behind those. */
  #held: HeldPart[] = [];
  #partCount = 0;
  /** How many the outputs have that it follows. */
  #partsBefore = 0;
  #holdsInput = false;
  #range: Range | undefined;
  /** What comes behind all parts. */
  #gathered: Uint8Array<ArrayBuffer>[] = [];
  /** In held parts, too. */
  #gatheredBytes = 0;
  /** Small pieces are copied here; what is before `#taken` is among the gathered ones already. */
  #chunk = new Uint8Array(0);
  #taken = 0;
  #used = 0;
  /** What the browser has been given and is not known to have stored. */
  #unstored: Given[] = [];
  #unstoredBytes = 0;

  /**
   * @param file the input, for {@link copy}
   * @param source the same, for what is better read
   */
  constructor(file: Blob, source: ByteSource) {
    this.input = { file, source };
  }

  get length(): number {
    return this.#length;
  }

  write(bytes: Uint8Array): void {
    this.#length += bytes.length;
    this.#passRange();
    this.#gather(bytes);
  }

  copy(start: number, end: number): void {
    if (end <= start) return;
    this.#length += end - start;
    if (this.#range?.end === start) {
      this.#range.end = end;
      return;
    }
    this.#passRange();
    this.#range = { start, end };
  }

  /** Whether the output may have slices of the input in it: it can be read as long as that can. */
  get holdsInput(): boolean {
    return this.#holdsInput;
  }

  get full(): boolean {
    return this.#unstoredBytes > MOST_UNSTORED;
  }

  /** Waits until the browser has stored the first half of what it was given. */
  async room(): Promise<void> {
    while (this.#unstoredBytes > MOST_UNSTORED / 2) {
      const oldest = this.#unstored.shift();
      if (oldest === undefined) break;
      this.#unstoredBytes -= oldest.newBytes;
      // What cannot be stored is found out when the result is read.
      await oldest.blob
        .slice(-1)
        .arrayBuffer()
        .catch(() => {});
    }
  }

  /** Takes another output over, without reading it. */
  append(other: BlobSink | Blob): void {
    this.#passRange();
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

  /** Whether an output of so many bytes is better appended than written again. */
  prefersWhole(length: number): boolean {
    return length >= WORTH_A_SLICE * 2 ** Math.floor((this.#partsBefore + this.#partCount) / PARTS_PER_LEVEL);
  }

  /** An empty one for what comes behind this output, which the browser is given before it. */
  follower(): BlobSink {
    const next = new BlobSink(this.input.file, this.input.source);
    next.#unstored = this.#unstored;
    next.#unstoredBytes = this.#unstoredBytes;
    next.#partsBefore = this.#partsBefore + this.#partCount;
    return next;
  }

  restart(): void {
    this.#length = 0;
    this.#parts = [];
    this.#held = [];
    this.#partCount = 0;
    this.#holdsInput = false;
    this.#range = undefined;
    this.#unstored = [];
    this.#unstoredBytes = 0;
    this.#clearGathered();
  }

  /** Everything taken so far, in order, as long as its new bytes are few and still in memory: else undefined. */
  pieces(): readonly BytePart[] | undefined {
    this.#passRange();
    this.#takeChunk();
    if (this.#parts.length > 0) return undefined;
    const held = this.#held.flatMap((part) => (part.kind === "range" ? part : part.pieces.map(newBytes)));
    return [...held, ...this.#gathered.map(newBytes)];
  }

  /** Everything taken so far. */
  toBlob(type = ""): Blob {
    this.#passRange();
    const newBytes = this.#gatheredBytes;
    this.#endGathered();
    // Each Blob is a question to the browser, which is waited for: what is held needs none of its own.
    const held = this.#held.flatMap((part): readonly BlobPart[] =>
      part.kind === "range" ? [this.#slice(part)] : part.pieces,
    );
    const blob = new Blob([...this.#parts, ...held], { type });
    this.#parts = [blob];
    this.#held = [];
    this.#clearGathered();
    if (newBytes > 0) this.#given(blob, newBytes);
    return blob;
  }

  #passRange(): void {
    const range = this.#range;
    if (range === undefined) return;
    this.#range = undefined;
    if (this.prefersWhole(range.end - range.start)) {
      this.#endGathered();
      this.#holdsInput = true;
      this.#hold({ kind: "range", start: range.start, end: range.end });
      return;
    }
    for (let at = range.start; at < range.end; at += READ_STEP) {
      this.#gather(this.input.source.read(at, Math.min(at + READ_STEP, range.end)));
    }
  }

  #gather(bytes: Uint8Array): void {
    if (bytes.length < SMALL_PIECE) this.#gatherCopy(bytes);
    else {
      this.#takeChunk();
      // A Blob takes no shared memory.
      this.#gathered.push(isUnshared(bytes) ? bytes : bytes.slice());
    }
    this.#gatheredBytes += bytes.length;
    if (this.#gatheredBytes < GATHERED) return;
    this.#passGathered();
    requestGc();
  }

  #gatherCopy(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#chunk.length) {
      this.#takeChunk();
      // Small outputs, of which a split has many, make do with a small chunk.
      this.#chunk = new Uint8Array(Math.max(bytes.length, Math.min(CHUNK, 4 * this.#chunk.length)));
      this.#taken = 0;
      this.#used = 0;
    }
    this.#chunk.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** Puts what was copied into the chunk since the last time in its place among the gathered pieces. */
  #takeChunk(): void {
    if (this.#used > this.#taken) this.#gathered.push(this.#chunk.subarray(this.#taken, this.#used));
    this.#taken = this.#used;
  }

  /** Hands all that is here to the browser. */
  #passGathered(): void {
    this.#endGathered();
    this.#passHeld();
    this.#clearGathered();
  }

  #passHeld(): void {
    for (const part of this.#held) {
      if (part.kind === "range") {
        this.#parts.push(this.#slice(part));
        continue;
      }
      const blob = new Blob(part.pieces);
      this.#given(blob, blob.size);
      this.#parts.push(blob);
    }
    this.#held = [];
  }

  #slice({ start, end }: Range): Blob {
    return this.input.file.slice(start, end);
  }

  #given(blob: Blob, newBytes: number): void {
    this.#unstored.push({ blob, newBytes });
    this.#unstoredBytes += newBytes;
  }

  /** Makes what is gathered a part. */
  #endGathered(): void {
    this.#takeChunk();
    if (this.#gathered.length === 0) return;
    this.#hold({ kind: "gathered", pieces: this.#gathered });
    this.#gathered = [];
  }

  /** Making a Blob copies the bytes: the chunk can be filled again. */
  #clearGathered(): void {
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#taken = 0;
    this.#used = 0;
  }

  #addPart(blob: Blob, count: number): void {
    this.#passGathered();
    this.#joinIfMany();
    this.#parts.push(blob);
    this.#partCount += count;
  }

  #hold(part: HeldPart): void {
    this.#joinIfMany();
    this.#held.push(part);
    this.#partCount++;
  }

  #joinIfMany(): void {
    if (this.#parts.length + this.#held.length < MOST_PARTS) return;
    this.#passHeld();
    this.#parts = [new Blob(this.#parts)];
  }
}

function isUnshared(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
