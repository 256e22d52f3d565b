import { createCipheriv } from "node:crypto";

/** Bytes that nothing can compress, the same for the same seed in every run. */
export function noise(seed: number, length: number): Buffer<ArrayBuffer> {
  const counter = Buffer.alloc(16);
  counter.writeUInt32BE(seed);
  const bytes = createCipheriv("aes-128-ctr", Buffer.alloc(16), counter).update(Buffer.alloc(length));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
