import { Inflate } from "fflate";
import { concatBytes } from "./concat-bytes.ts";

/** What is unpacked at a time: a bomb is seen after so much. */
const STEP = 16 * 1024;

/**
 * Unpacks zlib data (RFC 1950) that is small as a rule: a profile, a text, a small picture. Checksums are not looked
 * at, and what follows the data is ignored, as other readers do.
 *
 * @param limit in bytes
 * @returns undefined when the data is damaged or breaks off; `"too long"` when it unpacks to more than `limit` bytes
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
  // The header's two bytes say nothing that matters here.
  const body = data.subarray(2);
  try {
    for (let at = 0; at < body.length && !complete && length <= limit; at += STEP) {
      stream.push(body.subarray(at, at + STEP), at + STEP >= body.length);
    }
  } catch {
    return undefined;
  }
  if (length > limit) return "too long";
  return complete ? concatBytes(chunks) : undefined;
}
