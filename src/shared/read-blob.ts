import { ServiceError } from "./errors.ts";
import { internalError } from "./failure.ts";

/**
 * Reads all bytes of a Blob.
 *
 * @throws {ServiceError} `damaged_file` if the browser cannot read it, `internal_error` where there is no browser
 */
export async function readBytes(file: Blob): Promise<ArrayBuffer> {
  // Chromium never finishes reading a Blob of a frame that is gone. Wrapped in a Blob of this realm, it can be read.
  const own = file instanceof Blob ? file : new Blob([file]);
  if (own.arrayBuffer === undefined)
    throw internalError(
      "Files cannot be read here. Use a browser.",
      "Blob.arrayBuffer is missing. In tests with jsdom, use createMockClient of stayput/testing.",
    );
  // Browsers reject with different errors, and none of them names the reason.
  return own.arrayBuffer().catch(() => {
    throw unreadableFile();
  });
}

/** Returns the error for an input that cannot be read any more, or that has become shorter. */
export function unreadableFile(): ServiceError {
  return new ServiceError(
    "damaged_file",
    "The file cannot be read: it was changed, moved or removed since it was chosen. Choose it again.",
  );
}

/**
 * Returns whether the browser has the bytes of a file. If a browser could not store a large Blob, only reading its last
 * byte shows that.
 */
export function isStored(file: Blob): Promise<boolean> {
  return readBytes(file.slice(-1)).then(
    ({ byteLength }) => byteLength === 1,
    () => false,
  );
}
