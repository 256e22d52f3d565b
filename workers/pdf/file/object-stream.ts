import { Lexer } from "../syntax/lexer.ts";
import { integerOf, type PdfDict, type PdfObject } from "../syntax/objects.ts";
import { MalformedObject, parseObject } from "../syntax/parser.ts";

/** An unpacked object stream (ISO 32000-2, 7.5.7). */
export class ObjectStream {
  /** The numbers of the objects inside, in order. */
  readonly numbers: readonly number[];
  readonly #bytes: Uint8Array;
  readonly #offsets: readonly number[];

  /** @param bytes the stream's decoded data */
  constructor(dict: PdfDict, bytes: Uint8Array) {
    const count = integerOf(dict.get("N")) ?? 0;
    const first = integerOf(dict.get("First")) ?? 0;
    const numbers: number[] = [];
    const offsets: number[] = [];
    const lexer = new Lexer(bytes);
    for (let index = 0; index < count; index++) {
      const num = lexer.next();
      const offset = lexer.next();
      if (typeof num !== "number" || typeof offset !== "number") break;
      numbers.push(num);
      offsets.push(first + offset);
    }
    this.numbers = numbers;
    this.#offsets = offsets;
    this.#bytes = bytes;
  }

  /** The object with the number `num`, at `index` if it is there; undefined when it is not in the stream. */
  object(num: number, index: number): PdfObject | undefined {
    const at = this.#offsets[this.numbers[index] === num ? index : this.numbers.lastIndexOf(num)];
    if (at === undefined) return undefined;
    try {
      return parseObject(new Lexer(this.#bytes, at));
    } catch (error) {
      if (error instanceof MalformedObject) return null;
      throw error;
    }
  }

  /** Bytes that it holds in memory. */
  get size(): number {
    return this.#bytes.length;
  }
}

/** Unpacked object streams are kept up to this many bytes together. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** The object streams that were unpacked lately, by object number. */
export class UnpackedObjectStreams {
  readonly #streams = new Map<number, ObjectStream>();
  #bytes = 0;

  get(num: number): ObjectStream | undefined {
    return this.#streams.get(num);
  }

  /** Keeps a stream, and lets the oldest go when that makes too many. */
  keep(num: number, stream: ObjectStream): void {
    this.#bytes += stream.size;
    for (const [oldest, { size }] of this.#streams) {
      if (this.#bytes <= KEPT_BYTES) break;
      this.#streams.delete(oldest);
      this.#bytes -= size;
    }
    this.#streams.set(num, stream);
  }

  clear(): void {
    this.#streams.clear();
    this.#bytes = 0;
  }
}
