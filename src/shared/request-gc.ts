/**
 * Allocating a large ArrayBuffer prompts V8 to collect unused ones. Buffers that WebCrypto or a reader allocates do not.
 * The buffer is never written to, so it takes no memory. Without it, 60 MB of unused buffers pile up in each worker.
 */
const PROMPT = 48 * 1024 * 1024;

/** Prompts the browser to free unused buffers and Blobs. Call it after many bytes that are no longer used. */
export function requestGc(): void {
  try {
    // Reading the length keeps minifiers from removing the allocation.
    if (new ArrayBuffer(PROMPT).byteLength < PROMPT) throw new RangeError("there is not so much room");
  } catch (thrown) {
    // There is no memory for the buffer. V8 has then collected already.
    if (!(thrown instanceof RangeError)) throw thrown;
  }
}
