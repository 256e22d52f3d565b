import { concatBytes } from "./concat-bytes.ts";
import type { ByteSource } from "./source.ts";

/** How a range of the input is encrypted: AES-CBC, padded (ISO 32000-2, 7.6.3). */
export interface RangeCipher {
  readonly key: Promise<CryptoKey>;
  readonly iv: Uint8Array<ArrayBuffer>;
}

/** Reads and encrypts ranges of the job's input by itself, as parts of the output. */
export interface RangeEncryptor {
  /** From how many bytes on that is better than to write them encrypted. */
  readonly from: number;
  /** Takes bytes `start` to `end` as the next of the output, encrypted, without the initialization vector. */
  take(start: number, end: number, cipher: RangeCipher): void;
}

/** Where an engine's output goes, in order. */
export interface ByteSink {
  /** Bytes taken so far. */
  readonly length: number;
  /** Takes new bytes over: the caller must not change them afterwards. */
  write(bytes: Uint8Array): void;
  /** Takes bytes `start` to `end` of the job's input unchanged, ideally without reading them. */
  copy(start: number, end: number): void;
  /** Absent where nothing would be gained by it. */
  readonly encryptor?: RangeEncryptor | undefined;
  /** Forgets all it has taken: the job begins again. */
  restart(): void;
  /** Whether it has taken more than it could pass on, and {@link room} is worth waiting for. */
  readonly full?: boolean;
  /** Waits until it has passed on most of what it has taken. */
  room?(): Promise<void>;
  /** Waits until it has all that it takes: nothing comes behind it. */
  end?(): Promise<void>;
}

/** A sink that keeps everything in memory, for Node and for small outputs. */
export class MemorySink implements ByteSink {
  readonly #source: ByteSource;
  #parts: Uint8Array[] = [];
  #length = 0;

  /** @param source the input that {@link copy} copies from */
  constructor(source: ByteSource) {
    this.#source = source;
  }

  get length(): number {
    return this.#length;
  }

  write(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  copy(start: number, end: number): void {
    this.write(this.#source.read(start, end));
  }

  restart(): void {
    this.#parts = [];
    this.#length = 0;
  }

  /** Everything taken, in one piece. */
  toBytes(): Uint8Array {
    return concatBytes(this.#parts);
  }
}
