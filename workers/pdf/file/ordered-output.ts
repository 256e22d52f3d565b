import type { ByteSink, RangeCipher, RangeEncryptor } from "../../io/sink.ts";
import type { ByteSource } from "../../io/source.ts";
import { BLOCK, encryptedLength } from "../security/web-crypto.ts";
import { ByteWriter } from "../syntax/serializer.ts";

/** Ranges of the input from this size on are passed through without being read: a slice costs more than a small read. */
const SLICE_FROM = 256 * 1024;
const CHUNK = 512 * 1024;
/** What is taken at first: many outputs are small. */
const FIRST_CHUNK = 16 * 1024;
/** Ranges that must be read are read in pieces of this size. */
const READ_STEP = 4 * 1024 * 1024;
const PENDING_BYTES = 8 * 1024 * 1024;
const PENDING_PIECES = 256;

type BytePart =
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

/** A piece that is computed. */
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
 * An output in order, some pieces of which are still being computed (several ciphers in flight). Their lengths are
 * known beforehand, so that offsets are, too. No more of them are in flight than memory has room for.
 */
export class OrderedOutput {
  /** What small things are written into. */
  readonly text = new ByteWriter(FIRST_CHUNK);
  readonly #source: ByteSource;
  readonly #sink: ByteSink;
  readonly #waiting: BytePart[] = [];
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
   * @param compute is called once, and in the order of the pieces
   */
  defer(length: number, compute: () => Promise<Uint8Array>): void {
    this.#flushText();
    const piece = new Deferred(length, compute);
    this.#pendingBytes += length;
    this.#push(piece, length);
    this.#later.push(piece);
    this.#begin();
  }

  /** Waits until there is room for more; call it between objects. */
  async room(): Promise<void> {
    if (this.text.length >= CHUNK) this.#flushText();
    while (this.#pendingBytes > PENDING_BYTES || this.#waiting.length > PENDING_PIECES) {
      await this.#settle();
      await this.#sinkRoom();
    }
    await this.#sinkRoom();
  }

  /** Whether {@link room} has anything to do, for loops that are too tight to await every time. */
  get full(): boolean {
    return (
      this.text.length >= CHUNK ||
      this.#pendingBytes > PENDING_BYTES ||
      this.#waiting.length > PENDING_PIECES ||
      this.#sink.full === true
    );
  }

  /** Waits until all is in the sink. */
  async end(): Promise<void> {
    this.#flushText();
    while (this.#waiting.length > 0) {
      await this.#settle();
      await this.#sinkRoom();
    }
    this.text.end();
    await this.#sink.end?.();
  }

  async #sinkRoom(): Promise<void> {
    if (this.#sink.full) await this.#sink.room?.();
  }

  /** Begins with as many pieces as may be in flight. */
  #begin(): void {
    let begun = 0;
    for (const piece of this.#later) {
      if (this.#bytesInFlight >= PENDING_BYTES) break;
      void piece.bytes;
      this.#bytesInFlight += piece.length;
      begun++;
    }
    this.#later.splice(0, begun);
  }

  #flushText(): void {
    if (this.text.length === 0) return;
    const bytes = this.text.take();
    this.#push({ kind: "bytes", bytes }, bytes.length);
  }

  #push(piece: BytePart, length: number): void {
    this.#passed += length;
    if (this.#waiting.length > 0 || piece.kind === "deferred") this.#waiting.push(piece);
    else this.#pass(piece);
  }

  #pass(piece: Exclude<BytePart, { kind: "deferred" }>): void {
    if (piece.kind === "bytes") this.#sink.write(piece.bytes);
    else if (piece.kind === "copy") this.#sink.copy(piece.start, piece.end);
    else piece.by.take(piece.start, piece.end, piece.cipher);
  }

  /** Passes on the first piece that waits and all behind it that need not. */
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
    for (const piece of this.#waiting) {
      if (piece.kind === "deferred") break;
      this.#pass(piece);
      ready++;
    }
    this.#waiting.splice(0, ready);
  }
}
