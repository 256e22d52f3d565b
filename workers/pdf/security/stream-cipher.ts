import { concatBytes } from "@noble/hashes/utils.js";
import type { ByteSource } from "../../io/source.ts";
import type { OrderedOutput } from "../file/ordered-output.ts";
import type { StreamData } from "../syntax/objects.ts";
import { decryptBlocks, encryptAes, encryptBlocks, paddingOf } from "./aes.ts";
import type { ObjectCipher } from "./handler.ts";
import { Rc4 } from "./rc4.ts";
import { BLOCK, type Bytes, CIPHER_CHUNK, encryptChunk, encryptedLength } from "./web-crypto.ts";

/** Below this, a WebCrypto call costs more than it saves. */
const WEB_CRYPTO_FROM = 2048;

/** Bytes in a buffer of their own kind, as WebCrypto's types want them; copied only where they are shared. */
function own(bytes: Uint8Array): Bytes {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : Uint8Array.from(bytes);
}

const keys = new WeakMap<Uint8Array, AesKey>();

/** An AES key for both engines: WebCrypto, absent on plain-HTTP origins, and our own for small things. */
export class AesKey {
  readonly raw: Uint8Array;
  #imported: Promise<CryptoKey> | undefined;

  private constructor(raw: Uint8Array) {
    this.raw = raw;
  }

  /** The same one for the same bytes, which must not be changed: AES-256 has one key for all streams of a file. */
  static of(raw: Uint8Array): AesKey {
    const known = keys.get(raw) ?? new AesKey(raw);
    keys.set(raw, known);
    return known;
  }

  /** The key for WebCrypto; undefined where there is none. */
  get imported(): Promise<CryptoKey> | undefined {
    const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto };
    if (!subtle) return undefined;
    this.#imported ??= subtle.importKey("raw", own(this.raw), "AES-CBC", false, ["encrypt", "decrypt"]);
    return this.#imported;
  }
}

/** A stream's bytes wherever they are. */
export function readData(source: ByteSource, data: StreamData, start: number, end: number): Uint8Array {
  if (data.kind === "memory") return data.bytes.subarray(start, end);
  return source.read(data.start + start, Math.min(data.start + end, data.end));
}

/** What of {@link readData} is being read already, and worth waiting for. */
function pending(
  source: ByteSource,
  data: StreamData,
  start: number,
  end: number,
): Promise<void> | undefined {
  return data.kind === "memory" ? undefined : source.pending?.(data.start + start, data.start + end);
}

/** How many bytes a stream has as it stands. */
export function dataLength(data: StreamData): number {
  return data.kind === "memory" ? data.bytes.length : data.end - data.start;
}

/** Writes a stream's data as it stands. */
export function writePlain(out: OrderedOutput, data: StreamData): void {
  if (data.kind === "memory") out.write(data.bytes);
  else out.copy(data.start, data.end);
}

/** Writes a stream's data encrypted: {@link encryptedLength} bytes. */
export function writeEncrypted(
  out: OrderedOutput,
  source: ByteSource,
  data: StreamData,
  key: AesKey,
  iv: Bytes,
): void {
  const length = dataLength(data);
  const imported = length < WEB_CRYPTO_FROM ? undefined : key.imported;
  if (!imported) {
    writeEncryptedSync(out, source, data, key, iv);
    return;
  }
  out.write(iv);
  if (data.kind === "file" && out.copyEncrypted(data.start, data.end, { key: imported, iv })) return;
  // What ended the chunk before, which begins before this one does.
  let chain: Promise<Bytes> = Promise.resolve(iv);
  for (let at = 0; at < length || at === 0; at += CIPHER_CHUNK) {
    const end = Math.min(length, at + CIPHER_CHUNK);
    const last = end === length;
    const encrypted = async (previous: Promise<Bytes>) => {
      await pending(source, data, at, end);
      const pieceIv = own((await previous).subarray(-BLOCK));
      return encryptChunk(await imported, pieceIv, own(readData(source, data, at, end)), last);
    };
    out.defer(last ? encryptedLength(length) - BLOCK - at : end - at, () => {
      chain = encrypted(chain);
      return chain;
    });
    if (last) break;
  }
}

function writeEncryptedSync(
  out: OrderedOutput,
  source: ByteSource,
  data: StreamData,
  key: AesKey,
  iv: Bytes,
): void {
  const length = dataLength(data);
  let chained: Uint8Array = iv;
  let at = 0;
  for (; length - at > CIPHER_CHUNK; at += CIPHER_CHUNK) {
    const encrypted = encryptBlocks(key.raw, readData(source, data, at, at + CIPHER_CHUNK), chained);
    out.write(at === 0 ? concatBytes(iv, encrypted) : encrypted);
    chained = encrypted.slice(-BLOCK);
  }
  const last = encryptAes(key.raw, chained, readData(source, data, at, length));
  out.write(at === 0 ? last : last.subarray(BLOCK));
}

