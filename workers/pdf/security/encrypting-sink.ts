import type { BlobSink } from "../../io/blob-sink.ts";
import type { ByteSink, RangeCipher, RangeEncryptor } from "../../io/sink.ts";
import { helperPool } from "../../parallel/helper-pool.ts";
import { TaskQueue } from "../../parallel/task-queue.ts";
import { ChunkEncryptor } from "./chunk-encryptor.ts";
import {
  CHUNK_BYTES,
  type ChunkPart,
  chunkLength,
  type EncryptionChunk,
  LONGEST_READ,
  lengthOfRange,
} from "./encryption-chunk.ts";
import type { EncryptionRequest } from "./encryption-helper.ts";

/** For a smaller file, a helper saves no time. With one, 19 MB take as long, and 27 MB take two thirds of the time. */
const WORTH_SHARING_BYTES = 24 * 1024 * 1024;
/** A shorter stream is read faster together with its neighbors. True for 300 KB, false for 700 KB. */
const LONG_STREAM = 512 * 1024;
/** How many bytes between encrypted ranges a chunk may hold. */
const MOST_BETWEEN = 512 * 1024;
/** Two workers fill the browser's storage at its full speed. A third would only take memory. */
const MOST_HELPERS = 1;
/** How many chunks may wait for a worker. */
const MOST_WAITING = 4;

/** The chunk to which the next range or bytes may be added. */
interface OpenChunk {
  readonly parts: ChunkPart[];
  readonly start: number;
  end: number;
  /** How many of its bytes belong to no range. */
  between: number;
}

/**
 * An output that becomes a Blob. Long encrypted ranges are read, encrypted and stored in chunks, by this worker and by
 * helpers. The bytes are the same, whichever worker makes a chunk.
 */
export class EncryptingSink implements ByteSink {
  readonly encryptor: RangeEncryptor | undefined;
  readonly #file: Blob;
  readonly #helpers: number;
  #length = 0;
  /** The parts before {@link #sink}, in order. */
  #before: (Blob | Promise<Blob>)[] = [];
  /** The same parts after {@link end}. */
  #made: readonly Blob[] = [];
  #sink: BlobSink;
  /** Why a chunk could not be made. */
  #failure: { readonly reason: unknown } | undefined;
  /** The open chunk. While there is one, {@link #sink} is empty. */
  #chunk: OpenChunk | undefined;
  #queue: TaskQueue<EncryptionChunk, Blob> | undefined;

  /**
   * @param sink receives the bytes that this class does not encrypt
   * @param helpers how many more workers may help
   */
  constructor(file: Blob, sink: BlobSink, helpers = 0) {
    this.#file = file;
    this.#sink = sink;
    this.#helpers = Math.min(helpers, MOST_HELPERS);
    if (file.size >= WORTH_SHARING_BYTES) {
      this.encryptor = { from: LONG_STREAM, take: (start, end, cipher) => this.#encrypt(start, end, cipher) };
    }
  }

  get length(): number {
    return this.#length;
  }

  write(bytes: Uint8Array): void {
    this.#length += bytes.length;
    const chunk = this.#chunk;
    if (chunk && chunk.between + bytes.length <= MOST_BETWEEN) {
      chunk.between += bytes.length;
      // A message to a helper would copy the whole buffer of a view.
      chunk.parts.push(bytes.slice());
    } else {
      this.#passChunk();
      this.#sink.write(bytes);
    }
  }

  copy(start: number, end: number): void {
    this.#length += end - start;
    this.#passChunk();
    this.#sink.copy(start, end);
  }

  #encrypt(start: number, end: number, { key, iv }: RangeCipher): void {
    const range = { start, end, iv };
    this.#length += lengthOfRange(range);
    this.#queue ??= this.#newQueue(key);
    const open = this.#chunk;
    if (
      open &&
      end - open.start <= LONGEST_READ &&
      start >= open.end &&
      open.end - open.start < CHUNK_BYTES
    ) {
      open.parts.push(range);
      open.end = end;
      return;
    }
    this.#passChunk();
    this.#passSink();
    if (end - start > LONGEST_READ) this.#make({ kind: "long", range });
    else this.#chunk = { parts: [range], start, end, between: 0 };
  }

  get backpressure(): boolean {
    return (
      this.#failure !== undefined || this.#sink.backpressure || (this.#queue?.waiting ?? 0) > MOST_WAITING
    );
  }

  async drain(): Promise<void> {
    await this.#sink.drain();
    await this.#queue?.drain(MOST_WAITING);
    if (this.#failure) throw this.#failure.reason;
  }

  restart(): void {
    this.#length = 0;
    this.#before = [];
    this.#failure = undefined;
    this.#chunk = undefined;
    this.#sink.restart();
    this.#queue?.clear();
  }

  async end(): Promise<void> {
    this.#passChunk();
    const parts = Promise.all(this.#before);
    this.#made = await (this.#queue?.wait(parts) ?? parts);
  }

  /** Returns the output. Call {@link end} first. */
  toBlob(type: string): Blob {
    if (this.#made.length === 0) return this.#sink.toBlob(type);
    return new Blob([...this.#made, this.#sink.toBlob()], { type });
  }

  /** Releases the helpers. */
  close(): void {
    this.#queue?.close();
  }

  #passSink(): void {
    if (this.#sink.length === 0) return;
    this.#before.push(this.#sink.toBlob());
    this.#sink = this.#sink.follower();
  }

  #passChunk(): void {
    const chunk = this.#chunk;
    this.#chunk = undefined;
    if (chunk) this.#make({ kind: "short", ...chunk });
  }

  #make(chunk: EncryptionChunk): void {
    const made = this.#queue?.add(chunk);
    if (made === undefined) return;
    const before = this.#before;
    before.push(made);
    made.catch((reason) => {
      // A chunk from before a restart is not needed.
      if (before === this.#before) this.#failure ??= { reason };
    });
  }

  #newQueue(key: Promise<CryptoKey>): TaskQueue<EncryptionChunk, Blob> {
    const encryptor = new ChunkEncryptor(this.#file, key);
    return new TaskQueue<EncryptionChunk, Blob>({
      work: (chunk) => encryptor.make(chunk),
      lease: async () => {
        const request: EncryptionRequest = { file: this.#file, key: await key };
        return helperPool.lease({ count: this.#helpers, kind: "pdf/encryption", request });
      },
      accepts: (chunk, made) => made.size === chunkLength(chunk),
    });
  }
}
