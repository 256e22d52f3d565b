/**
 * V8 looks after buffers that are used no more when a script makes one, not when WebCrypto or a reader does, and the
 * sooner the larger that is. This much is never touched and so takes no memory; before it looks by itself, 60 MB pile
 * up in each worker.
 */
const REMINDER = 48 * 1024 * 1024;

/** The browser is reminded after so much: after twice as much, 210 MB of scans take 15 MB more. */
const COLLECTED_AT = 8 * 1024 * 1024;
let uncollected = 0;

/** Has the browser free buffers that are used no more. Call it after every few megabytes that have become so. */
export function requestGc(): void {
  try {
    // What is not used builds leave out.
    if (new ArrayBuffer(REMINDER).byteLength < REMINDER) throw new RangeError("there is not so much room");
  } catch {
    // Whoever needs room will say so.
  }
}

/** Says that a buffer of so many bytes is used no more; the browser frees it together with others. */
export function discard(bytes: number): void {
  uncollected += bytes;
  if (uncollected < COLLECTED_AT) return;
  uncollected = 0;
  requestGc();
}
