import { BLOCK, encryptedLength } from "./web-crypto.ts";

/** A range of the input that becomes its AES-CBC ciphertext, padded. */
export interface EncryptedRange {
  readonly start: number;
  readonly end: number;
  readonly iv: Uint8Array<ArrayBuffer>;
}

/** Bytes as they are, or to be encrypted. */
export type ChunkPart = Uint8Array<ArrayBuffer> | EncryptedRange;

/** A part of an output that anyone can make who has the input and the key. */
export type EncryptionChunk =
  /** Bytes as they are, and ranges that follow each other in the input and are read at once, `start` to `end`. */
  | {
      readonly kind: "short";
      readonly pieces: readonly ChunkPart[];
      readonly start: number;
      readonly end: number;
    }
  /** One range that is read a stretch after the other. */
  | { readonly kind: "long"; readonly range: EncryptedRange };

/** How much of the input a run covers, about: reading 2 MB at a time takes twice as long as 8, and so does storing. */
export const CHUNK_BYTES = 10 * 1024 * 1024;
/** What is read at a time, at most. */
export const LONGEST_READ = 14 * 1024 * 1024;

/** How long a range becomes. */
export const lengthOfRange = ({ start, end }: { readonly start: number; readonly end: number }): number =>
  encryptedLength(end - start) - BLOCK;

/** How long a run's part of the output will be. */
export function chunkLength(run: EncryptionChunk): number {
  if (run.kind === "long") return lengthOfRange(run.range);
  return run.pieces.reduce(
    (sum, piece) => sum + (piece instanceof Uint8Array ? piece.length : lengthOfRange(piece)),
    0,
  );
}
