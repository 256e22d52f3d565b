import { type FileHandle, open } from "node:fs/promises";
import { lengthOf, notReadable, type Piece } from "./pieces.ts";
import type { StoredBlob } from "./stored-blob.ts";

/** How many bytes are in memory at once. */
const STEP = 1024 * 1024;

/**
 * Writes a file to disk, in steps.
 *
 * @param path of a file that does not exist. A part of it stays when this rejects
 * @throws the reason of the signal, the error of the file system, or the `NotReadableError` of a file that became shorter
 */
export async function saveBlob(blob: StoredBlob, path: string, signal?: AbortSignal): Promise<void> {
  const target = await open(path, "wx", 0o600);
  try {
    const buffer = new Uint8Array(Math.min(STEP, blob.size));
    for (const piece of blob.pieces) await writePiece(target, piece, buffer, signal);
  } finally {
    await target.close();
  }
}

async function writePiece(
  target: FileHandle,
  piece: Piece,
  buffer: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (piece.kind === "bytes") return target.writeFile(piece.bytes);
  const source = await open(piece.path, "r");
  try {
    const length = lengthOf(piece);
    for (let done = 0; done < length; ) {
      signal?.throwIfAborted();
      const { bytesRead } = await source.read(
        buffer,
        0,
        Math.min(buffer.length, length - done),
        piece.start + done,
      );
      if (bytesRead === 0) throw notReadable();
      // Each write begins where the last one ended.
      await target.writeFile(buffer.subarray(0, bytesRead));
      done += bytesRead;
    }
  } finally {
    await source.close();
  }
}
