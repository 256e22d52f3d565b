/** The length of an AES block and of the initialization vector, in bytes. */
export const BLOCK = 16;

/** Returns the length of encrypted data: initialization vector, data, padding. */
export const encryptedLength = (length: number): number => BLOCK + length + BLOCK - (length % BLOCK);

/**
 * Longer streams are encrypted in chunks of this size, so that none is held whole. For results over a megabyte, Chromium
 * allocates memory from the system at each call, which takes as long as the cipher.
 */
export const CIPHER_CHUNK = 512 * 1024;

/** The type of bytes that WebCrypto takes. */
export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Encrypts a chunk of a stream with AES-CBC.
 *
 * @param iv the last encrypted block of the chunk before
 * @param isLast whether to add PKCS #7 padding; other chunks are whole blocks
 */
export async function encryptChunk(key: CryptoKey, iv: Bytes, plain: Bytes, isLast: boolean): Promise<Bytes> {
  // WebCrypto pads every chunk. Remove the padding of all but the last.
  const padded = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-CBC", iv }, key, plain));
  return isLast ? padded : padded.subarray(0, plain.length);
}
