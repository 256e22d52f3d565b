import { closeSync, openSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A part of a file: bytes in memory, or a range of a file on disk. */
export type Piece =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "range"; readonly path: string; readonly start: number; readonly end: number };

/** From this length on, new bytes are written to disk, if there is a folder for them. */
const WORTH_A_FILE = 1024 * 1024;

let folder: string | undefined;
let fileCount = 0;

/**
 * Sets the folder for new bytes of this thread. Without one, they stay in memory.
 *
 * @param path an existing folder, which other threads must not use
 */
export function storeIn(path: string): void {
  folder = path;
}

/** Returns new bytes as pieces: one range of a new file, or copies in memory. */
export function newPieces(chunks: readonly Uint8Array[]): Piece[] {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (folder === undefined || length < WORTH_A_FILE)
    return chunks
      .filter((chunk) => chunk.length > 0)
      .map((chunk) => ({ kind: "bytes", bytes: Uint8Array.from(chunk) }));
  const path = join(folder, `blob-${++fileCount}`);
  const file = openSync(path, "wx");
  try {
    // Each write begins where the last one ended.
    for (const chunk of chunks) writeFileSync(file, chunk);
  } finally {
    closeSync(file);
  }
  return [{ kind: "range", path, start: 0, end: length }];
}

export function lengthOf(piece: Piece): number {
  return piece.kind === "bytes" ? piece.bytes.length : piece.end - piece.start;
}

/** Returns the bytes `start` to `end` of a list of pieces. */
export function sliceOf(pieces: readonly Piece[], start: number, end: number): Piece[] {
  const cut: Piece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const length = lengthOf(piece);
    const from = Math.max(0, start - at);
    const to = Math.min(length, end - at);
    if (from < to) cut.push(partOf(piece, from, to));
    at += length;
  }
  return cut;
}

/** Joins ranges that follow each other. The result of a long job has many of them. */
export function joined(pieces: readonly Piece[]): Piece[] {
  const list: Piece[] = [];
  for (const piece of pieces) {
    const last = list.at(-1);
    const continues =
      last?.kind === "range" &&
      piece.kind === "range" &&
      last.path === piece.path &&
      last.end === piece.start;
    if (continues) list[list.length - 1] = { ...last, end: piece.end };
    else list.push(piece);
  }
  return list;
}

/**
 * Reads pieces into memory.
 *
 * @throws {DOMException} `NotReadableError` for a file that is gone or has become shorter
 */
export function readPieces(pieces: readonly Piece[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    const end = at + lengthOf(piece);
    if (piece.kind === "bytes") bytes.set(piece.bytes, at);
    else readRange(piece.path, piece.start, bytes.subarray(at, end));
    at = end;
  }
  return bytes;
}

/** Returns the error of a file that cannot be read. Its path stays out of the message, which may reach the caller. */
export function notReadable(cause?: unknown): DOMException {
  const error = new DOMException("The file could not be read.", "NotReadableError");
  return cause === undefined ? error : Object.assign(error, { cause });
}

function partOf(piece: Piece, from: number, to: number): Piece {
  if (piece.kind === "bytes") return { kind: "bytes", bytes: piece.bytes.subarray(from, to) };
  return { ...piece, start: piece.start + from, end: piece.start + to };
}

function readRange(path: string, start: number, target: Uint8Array): void {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    let done = 0;
    while (done < target.length) {
      const count = readSync(file, target, done, target.length - done, start + done);
      if (count === 0) throw new Error("the file has become shorter");
      done += count;
    }
  } catch (thrown) {
    throw notReadable(thrown);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
