import { concatBytes } from "@noble/hashes/utils.js";
import type { FrameAes } from "../../../src/shared/sealing.ts";
import type { ByteSource } from "../../io/source.ts";
import { dataLength, readData, type StreamData } from "../syntax/objects.ts";
import { BLOCK, decryptBlocks, encryptAes, encryptBlocks, encryptedLength, paddingOf } from "./aes.ts";
import type { ObjectCipher } from "./decryptor.ts";
import { Rc4 } from "./rc4.ts";

/** An output that keeps the order of all writes, while some streams are still being encrypted or decrypted. */
interface CipherOutput {
  write(bytes: Uint8Array): void;
  /** Copies a range of an input. */
  copy(source: ByteSource, start: number, end: number): void;
  /** Writes the `length` bytes that `compute` returns. */
  defer(length: number, compute: () => Promise<Uint8Array>): void;
}

/**
 * Longer streams are encrypted in chunks of this size, so that none is held whole. For results over a megabyte, Chromium
 * allocates memory from the system at each call, which takes as long as the cipher.
 */
const CIPHER_CHUNK = 512 * 1024;

/** The type of bytes that WebCrypto takes. */
type Bytes = Uint8Array<ArrayBuffer>;

/** For shorter data, a WebCrypto call takes longer than the JavaScript cipher. */
const WEB_CRYPTO_FROM = 2048;
/** The same for the WebCrypto of the frame, to which the data has to go. */
const FRAME_CRYPTO_FROM = 16 * 1024;

/** Returns bytes in the type that WebCrypto takes. Copies shared memory only. */
function unshared(bytes: Uint8Array): Bytes {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : Uint8Array.from(bytes);
}

/** AES-CBC with a key, by WebCrypto: with PKCS #7 padding. Takes over its input before it returns. */
type WebCipher = (direction: "encrypt" | "decrypt", iv: Bytes, data: Bytes) => Promise<ArrayBuffer>;

const keys = new WeakMap<Uint8Array, AesKey>();

/** An AES key, for WebCrypto and for the JavaScript cipher. */
export class AesKey {
  readonly raw: Uint8Array;
  #webCipher: Promise<WebCipher> | undefined;

  private constructor(raw: Uint8Array) {
    this.raw = raw;
  }

  /** Returns the key of these bytes, which must not be changed. Cached, because AES-256 has one key for all streams. */
  static of(raw: Uint8Array): AesKey {
    const known = keys.get(raw) ?? new AesKey(raw);
    keys.set(raw, known);
    return known;
  }

  /**
   * Returns WebCrypto for data of a length. Undefined where the JavaScript cipher is faster, and on plain HTTP, where there is no
   * WebCrypto. A sealed worker of Chromium has that of its frame.
   */
  webCipherFor(length: number): Promise<WebCipher> | undefined {
    const { crypto, stayputAes } = globalThis as CryptoGlobals;
    const { subtle } = crypto;
    if (length < (subtle ? WEB_CRYPTO_FROM : FRAME_CRYPTO_FROM)) return undefined;
    this.#webCipher ??= subtle
      ? importedCipher(subtle, this.raw)
      : stayputAes && frameCipher(stayputAes, this.raw);
    return this.#webCipher;
  }
}

/** What a worker has of WebCrypto. */
interface CryptoGlobals {
  readonly crypto: { readonly subtle?: SubtleCrypto };
  readonly stayputAes?: FrameAes | undefined;
}

async function importedCipher(subtle: SubtleCrypto, raw: Uint8Array): Promise<WebCipher> {
  const key = await subtle.importKey("raw", unshared(raw), "AES-CBC", false, ["encrypt", "decrypt"]);
  return (direction, iv, data) => subtle[direction]({ name: "AES-CBC", iv }, key, data);
}

async function frameCipher(aes: FrameAes, raw: Uint8Array): Promise<WebCipher> {
  const key = unshared(raw);
  return (direction, iv, data) => aes({ direction, key, iv, data });
}

/** Writes a stream's encoded bytes unchanged. */
export function writePlain(out: CipherOutput, data: StreamData): void {
  if (data.kind === "memory") out.write(data.bytes);
  else out.copy(data.source, data.start, data.end);
}

/** Encrypts a stream's data and writes {@link encryptedLength} bytes. */
export function writeEncrypted(out: CipherOutput, data: StreamData, key: AesKey, iv: Bytes): void {
  const length = dataLength(data);
  const cipher = key.webCipherFor(length);
  if (!cipher) {
    writeEncryptedSync(out, data, key, iv);
    return;
  }
  out.write(iv);
  // The previous chunk. Its last block is the initialization vector of the next one.
  let chain: Promise<Bytes> = Promise.resolve(iv);
  for (let at = 0; at < length || at === 0; at += CIPHER_CHUNK) {
    const end = Math.min(length, at + CIPHER_CHUNK);
    const last = end === length;
    const encrypted = async (previous: Promise<Bytes>) => {
      const chunkIv = unshared((await previous).subarray(-BLOCK));
      return encryptChunk(await cipher, chunkIv, unshared(readData(data, at, end)), last);
    };
    out.defer(last ? encryptedLength(length) - BLOCK - at : end - at, () => {
      chain = encrypted(chain);
      return chain;
    });
    if (last) break;
  }
}

