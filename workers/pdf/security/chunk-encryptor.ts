import { readFailure } from "../../io/read-failure.ts";
import { requestGc } from "../../io/request-gc.ts";
import { CHUNK_BYTES, type EncryptedRange, type EncryptionChunk } from "./encryption-chunk.ts";
import { BLOCK, type Bytes, CIPHER_CHUNK, encryptChunk } from "./web-crypto.ts";

/** Reads, encrypts and stores chunks of an output, one at a time. */
export class ChunkEncryptor {
  readonly #file: Blob;
  readonly #key: CryptoKey | Promise<CryptoKey>;
  /** The last Blob, which the browser may not have stored yet. */
  #unstored: Blob | undefined;

  constructor(file: Blob, key: CryptoKey | Promise<CryptoKey>) {
    this.#file = file;
    this.#key = key;
  }

  /**
   * Returns a chunk as a Blob.
   *
   * @throws {ServiceError} `damaged_file` if the input can no longer be read
   */
  async make(chunk: EncryptionChunk): Promise<Blob> {
    const key = await this.#key;
    return chunk.kind === "short" ? this.#makeShort(chunk, key) : this.#makeLong(chunk.range, key);
  }

  async #makeShort(
    { parts, start, end }: EncryptionChunk & { kind: "short" },
    key: CryptoKey,
  ): Promise<Blob> {
    const bytes = await this.#read(start, end);
    const made = parts.map((part) =>
      part instanceof Uint8Array
        ? [part]
        : encrypted(key, part.iv, bytes.subarray(part.start - start, part.end - start), true),
    );
    return this.#store((await Promise.all(made)).flat());
  }

  async #makeLong({ start, end, iv }: EncryptedRange, key: CryptoKey): Promise<Blob> {
    const parts: Blob[] = [];
    let chained = iv;
    for (let at = start; at < end; at += CHUNK_BYTES) {
      const bytes = await this.#read(at, Math.min(end, at + CHUNK_BYTES));
      const made = await encrypted(key, chained, bytes, at + bytes.length === end);
      chained = made.at(-1)?.slice(-BLOCK) ?? chained;
      parts.push(await this.#store(made));
    }
    return new Blob(parts);
  }

  async #read(start: number, end: number): Promise<Bytes> {
    const buffer = await this.#file
      .slice(start, end)
      .arrayBuffer()
      .catch((thrown) => {
        throw readFailure(thrown);
      });
    if (buffer.byteLength !== end - start) throw readFailure();
    return new Uint8Array(buffer);
  }

  /** Makes a Blob, after the browser has stored the previous one. */
  async #store(bytes: readonly Bytes[]): Promise<Blob> {
    // If the browser cannot store it, reading the result will fail.
    await this.#unstored
      ?.slice(-1)
      .arrayBuffer()
      .catch(() => {});
    const blob = new Blob([...bytes]);
    this.#unstored = blob;
    requestGc();
    return blob;
  }
}

/** Encrypts a range step by step. Each step needs the last block of the previous one (CBC). */
async function encrypted(key: CryptoKey, iv: Bytes, plain: Bytes, isLast: boolean): Promise<Bytes[]> {
  const parts: Bytes[] = [];
  let chained = iv;
  for (let at = 0; at < plain.length; at += CIPHER_CHUNK) {
    const end = Math.min(plain.length, at + CIPHER_CHUNK);
    const part = await encryptChunk(key, chained, plain.subarray(at, end), isLast && end === plain.length);
    chained = part.slice(-BLOCK);
    parts.push(part);
  }
  return parts;
}
