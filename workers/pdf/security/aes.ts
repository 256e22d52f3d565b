import { cbc, ecb } from "@noble/ciphers/aes.js";

/** AES's block and, in front of the data, the initialization vector: bytes. */
export const BLOCK = 16;
const NO_PADDING = { disablePadding: true };
const ZERO_IV = new Uint8Array(BLOCK);

/** AES-CBC over whole blocks with an initialization vector of zeros and no padding. */
export const encryptBlocks = (key: Uint8Array, data: Uint8Array, iv: Uint8Array = ZERO_IV): Uint8Array =>
  cbc(key, iv, NO_PADDING).encrypt(data);

/** The reverse of {@link encryptBlocks}. */
export const decryptBlocks = (key: Uint8Array, data: Uint8Array, iv: Uint8Array = ZERO_IV): Uint8Array =>
  cbc(key, iv, NO_PADDING).decrypt(data);

/** AES-ECB over one block, for `Perms`. */
export const encryptBlock = (key: Uint8Array, block: Uint8Array): Uint8Array =>
  ecb(key, NO_PADDING).encrypt(block);

/** AES-CBC with PKCS #7 padding, the initialization vector in front (ISO 32000-2, 7.6.3.2). */
export function encryptAes(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  const out = new Uint8Array(encryptedLength(data.length));
  out.set(iv);
  out.set(cbc(key, iv).encrypt(data), BLOCK);
  return out;
}

/** How long data becomes when encrypted: initialization vector, data, padding. */
export const encryptedLength = (length: number): number => BLOCK + length + BLOCK - (length % BLOCK);

/**
 * The reverse of {@link encryptAes}. What is cut off or wrongly padded gives what whole blocks hold: readers agree
 * that half a stream is better than none.
 */
export function decryptAes(key: Uint8Array, data: Uint8Array): Uint8Array {
  const whole = data.length - (data.length % BLOCK);
  if (whole < 2 * BLOCK) return new Uint8Array(0);
  const plain = decryptBlocks(key, data.subarray(BLOCK, whole), data.subarray(0, BLOCK));
  return plain.subarray(0, plain.length - paddingOf(plain));
}

/** How many bytes of padding data ends in; 0 when what should be padding is none. */
export function paddingOf(plain: Uint8Array): number {
  const count = plain.at(-1) ?? 0;
  if (count < 1 || count > BLOCK || count > plain.length) return 0;
  for (let back = 1; back <= count; back++) if (plain.at(-back) !== count) return 0;
  return count;
}
