import type { ByteSink, RangeCipher, RangeEncryptor } from "../../io/sink.ts";
import type { ByteSource } from "../../io/source.ts";
import { BLOCK, encryptedLength } from "../security/web-crypto.ts";
import { ByteWriter } from "../syntax/serializer.ts";

/** Ranges of the input from this size on are passed through without being read: a slice costs more than a small read. */
const SLICE_FROM = 256 * 1024;
const CHUNK = 512 * 1024;
/** What is taken at first: many outputs are small. */
const FIRST_CHUNK = 16 * 1024;
/** Ranges that must be read are read in parts of this size. */
const READ_STEP = 4 * 1024 * 1024;
const PENDING_BYTES = 8 * 1024 * 1024;
const PENDING_PARTS = 256;

type OutputPart =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "copy"; readonly start: number; readonly end: number }
  | {
      readonly kind: "encrypted";
      readonly start: number;
      readonly end: number;
      readonly cipher: RangeCipher;
      readonly by: RangeEncryptor;
    }
  | Deferred;

/** A part that is computed. */
class Deferred {
  readonly kind = "deferred";
  readonly length: number;
  readonly #compute: () => Promise<Uint8Array>;
  #bytes: Promise<Uint8Array> | undefined;

  constructor(length: number, compute: () => Promise<Uint8Array>) {
    this.length = length;
    this.#compute = compute;
  }

  /** What it gives. It begins when this is first asked for. */
  get bytes(): Promise<Uint8Array> {
    if (this.#bytes === undefined) {
      this.#bytes = this.#compute();
      // Awaited in its turn: until then a failure must not count as unhandled.
      this.#bytes.catch(() => undefined);
    }
    return this.#bytes;
  }
}

/**
 * An output in order, some parts of which are still being computed (several ciphers in flight). Their lengths are
 * known beforehand, so that offsets are, too. No more of them are in flight than memory has room for.
 */
export class OrderedOutput {
  /** What small things are written into. */
  readonly text = new ByteWriter(FIRST_CHUNK);
  readonly #source: ByteSource;
  readonly #sink: ByteSink;
  readonly #waiting: OutputPart[] = [];
  /** Pieces that have not begun, in order. */
  readonly #later: Deferred[] = [];
  #pendingBytes = 0;
  #bytesInFlight = 0;
  #passed = 0;

  constructor(source: ByteSource, sink: ByteSink) {
    this.#source = source;
    this.#sink = sink;
  }

  /** The offset of whatever is written next. */
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

  /** Writes a range of the input as it is. */
  copy(start: number, end: number): void {
    if (end - start >= SLICE_FROM) {
      this.#flushText();
      this.#push({ kind: "copy", start, end }, end - start);
      return;
    }
    for (let at = start; at < end; at += READ_STEP) {
      this.write(this.#source.read(at, Math.min(end, at + READ_STEP)));
    }
  }

  /**
   * Writes a range of the input encrypted, without the initialization vector, when the sink does that.
   *
   * @returns whether it does
   */
  copyEncrypted(start: number, end: number, cipher: RangeCipher): boolean {
    const by = this.#sink.encryptor;
    if (by === undefined || end - start < by.from) return false;
    this.#flushText();
    this.#push({ kind: "encrypted", start, end, cipher, by }, encryptedLength(end - start) - BLOCK);
    return true;
  }

  /**
   * Writes exactly `length` bytes that are still to come.
   *
   * @param compute is called once, and in the order of the parts
   */
  defer(length: number, compute: () => Promise<Uint8Array>): void {
    this.#flushText();
    const part = new Deferred(length, compute);
    this.#pendingBytes += length;
    this.#push(part, length);
    this.#later.push(part);
    this.#begin();
  }

  /** Waits until there is room for more; call it between objects. */
  async drain(): Promise<void> {
    if (this.text.length >= CHUNK) this.#flushText();
    while (this.#pendingBytes > PENDING_BYTES || this.#waiting.length > PENDING_PARTS) {
      await this.#settle();
      await this.#drainSink();
    }
    await this.#drainSink();
  }

  /** Whether {@link drain} has anything to do, for loops that are too tight to await every time. */
  get backpressure(): boolean {
    return (
      this.text.length >= CHUNK ||
      this.#pendingBytes > PENDING_BYTES ||
      this.#waiting.length > PENDING_PARTS ||
      this.#sink.backpressure === true
    );
  }

  /** Waits until all is in the sink. */
  async end(): Promise<void> {
    this.#flushText();
    while (this.#waiting.length > 0) {
      await this.#settle();
      await this.#drainSink();
    }
    this.text.end();
    await this.#sink.end?.();
  }

  async #drainSink(): Promise<void> {
    if (this.#sink.backpressure) await this.#sink.drain?.();
  }

  /** Begins with as many parts as may be in flight. */
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

  #push(part: OutputPart, length: number): void {
    this.#passed += length;
    if (this.#waiting.length > 0 || part.kind === "deferred") this.#waiting.push(part);
    else this.#pass(part);
  }

  #pass(part: Exclude<OutputPart, { kind: "deferred" }>): void {
    if (part.kind === "bytes") this.#sink.write(part.bytes);
    else if (part.kind === "copy") this.#sink.copy(part.start, part.end);
    else part.by.take(part.start, part.end, part.cipher);
  }

  /** Passes on the first part that waits and all behind it that need not. */
  async #settle(): Promise<void> {
    const first = this.#waiting[0];
    if (first?.kind === "deferred") {
      const bytes = await first.bytes;
      if (bytes.length !== first.length) throw new Error("a cipher gave another length than it should");
      this.#pendingBytes -= first.length;
      this.#bytesInFlight -= first.length;
      this.#sink.write(bytes);
      this.#waiting.shift();
      this.#begin();
    }
    let ready = 0;
    for (const part of this.#waiting) {
      if (part.kind === "deferred") break;
      this.#pass(part);
      ready++;
    }
    this.#waiting.splice(0, ready);
  }
}
