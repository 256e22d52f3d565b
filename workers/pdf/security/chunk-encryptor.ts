import { readFailure } from "../../io/read-failure.ts";
import { requestGc } from "../../io/request-gc.ts";
import { CHUNK_BYTES, type EncryptedRange, type EncryptionChunk } from "./encryption-chunk.ts";
import { BLOCK, type Bytes, CIPHER_CHUNK, encryptChunk } from "./web-crypto.ts";

/** Makes runs of an output, one at a time. */
export class ChunkEncryptor {
  readonly #file: Blob;
  readonly #key: CryptoKey | Promise<CryptoKey>;
  /** What the browser was given last. */
  #unstored: Blob | undefined;

  constructor(file: Blob, key: CryptoKey | Promise<CryptoKey>) {
    this.#file = file;
    this.#key = key;
  }

  /**
   * Makes a run.
   *
   * @throws {ServiceError} `damaged_file` when the input cannot be read any more
   */
  async make(run: EncryptionChunk): Promise<Blob> {
    const key = await this.#key;
    return run.kind === "short" ? this.#makeShort(run, key) : this.#makeLong(run.range, key);
  }

  async #makeShort(
    { pieces, start, end }: EncryptionChunk & { kind: "short" },
    key: CryptoKey,
  ): Promise<Blob> {
    const bytes = await this.#read(start, end);
    const made = pieces.map((piece) =>
      piece instanceof Uint8Array
        ? [piece]
        : encrypted(key, piece.iv, bytes.subarray(piece.start - start, piece.end - start), true),
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

  /** Hands bytes over to the browser, once it has stored what it was given before. */
  async #store(bytes: readonly Bytes[]): Promise<Blob> {
    // What cannot be stored is found out when the result is read.
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

/** Pieces one behind the other, each of which needs what came out of the one before. */
async function encrypted(key: CryptoKey, iv: Bytes, plain: Bytes, isLast: boolean): Promise<Bytes[]> {
  const pieces: Bytes[] = [];
  let chained = iv;
  for (let at = 0; at < plain.length; at += CIPHER_CHUNK) {
    const end = Math.min(plain.length, at + CIPHER_CHUNK);
    const piece = await encryptChunk(key, chained, plain.subarray(at, end), isLast && end === plain.length);
    chained = piece.slice(-BLOCK);
    pieces.push(piece);
  }
  return pieces;
}
