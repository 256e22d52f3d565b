/** AES's block and, in front of the data, the initialization vector: bytes. */
export const BLOCK = 16;

/** How long data becomes when encrypted: initialization vector, data, padding. */
export const encryptedLength = (length: number): number => BLOCK + length + BLOCK - (length % BLOCK);

/**
 * Larger streams go through the cipher in chunks of this size, so that none is ever held whole. Chromium takes memory
 * of more than a megabyte anew from the system for every call, which costs as much as the cipher.
 */
export const CIPHER_CHUNK = 512 * 1024;

/** Bytes in a buffer of the kind that WebCrypto's types want. */
export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * AES-CBC over a chunk of a stream.
 *
 * @param iv the last block that came out of the chunk before
 * @param isLast whether PKCS #7 padding ends it; any other chunk is whole blocks
 */
export async function encryptChunk(key: CryptoKey, iv: Bytes, plain: Bytes, isLast: boolean): Promise<Bytes> {
  // WebCrypto pads every chunk; only the last may stay padded.
  const padded = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-CBC", iv }, key, plain));
  return isLast ? padded : padded.subarray(0, plain.length);
}