/**
 * Encrypts a chunk of a stream with AES-CBC.
 *
 * @param iv the last encrypted block of the chunk before
 * @param isLast whether to add PKCS #7 padding; other chunks are whole blocks
 */
async function encryptChunk(cipher: WebCipher, iv: Bytes, plain: Bytes, isLast: boolean): Promise<Bytes> {
  // WebCrypto pads every chunk. Remove the padding of all but the last.
  const padded = new Uint8Array(await cipher("encrypt", iv, plain));
  return isLast ? padded : padded.subarray(0, plain.length);
}

function writeEncryptedSync(out: CipherOutput, data: StreamData, key: AesKey, iv: Bytes): void {
  const length = dataLength(data);
  let chained: Uint8Array = iv;
  let at = 0;
  for (; length - at > CIPHER_CHUNK; at += CIPHER_CHUNK) {
    const encrypted = encryptBlocks(key.raw, readData(data, at, at + CIPHER_CHUNK), chained);
    out.write(at === 0 ? concatBytes(iv, encrypted) : encrypted);
    chained = encrypted.slice(-BLOCK);
  }
  const last = encryptAes(key.raw, chained, readData(data, at, length));
  out.write(at === 0 ? last : last.subarray(BLOCK));
}

/** Returns the length of a stream's decrypted data. */
export function decryptedLength(data: StreamData, { method, key }: ObjectCipher): number {
  const length = dataLength(data);
  if (method === "none" || method === "rc4") return length;
  const whole = length - (length % BLOCK);
  if (whole < 2 * BLOCK) return 0;
  const tail = readData(data, whole - 2 * BLOCK, whole);
  const plain = decryptBlocks(key, tail.subarray(BLOCK), tail.subarray(0, BLOCK));
  return whole - BLOCK - paddingOf(plain);
}

/** Decrypts a stream's data and writes `length` bytes, which {@link decryptedLength} returns. */
export function writeDecrypted(
  out: CipherOutput,
  data: StreamData,
  cipher: ObjectCipher,
  length: number,
): void {
  const { method, key } = cipher;
  if (method === "none") {
    writePlain(out, data);
    return;
  }
  const webCipher = method === "rc4" ? undefined : AesKey.of(key).webCipherFor(length);
  const chunks = decryptedChunks(data, cipher, length);
  const next = () => chunks.next().value ?? new Uint8Array(0);
  for (let at = 0; at < length; at += CIPHER_CHUNK) {
    const end = Math.min(length, at + CIPHER_CHUNK);
    if (webCipher) out.defer(end - at, () => decryptChunkAsync(data, { raw: key, webCipher }, at, end));
    else if (length <= CIPHER_CHUNK) out.write(next());
    // Deferred, so that few chunks are in memory.
    else out.defer(end - at, async () => next());
  }
}

/**
 * Generates a stream's data in chunks, decrypted.
 *
 * @param cipher the stream's encryption; absent for a stream that is not encrypted
 * @param length what {@link decryptedLength} returns
 */
export function* decryptedChunks(
  data: StreamData,
  cipher: ObjectCipher | undefined,
  length = cipher ? decryptedLength(data, cipher) : dataLength(data),
): Generator<Uint8Array, undefined> {
  const rc4 = cipher?.method === "rc4" ? new Rc4(cipher.key) : undefined;
  for (let at = 0; at < length; at += CIPHER_CHUNK) {
    const end = Math.min(length, at + CIPHER_CHUNK);
    if (!cipher || cipher.method === "none") yield readData(data, at, end);
    else if (rc4) yield rc4.next(readData(data, at, end));
    else yield decryptChunk(data, cipher.key, at, end);
  }
}

/** Returns the ciphertext of plain bytes `at` to `end` in whole blocks, and the block before it as the vector. */
function ciphertextOf(data: StreamData, at: number, end: number): { iv: Bytes; text: Bytes } {
  const blocks = Math.ceil((end - at) / BLOCK) * BLOCK;
  const bytes = unshared(readData(data, at, at + BLOCK + blocks));
  return { iv: bytes.subarray(0, BLOCK), text: bytes.subarray(BLOCK) };
}

function decryptChunk(data: StreamData, key: Uint8Array, at: number, end: number): Uint8Array {
  const { iv, text } = ciphertextOf(data, at, end);
  return decryptBlocks(key, text, iv).subarray(0, end - at);
}

/** Reused by all calls, because WebCrypto copies its input. */
const padded = new Uint8Array(CIPHER_CHUNK + 2 * BLOCK);

async function decryptChunkAsync(
  data: StreamData,
  key: { readonly raw: Uint8Array; readonly webCipher: Promise<WebCipher> },
  at: number,
  end: number,
): Promise<Uint8Array> {
  const { iv, text } = ciphertextOf(data, at, end);
  // WebCrypto requires padding. Append a block that decrypts to padding only.
  const cipher = await key.webCipher;
  padded.set(text);
  padded.set(encryptBlocks(key.raw, new Uint8Array(BLOCK).fill(BLOCK), text.subarray(-BLOCK)), text.length);
  const plain = await cipher("decrypt", iv, padded.subarray(0, text.length + BLOCK));
  return new Uint8Array(plain, 0, end - at);
}
