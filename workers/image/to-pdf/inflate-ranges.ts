import { ServiceError } from "../../../src/shared/errors.ts";
import { type BytePart, partLength } from "../../io/byte-ranges.ts";
import type { ByteSource } from "../../io/source.ts";
import { damagedPng } from "../formats/png/read-png.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The compressed bytes per step. Pieces are often smaller. */
const STEP = 128 * 1024;

/**
 * Decompresses a zlib stream that is scattered over a file, step by step.
 *
 * @throws {ServiceError} `damaged_file` for a truncated stream, a wrong checksum, or data after the stream; or when
 *   reading the file fails
 */
export async function* inflatePieces(
  source: ByteSource,
  pieces: readonly BytePart[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const compressed = stepsOf(source, pieces);
  const stream = new ReadableStream<Bytes>({
    pull(controller) {
      const { done, value } = compressed.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const reader = stream.pipeThrough(new DecompressionStream("deflate")).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(orDamage);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function orDamage(thrown: unknown): never {
  throw thrown instanceof ServiceError ? thrown : damagedPng("its pixels are cut off or make no sense");
}

/** Yields the compressed bytes. Joins small pieces. */
function* stepsOf(source: ByteSource, pieces: readonly BytePart[]): Generator<Bytes, void, undefined> {
  let step = new Uint8Array(STEP);
  let used = 0;
  for (const piece of pieces) {
    const length = partLength(piece);
    for (let at = 0; at < length; ) {
      const taken = Math.min(length - at, STEP - used);
      step.set(
        piece.kind === "bytes"
          ? piece.bytes.subarray(at, at + taken)
          : source.read(piece.start + at, piece.start + at + taken),
        used,
      );
      at += taken;
      used += taken;
      if (used < STEP) continue;
      yield step;
      step = new Uint8Array(STEP);
      used = 0;
    }
  }
  if (used > 0) yield step.subarray(0, used);
}
