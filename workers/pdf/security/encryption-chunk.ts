import { BLOCK, encryptedLength } from "./web-crypto.ts";

/** A range of the input that becomes its AES-CBC ciphertext, padded. */
export interface EncryptedRange {
  readonly start: number;
  readonly end: number;
  readonly iv: Uint8Array<ArrayBuffer>;
}

/** Bytes as they are, or to be encrypted. */
export type ChunkPart = Uint8Array<ArrayBuffer> | EncryptedRange;

/** A part of an output. A worker can make it from the input and the key. */
export type EncryptionChunk =
  /** Plain bytes, and ranges that follow each other in the input. The input is read once, from `start` to `end`. */
  | {
      readonly kind: "short";
      readonly parts: readonly ChunkPart[];
      readonly start: number;
      readonly end: number;
    }
  /** One range, which is read in several steps. */
  | { readonly kind: "long"; readonly range: EncryptedRange };

/** About how many bytes of the input a chunk covers. Reads of 2 MB take twice as long as reads of 8 MB; so do writes. */
export const CHUNK_BYTES = 10 * 1024 * 1024;
/** How many bytes are read at once, at most. */
export const LONGEST_READ = 14 * 1024 * 1024;

/** Returns the length of an encrypted range. */
export const lengthOfRange = ({ start, end }: { readonly start: number; readonly end: number }): number =>
  encryptedLength(end - start) - BLOCK;

/** Returns the length of a chunk in the output. */
export function chunkLength(chunk: EncryptionChunk): number {
  if (chunk.kind === "long") return lengthOfRange(chunk.range);
  return chunk.parts.reduce(
    (sum, part) => sum + (part instanceof Uint8Array ? part.length : lengthOfRange(part)),
    0,
  );
}
