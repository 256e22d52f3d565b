/**
 * Random access to a file's bytes, without holding the file. Reading is synchronous: a worker reads a Blob with
 * `FileReaderSync`, Node reads a buffer or a file descriptor.
 */
export interface ByteSource {
  /** The file's length in bytes. */
  readonly size: number;
  /**
   * The bytes from `start` to `end`, clamped to the file. What comes back stays valid and must not be written to:
   * it may be a view into a cache or into the caller's own buffer.
   */
  read(start: number, end: number): Uint8Array;
  /**
   * Says that of what is from `start` to `end`, only the beginning and the end will be read, and what stands around it.
   * Such stretches come in order.
   */
  glance?(start: number, end: number): void;
  /**
   * Says that the file is gone through in order and has come to `position`, so that what follows can be read while
   * others work. Worth waiting for when it gives a promise.
   */
  goOn?(position: number): Promise<void> | undefined;
  /** Worth waiting for before these bytes are read, when it gives a promise: they are being read already. */
  arrival?(start: number, end: number): Promise<void> | undefined;
}

/** A source over bytes that are in memory. */
export function bufferSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (start, end) => bytes.subarray(Math.max(0, start), Math.max(0, end)),
  };
}
