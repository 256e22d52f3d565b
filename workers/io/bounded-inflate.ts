import { Inflate } from "fflate";
import { concatBytes } from "./concat-bytes.ts";

/** Bytes of one step. Bounds the output of a decompression bomb before a check. */
const STEP = 16 * 1024;

/**
 * Inflates short zlib data (RFC 1950), such as a profile or a text. Ignores checksums and bytes after the data, as other
 * readers do.
 *
 * @param limit the most inflated bytes
 * @returns undefined for damaged or truncated data; `"too long"` for more than `limit` bytes
 */
export function inflateAtMost(data: Uint8Array, limit: number): Uint8Array | "too long" | undefined {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let complete = false;
  const stream = new Inflate((chunk, final) => {
    chunks.push(chunk);
    length += chunk.length;
    complete ||= final;
  });
  // The zlib header has two bytes.
  const body = data.subarray(2);
  try {
    for (let at = 0; at < body.length && !complete && length <= limit; at += STEP) {
      stream.push(body.subarray(at, at + STEP), at + STEP >= body.length);
    }
  } catch (error) {
    if (isInflateError(error)) return undefined;
    throw error;
  }
  if (length > limit) return "too long";
  return complete ? concatBytes(chunks) : undefined;
}

/**
 * Returns whether an error says that deflated data is damaged. Errors of `fflate` have codes, but some damage
 * causes a `RangeError` or a `TypeError` in it.
 */
export function isInflateError(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  return error instanceof Error && "code" in error && typeof error.code === "number";
}
