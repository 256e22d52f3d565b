import { WORTH_A_SLICE } from "../../io/byte-ranges.ts";
import { type ByteSink, type OutputPart, writePart } from "../../io/sink.ts";
import type { ByteSource } from "../../io/source.ts";
import { ByteWriter } from "../syntax/serializer.ts";

const CHUNK = 512 * 1024;
/** The first buffer is small, because many outputs are. */
const FIRST_CHUNK = 16 * 1024;
const PENDING_BYTES = 8 * 1024 * 1024;
const PENDING_PARTS = 256;

/** A part whose bytes are computed asynchronously. */
class Deferred {
  readonly kind = "deferred";
  readonly length: number;
  readonly #compute: () => Promise<Uint8Array>;
  #bytes: Promise<Uint8Array> | undefined;

  constructor(length: number, compute: () => Promise<Uint8Array>) {
    this.length = length;
    this.#compute = compute;
  }

  /** The bytes. The first access starts the computation. */
  get bytes(): Promise<Uint8Array> {
    if (this.#bytes === undefined) {
      this.#bytes = this.#compute();
      // Awaited in order. Until then a failure must not count as unhandled.
      this.#bytes.catch(() => undefined);
    }
    return this.#bytes;
  }
}

/**
 * Writes parts in order, while some of them are still being encrypted or decrypted. The lengths of parts are known in
 * advance, so the offsets are too. Limits the bytes of computations in flight.
 */
export class OrderedOutput {
  /** The buffer for short writes. */
  readonly text = new ByteWriter(FIRST_CHUNK);
  readonly #sink: ByteSink;
  readonly #waiting: (OutputPart | Deferred)[] = [];
  /** The deferred parts whose computation has not started, in order. */
  readonly #later: Deferred[] = [];
  /** The bytes of all deferred parts that are not in the sink yet. */
  #pendingBytes = 0;
  /** The bytes of those whose computation has started. */
  #bytesInFlight = 0;
  /** The bytes of all parts, in the sink or waiting. Excludes {@link text}. */
  #passed = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  /** The offset of the next byte. */
  get position(): number {
    return this.#passed + this.text.length;
  }

  /** Writes bytes that will not change. */
  write(bytes: Uint8Array): void {
    if (bytes.length < CHUNK) {
      this.text.raw(bytes);
      if (this.text.length >= CHUNK) this.#flushText();
      return;
    }
    this.#flushText();
    this.#push({ kind: "bytes", bytes }, bytes.length);
  }

  /** Copies a range of an input. */
  copy(source: ByteSource, start: number, end: number): void {
    if (end - start >= WORTH_A_SLICE) {
      this.#flushText();
      this.#push({ kind: "range", source, start, end }, end - start);
      return;
    }
    if (end > start) this.write(source.read(start, end));
  }

  /**
   * Writes exactly `length` bytes that `compute` returns.
   *
   * @param compute called once, in the order of the parts
   */
  defer(length: number, compute: () => Promise<Uint8Array>): void {
    this.#flushText();
    const part = new Deferred(length, compute);
    this.#pendingBytes += length;
    this.#push(part, length);
    this.#later.push(part);
    this.#begin();
  }

  /** Settles when few bytes wait. Call it between objects. */
  async drain(): Promise<void> {
    if (this.text.length >= CHUNK) this.#flushText();
    while (this.#pendingBytes > PENDING_BYTES || this.#waiting.length > PENDING_PARTS) {
      await this.#settle();
      await this.#drainSink();
    }
    await this.#drainSink();
  }

  /** Whether {@link drain} has work. Lets tight loops skip the await. */
  get backpressure(): boolean {
    return (
      this.text.length >= CHUNK ||
      this.#pendingBytes > PENDING_BYTES ||
      this.#waiting.length > PENDING_PARTS ||
      this.#sink.backpressure === true
    );
  }

  /** Settles when all bytes are in the sink. */
  async end(): Promise<void> {
    this.#flushText();
    while (this.#waiting.length > 0) {
      await this.#settle();
      await this.#drainSink();
    }
    this.text.end();
  }

  async #drainSink(): Promise<void> {
    if (this.#sink.backpressure) await this.#sink.drain?.();
  }

  /** Starts as many computations as may be in flight. */
  #begin(): void {
    let begun = 0;
    for (const part of this.#later) {
      if (this.#bytesInFlight >= PENDING_BYTES) break;
      void part.bytes;
      this.#bytesInFlight += part.length;
      begun++;
    }
    this.#later.splice(0, begun);
  }

  #flushText(): void {
    if (this.text.length === 0) return;
    const bytes = this.text.take();
    this.#push({ kind: "bytes", bytes }, bytes.length);
  }

  #push(part: OutputPart | Deferred, length: number): void {
    this.#passed += length;
    if (this.#waiting.length > 0 || part.kind === "deferred") this.#waiting.push(part);
    else writePart(this.#sink, part);
  }

  /** Passes on the first waiting part and the parts after it that need no computation. */
  async #settle(): Promise<void> {
    const first = this.#waiting[0];
    if (first?.kind === "deferred") {
      const bytes = await first.bytes;
      if (bytes.length !== first.length) throw new Error("a cipher returned a wrong number of bytes");
      this.#pendingBytes -= first.length;
      this.#bytesInFlight -= first.length;
      this.#sink.write(bytes);
      this.#waiting.shift();
      this.#begin();
    }
    let ready = 0;
    for (const part of this.#waiting) {
      if (part.kind === "deferred") break;
      writePart(this.#sink, part);
      ready++;
    }
    this.#waiting.splice(0, ready);
  }
}