/** How long a stream will be when decrypted. */
export function decryptedLength(source: ByteSource, data: StreamData, { method, key }: ObjectCipher): number {
  const length = dataLength(data);
  if (method === "none" || method === "rc4") return length;
  const whole = length - (length % BLOCK);
  if (whole < 2 * BLOCK) return 0;
  const tail = readData(source, data, whole - 2 * BLOCK, whole);
  const plain = decryptBlocks(key, tail.subarray(BLOCK), tail.subarray(0, BLOCK));
  return whole - BLOCK - paddingOf(plain);
}

/** Writes a stream's data decrypted: {@link decryptedLength} bytes, given as `length`. */
export function writeDecrypted(
  out: OrderedOutput,
  source: ByteSource,
  data: StreamData,
  { method, key }: ObjectCipher,
  length: number,
): void {
  if (method === "none") {
    writePlain(out, data);
  } else if (method === "rc4") {
    const cipher = new Rc4(key);
    writeChunks(out, length, (at, end) => cipher.next(readData(source, data, at, end)));
  } else {
    const aes = AesKey.of(key);
    const imported = length < WEB_CRYPTO_FROM ? undefined : aes.imported;
    if (!imported) {
      writeChunks(out, length, (at, end) => decryptPiece(source, data, key, at, end));
      return;
    }
    for (let at = 0; at < length; at += CIPHER_CHUNK) {
      const end = Math.min(length, at + CIPHER_CHUNK);
      out.defer(end - at, () => decryptPieceAsync(source, data, aes, imported, at, end));
    }
  }
}

/**
 * Generates a stream's data in chunks, decrypted.
 *
 * @param cipher the stream's encryption; absent for a stream that is not encrypted
 */
export function* decryptedChunks(
  source: ByteSource,
  data: StreamData,
  cipher: ObjectCipher | undefined,
): Generator<Uint8Array> {
  const length = cipher ? decryptedLength(source, data, cipher) : dataLength(data);
  const rc4 = cipher?.method === "rc4" ? new Rc4(cipher.key) : undefined;
  for (let at = 0; at < length; at += CIPHER_CHUNK) {
    const end = Math.min(length, at + CIPHER_CHUNK);
    if (!cipher || cipher.method === "none") yield readData(source, data, at, end);
    else if (rc4) yield rc4.next(readData(source, data, at, end));
    else yield decryptPiece(source, data, cipher.key, at, end);
  }
}

/** Writes what is computed chunk by chunk, in order; where there are several, each when there is room for it. */
function writeChunks(
  out: OrderedOutput,
  length: number,
  compute: (at: number, end: number) => Uint8Array,
): void {
  for (let at = 0; at < length; at += CIPHER_CHUNK) {
    const end = Math.min(length, at + CIPHER_CHUNK);
    if (length <= CIPHER_CHUNK) out.write(compute(at, end));
    else out.defer(end - at, async () => compute(at, end));
  }
}

/** The ciphertext of plain bytes `at` to `end`, whole blocks, and the block before it, which is its vector. */
function pieceOf(source: ByteSource, data: StreamData, at: number, end: number): { iv: Bytes; text: Bytes } {
  const blocks = Math.ceil((end - at) / BLOCK) * BLOCK;
  const bytes = own(readData(source, data, at, at + BLOCK + blocks));
  return { iv: bytes.subarray(0, BLOCK), text: bytes.subarray(BLOCK) };
}

function decryptPiece(
  source: ByteSource,
  data: StreamData,
  key: Uint8Array,
  at: number,
  end: number,
): Uint8Array {
  const { iv, text } = pieceOf(source, data, at, end);
  return decryptBlocks(key, text, iv).subarray(0, end - at);
}

/** WebCrypto takes a copy when it is called: this is used again by the next. */
const padded = new Uint8Array(CIPHER_CHUNK + 2 * BLOCK);

async function decryptPieceAsync(
  source: ByteSource,
  data: StreamData,
  key: AesKey,
  imported: Promise<CryptoKey>,
  at: number,
  end: number,
): Promise<Uint8Array> {
  await pending(source, data, at, end + 2 * BLOCK);
  const { iv, text } = pieceOf(source, data, at, end);
  // WebCrypto insists on padding; a block that decrypts to nothing but padding gives it some, whatever the text is.
  const aesKey = await imported;
  padded.set(text);
  padded.set(encryptBlocks(key.raw, new Uint8Array(BLOCK).fill(BLOCK), text.subarray(-BLOCK)), text.length);
  const plain = await crypto.subtle.decrypt(
    { name: "AES-CBC", iv },
    aesKey,
    padded.subarray(0, text.length + BLOCK),
  );
  return new Uint8Array(plain, 0, end - at);
}
