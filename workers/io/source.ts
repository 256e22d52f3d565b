/**
 * Random access to a file's bytes, without holding the file. Reading is synchronous: a worker reads a Blob with
 * `FileReaderSync`, Node reads a buffer or a file descriptor.
 */
export interface ByteSource {
  /** The file's length in bytes. */
  readonly size: number;
  /** The file. A sink takes slices of it without reading them. Absent when the bytes are in memory only. */
  readonly file?: Blob | undefined;
  /**
   * Returns the bytes from `start` to `end`, clamped to the file. They stay valid and must not be written to: they may
   * be a view into a cache or into the caller's own buffer.
   */
  read(start: number, end: number): Uint8Array;
  /** Drops the bytes that the source keeps for later reads. The source can still be read. */
  release?(): void;
}

/** A source over bytes that are in memory. */
export function bufferSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (start, end) => bytes.subarray(Math.max(0, start), Math.max(0, end)),
  };
}
