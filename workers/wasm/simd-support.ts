/** A module with one function that returns a vector. It is valid only where SIMD is supported. */
const VECTOR_MODULE = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 5, 1, 0x60, 0, 1, 0x7b],
  ...[3, 2, 1, 0],
  ...[10, 8, 1, 6, 0, 0x41, 0, 0xfd, 0x0f, 0x0b],
);

/** Whether the browser supports WebAssembly SIMD, which our JPEG encoder, HEVC decoder and resampler need, and the linked C libraries. */
export function supportsSimd(): boolean {
  return WebAssembly.validate(VECTOR_MODULE);
}
