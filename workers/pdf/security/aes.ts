import { cbc } from "@noble/ciphers/aes.js";
import { concatBytes } from "@noble/hashes/utils.js";

/** The length of an AES block and of the initialization vector, in bytes. */
export const BLOCK = 16;

const ZERO_IV = new Uint8Array(BLOCK);

/** Returns the length of encrypted data: initialization vector, data, padding. */
export const encryptedLength = (length: number): number => BLOCK + length + BLOCK - (length % BLOCK);

/** Encrypts whole blocks with AES-CBC, without padding (NIST SP 800-38A, 6.2). */
export function encryptBlocks(
  key: Uint8Array,
  data: Uint8Array,
  iv: Uint8Array = ZERO_IV,
): Uint8Array<ArrayBuffer> {
  return cbc(key, iv, { disablePadding: true }).encrypt(data);
}

/** Decrypts whole blocks: the reverse of {@link encryptBlocks}. */
export function decryptBlocks(key: Uint8Array, data: Uint8Array, iv: Uint8Array = ZERO_IV): Uint8Array {
  return cbc(key, iv, { disablePadding: true }).decrypt(data);
}

/** Encrypts with AES-CBC and PKCS #7 padding. The initialization vector comes first (ISO 32000-2, 7.6.3). */
export function encryptAes(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  return concatBytes(iv, cbc(key, iv).encrypt(data));
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
