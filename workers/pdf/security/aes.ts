import { unsafe } from "@noble/ciphers/aes.js";
import { concatBytes } from "@noble/hashes/utils.js";

/** The length of an AES block and of the initialization vector, in bytes. */
export const BLOCK = 16;

const ZERO_IV = new Uint8Array(BLOCK);

/** Returns the length of encrypted data: initialization vector, data, padding. */
export const encryptedLength = (length: number): number => BLOCK + length + BLOCK - (length % BLOCK);

/** The expanded keys of {@link unsafe}. Expanding a key takes longer than encrypting a short string, so they are kept. */
interface RoundKeys {
  readonly encryption: Uint32Array;
  readonly decryption: Uint32Array;
}

const roundKeys = new WeakMap<Uint8Array, RoundKeys>();

/** Returns the round keys of a key, which must not be changed. */
function roundKeysOf(key: Uint8Array): RoundKeys {
  const known = roundKeys.get(key);
  if (known !== undefined) return known;
  const expanded = { encryption: unsafe.expandKeyLE(key), decryption: unsafe.expandKeyDecLE(key) };
  roundKeys.set(key, expanded);
  return expanded;
}

/** A block as four words. */
interface Words {
  readonly s0: number;
  readonly s1: number;
  readonly s2: number;
  readonly s3: number;
}

/** Encrypts whole blocks with AES-CBC, without padding (NIST SP 800-38A, 6.2). */
export function encryptBlocks(
  key: Uint8Array,
  data: Uint8Array,
  iv: Uint8Array = ZERO_IV,
): Uint8Array<ArrayBuffer> {
  const rounds = roundKeysOf(key).encryption;
  // Not slice, which gives a view of Node's Buffers.
  const out = new Uint8Array(data);
  const view = viewOf(out);
  let last = wordsAt(viewOf(iv), 0);
  for (let at = 0; at < out.length; at += BLOCK) {
    const { s0, s1, s2, s3 } = combined(last, wordsAt(view, at));
    last = unsafe.encrypt(rounds, s0, s1, s2, s3);
    putWords(view, at, last);
  }
  return out;
}

/** Decrypts whole blocks: the reverse of {@link encryptBlocks}. */
export function decryptBlocks(key: Uint8Array, data: Uint8Array, iv: Uint8Array = ZERO_IV): Uint8Array {
  const rounds = roundKeysOf(key).decryption;
  const out = new Uint8Array(data);
  const view = viewOf(out);
  let last = wordsAt(viewOf(iv), 0);
  for (let at = 0; at < out.length; at += BLOCK) {
    const block = wordsAt(view, at);
    putWords(view, at, combined(last, unsafe.decrypt(rounds, block.s0, block.s1, block.s2, block.s3)));
    last = block;
  }
  return out;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function wordsAt(view: DataView, at: number): Words {
  return {
    s0: view.getUint32(at, true),
    s1: view.getUint32(at + 4, true),
    s2: view.getUint32(at + 8, true),
    s3: view.getUint32(at + 12, true),
  };
}

function combined(one: Words, other: Words): Words {
  return {
    s0: one.s0 ^ other.s0,
    s1: one.s1 ^ other.s1,
    s2: one.s2 ^ other.s2,
    s3: one.s3 ^ other.s3,
  };
}

function putWords(view: DataView, at: number, { s0, s1, s2, s3 }: Words): void {
  view.setUint32(at, s0, true);
  view.setUint32(at + 4, s1, true);
  view.setUint32(at + 8, s2, true);
  view.setUint32(at + 12, s3, true);
}

/** Encrypts with AES-CBC and PKCS #7 padding. The initialization vector comes first (ISO 32000-2, 7.6.3). */
export function encryptAes(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(encryptedLength(data.length) - BLOCK);
  padded.set(data);
  padded.fill(padded.length - data.length, data.length);
  return concatBytes(iv, encryptBlocks(key, padded, iv));
}

/**
 * Decrypts: the reverse of {@link encryptAes}. For truncated or wrongly padded data, returns the content of the whole
 * blocks, as other readers do.
 */
export function decryptAes(key: Uint8Array, data: Uint8Array): Uint8Array {
  const whole = data.length - (data.length % BLOCK);
  if (whole < 2 * BLOCK) return new Uint8Array(0);
  const plain = decryptBlocks(key, data.subarray(BLOCK, whole), data.subarray(0, BLOCK));
  return plain.subarray(0, plain.length - paddingOf(plain));
}

/** Returns the number of padding bytes (PKCS #7; RFC 5652, 6.3); 0 when the padding is invalid. */
export function paddingOf(plain: Uint8Array): number {
  const count = plain.at(-1) ?? 0;
  if (count < 1 || count > BLOCK || count > plain.length) return 0;
  for (let back = 1; back <= count; back++) if (plain.at(-back) !== count) return 0;
  return count;
}
