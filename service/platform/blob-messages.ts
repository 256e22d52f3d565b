import type { Piece } from "./pieces.ts";
import { StoredBlob, StoredFile } from "./stored-blob.ts";

/** A message between threads. Its files are beside the value, so no plain data of a job can pass for a file. */
export interface BlobMessage {
  readonly value: unknown;
  readonly blobs: readonly PlacedBlob[];
}

/** A file of a message, as plain data. */
interface PlacedBlob {
  /** The keys that lead to its place in the value. */
  readonly at: readonly string[];
  readonly pieces: readonly Piece[];
  readonly type: string;
  readonly file: { readonly name: string; readonly lastModified: number } | undefined;
}

/** The deepest level of a message. Calls of comlink have their files on the sixth. */
const MOST_LEVELS = 16;

/**
 * Returns a message as data for a structured clone.
 *
 * @throws {DOMException} `DataCloneError` for a message with too many levels
 */
export function encodeMessage(message: unknown): BlobMessage {
  const blobs: PlacedBlob[] = [];
  return { value: withoutBlobs(message, [], blobs), blobs };
}

/** Returns the message that {@link encodeMessage} was given. */
export function decodeMessage({ value, blobs }: BlobMessage): unknown {
  const root = { value };
  for (const blob of blobs) put(root, ["value", ...blob.at], fromPlain(blob));
  return root.value;
}

function withoutBlobs(value: unknown, at: readonly string[], blobs: PlacedBlob[]): unknown {
  if (value instanceof StoredBlob) {
    const file =
      value instanceof StoredFile ? { name: value.name, lastModified: value.lastModified } : undefined;
    blobs.push({ at, pieces: value.pieces, type: value.type, file });
    return null;
  }
  const isList = Array.isArray(value);
  if (!isList && !isPlain(value)) return value;
  if (at.length >= MOST_LEVELS) throw new DOMException("The message has too many levels.", "DataCloneError");
  if (isList) return value.map((item, index) => withoutBlobs(item, [...at, String(index)], blobs));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutBlobs(item, [...at, key], blobs)]),
  );
}

function fromPlain({ pieces, type, file }: PlacedBlob): StoredBlob {
  const blob = StoredBlob.ofPieces(pieces, type);
  return file === undefined ? blob : new StoredFile([blob], file.name, { ...file, type });
}

function put(root: object, at: readonly string[], blob: StoredBlob): void {
  let owner: unknown = root;
  for (const key of at.slice(0, -1)) owner = Object(owner)[key];
  Object(owner)[at.at(-1) ?? ""] = blob;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
