import { Lexer } from "../syntax/lexer.ts";
import type { ObjectSource, PdfDict, PdfObject } from "../syntax/objects.ts";
import { parseObject } from "../syntax/parser.ts";
import type { WorkMeter } from "./work-budget.ts";

/** An object stream may hold this many objects; real ones hold some hundreds. */
const OBJECT_LIMIT = 1_000_000;

/** An object in an object stream. */
interface PackedObject {
  readonly value: PdfObject;
  /** Its length in bytes. */
  readonly parsed: number;
}

/** An unpacked object stream (ISO 32000-2, 7.5.7). */
export class ObjectStream {
  /** The numbers of the objects inside, in order. */
  readonly numbers: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #source: ObjectSource;
  readonly #offsets: Float64Array;

  /**
   * @param bytes the stream's decoded data
   * @param source the file that references in its objects lead to
   * @param budget charged with the heading
   */
  constructor(dict: PdfDict, bytes: Uint8Array, source: ObjectSource, budget: WorkMeter) {
    const first = dict.integer("First") ?? 0;
    // Each entry of the heading takes at least four bytes.
    const most = Math.min(OBJECT_LIMIT, bytes.length >> 2);
    const count = Math.max(0, Math.min(dict.integer("N") ?? 0, most));
    const numbers = new Int32Array(count);
    const offsets = new Float64Array(count);
    const lexer = new Lexer(bytes);
    let found = 0;
    for (; found < count; found++) {
      const num = lexer.next();
      const offset = lexer.next();
      if (typeof num !== "number" || typeof offset !== "number") break;
      numbers[found] = num;
      offsets[found] = first + offset;
    }
    budget.charge("keptEntry", found);
    this.numbers = numbers.subarray(0, found);
    this.#offsets = offsets;
    this.#bytes = bytes;
    this.#source = source;
  }

  /**
   * Returns the object `num`; undefined when it is not in the stream.
   *
   * @param index its likely index in the stream
   * @param budget charged with the read
   * @throws MalformedObject when it is too large or nests too deep
   */
  object(num: number, index: number, budget: WorkMeter): PackedObject | undefined {
    const at = this.#offsets[this.numbers[index] === num ? index : this.#indexOf(num, budget)];
    if (at === undefined) return undefined;
    const lexer = new Lexer(this.#bytes, at);
    try {
      const value = parseObject(lexer, budget, this.#source);
      return { value, parsed: lexer.at - at };
    } finally {
      budget.charge("byte", lexer.at - at);
    }
  }

  /** Finds an object when the cross-reference has a wrong index. */
  #indexOf(num: number, budget: WorkMeter): number {
    budget.charge("byte", this.numbers.length);
    return this.numbers.lastIndexOf(num);
  }
}
