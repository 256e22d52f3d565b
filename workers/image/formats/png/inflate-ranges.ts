import { Inflate } from "fflate";
import { ServiceError } from "../../../../src/shared/errors.ts";
import { type BytePart, partLength } from "../../../io/byte-ranges.ts";
import type { ByteSource } from "../../../io/source.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The compressed bytes per step. Pieces are often smaller. */
const STEP = 128 * 1024;
/** After this many steps without output, the stream has ended. */
const BARREN_STEPS = 16;

/** Decompresses a zlib stream that is scattered over a file, step by step. A truncated stream gives what it holds. */
export async function* inflatePieces(
  source: ByteSource,
  pieces: readonly BytePart[],
): AsyncGenerator<Uint8Array, void, undefined> {
  let given = 0;
  try {
    for await (const chunk of inflateStrictly(source, pieces)) {
      given += chunk.length;
      yield chunk;
    }
  } catch (thrown) {
    // The file could not be read. The data may be fine.
    if (thrown instanceof ServiceError) throw thrown;
    // `DecompressionStream` requires the end of the data and the checksum, and may hold back output. PNG readers do
    // not.
    yield* inflateLeniently(stepsOf(source, pieces), given);
  }
}

/**
 * Decompresses a sound stream.
 *
 * @throws {ServiceError} when reading the file fails
 * @throws {TypeError} for a truncated stream, a wrong checksum, or data after the stream
 */
export async function* inflateStrictly(
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
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Decompresses by fflate, as far as possible, and skips what was given already. */
function* inflateLeniently(steps: Iterable<Bytes>, given: number): Generator<Uint8Array, void, undefined> {
  let ready: Uint8Array[] = [];
  let toSkip = given;
  let barren = 0;
  let header = 2;
  const stream = new Inflate((chunk) => {
    const skipped = Math.min(toSkip, chunk.length);
    toSkip -= skipped;
    if (chunk.length > 0) barren = 0;
    if (chunk.length > skipped) ready.push(chunk.subarray(skipped));
  });
  for (const step of steps) {
    let isDamaged = false;
    barren++;
    try {
      stream.push(step.subarray(header));
    } catch (thrown) {
      // fflate's errors have a code.
      if (!(thrown instanceof Error && "code" in thrown)) throw thrown;
      isDamaged = true;
    }
    header = Math.max(0, header - step.length);
    yield* ready;
    ready = [];
    if (isDamaged || barren === BARREN_STEPS) return;
  }
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
