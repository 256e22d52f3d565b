import { sha256 } from "@noble/hashes/sha2.js";
import type { Place } from "./choose-converter.ts";
import type { Downloads, Origin, ServiceResult } from "./downloads.ts";
import { readBytes } from "./shared/read-blob.ts";
import { VERSION } from "./shared/version.ts";

/** The record of one call, as plain data for logs: the operation, and hashes of files. It holds no names of files and no passwords. */
export interface Receipt {
  /** The method of the client. */
  readonly operation: Origin["operation"];
  /** Where the result was made. `"sealed"`: on the device, in a worker that could send nothing. */
  readonly place: Place | "sealed";
  /** The version of Stayput. */
  readonly version: string;
  /** The files of the call, in order. */
  readonly inputs: readonly FileDigest[];
  /** The file of the result. Absent if it is at the remote service (`remoteDownloads: "link"`). */
  readonly output?: FileDigest;
}

/** Identifies a file. */
export interface FileDigest {
  /** The length in bytes. */
  readonly size: number;
  /** The SHA-256 in hexadecimal digits. */
  readonly sha256: string;
}

/** How much of a file is read at a time. Hashing so much takes the page about 10 ms. */
const PIECE_BYTES = 1 << 20;

/**
 * Computes the receipt of a result.
 *
 * @throws {ServiceError} `invalid_parameter` for a result that is released, or that is not of this client; `damaged_file` if an
 *   input has changed or gone since the call
 */
export async function receiptOf(
  result: Pick<ServiceResult, "download_url">,
  downloads: Downloads,
): Promise<Receipt> {
  const { operation, place, inputs, output } = downloads.originOf(result);
  const digests: FileDigest[] = [];
  for (const input of inputs) digests.push(await digestOf(input));
  return {
    operation,
    place,
    version: VERSION,
    inputs: digests,
    ...(output !== undefined && { output: await digestOf(output) }),
  };
}

/** Hashes a file in pieces: WebCrypto would need all of it in memory, and a secure context. */
async function digestOf(file: Blob): Promise<FileDigest> {
  const hash = sha256.create();
  for (let at = 0; at < file.size; at += PIECE_BYTES)
    hash.update(new Uint8Array(await readBytes(file.slice(at, at + PIECE_BYTES))));
  const digits = Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, "0"));
  return { size: file.size, sha256: digits.join("") };
}
