import { concatBytes } from "./concat-bytes.ts";
import type { ByteSource } from "./source.ts";

/** How a range of the input is encrypted: AES-CBC, padded (ISO 32000-2, 7.6.3). */
export interface RangeCipher {
  readonly key: Promise<CryptoKey>;
  readonly iv: Uint8Array<ArrayBuffer>;
}

/** A sink that reads and encrypts ranges of the job's input. */
export interface RangeEncryptor {
  /** The shortest range, in bytes, for which this is faster than writing encrypted bytes. */
  readonly from: number;
  /** Appends the ciphertext of bytes `start` to `end`, without the initialization vector. */
  take(start: number, end: number, cipher: RangeCipher): void;
}

/** Takes an engine's output in order. */
export interface ByteSink {
  /** Bytes taken so far. */
  readonly length: number;
  /** Appends new bytes. The caller must not change them afterwards. */
  write(bytes: Uint8Array): void;
  /** Appends bytes `start` to `end` of the job's input, ideally without reading them. */
  copy(start: number, end: number): void;
  /** Reads and encrypts ranges of the input. Undefined when that would not be faster. */
  readonly encryptor?: RangeEncryptor | undefined;
  /** Drops all bytes, because the job begins again. */
  restart(): void;
  /** Whether so many bytes wait in the sink that the writer should await {@link drain}. */
  readonly backpressure?: boolean;
  /** Settles when the sink has passed on most of its bytes. */
  drain?(): Promise<void>;
  /** Settles when all bytes are in the output. Nothing is written afterwards. */
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

  /** Returns all bytes. */
  toBytes(): Uint8Array {
    return concatBytes(this.#parts);
  }
}
