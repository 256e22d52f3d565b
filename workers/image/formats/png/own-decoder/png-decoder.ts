import type { Size } from "../../../picture/size.ts";

/** What assembly/decoder.ts exports. */
interface Assembly {
  readonly memory: WebAssembly.Memory;
  start(across: number, bytes: number, down: number, most: number, input: number): number;
  bandAt(): number;
  rowsMade(): number;
  decode(end: number, isAll: boolean): number;
  keepInput(end: number): number;
  isWhole(end: number): number;
}

/** What `decode` comes to. The same numbers are in assembly/inflate.ts. */
const STEP = { hungry: 0, full: 1, ended: 2, damaged: 3 } as const;

// Where things are in its memory. The same numbers are in assembly/layout.ts.
const INPUT = 0x8000;
const INPUT_END = 0x28000;
/** As many zeros stand behind the input's end as may be looked at. */
const ZEROS = 2048;
const WASM_PAGE = 65_536;

/** How data is compressed, and a check of that (RFC 1950, 2.2). */
const HEAD_BYTES = 2;
const DEFLATE = 8;
const HAS_DICTIONARY = 0x20;

/** The pixels of a PNG: of 8 bits a sample, and not interlaced. */
export interface PngPixels extends Size {
  /** How many bytes each has: of red, green and blue, or of alpha, too. */
  readonly pixelBytes: 3 | 4;
}

/**
 * Decodes the pixels of PNGs as they come, in a memory of its own, of a band of them. It is strict: what is wrong in any
 * way is not decoded.
 */
export class PngDecoder {
  readonly #assembly: Assembly;
  #end = INPUT;

  constructor(module: WebAssembly.Module) {
    this.#assembly = assemblyOf(new WebAssembly.Instance(module));
  }

  /**
   * Decodes a picture. Nobody else may use this decoder meanwhile.
   *
   * @param compressed its compressed data, in pieces of pieces
   * @param bandRows how many rows a band has; the last one may have fewer
   * @returns bands of rows, of red, green, blue and alpha, or nothing, of each pixel; each is good until the next comes
   * @throws {Error} when anything is wrong with the data, which may be after the last band
   */
  async *decode(
    compressed: AsyncIterable<Iterable<Uint8Array>>,
    { width, height, pixelBytes }: PngPixels,
    bandRows: number,
  ): AsyncGenerator<Uint8ClampedArray<ArrayBuffer>> {
    this.#start({ width, height, pixelBytes }, bandRows);
    const bandsOf = (isAll: boolean) => this.#bands(4 * width, isAll);
    let isBegun = false;
    for await (const pieces of compressed) {
      for (const piece of pieces) {
        for (let at = 0; at < piece.length; ) {
          at += this.#take(piece.subarray(at));
          if (this.#end < INPUT_END - ZEROS) continue;
          isBegun = this.#checkHead(isBegun);
          yield* bandsOf(false);
          this.#end = this.#assembly.keepInput(this.#end);
          // There is more behind the compressed data's end.
          if (this.#end >= INPUT_END - ZEROS) throw damaged();
        }
      }
    }
    this.#checkHead(isBegun);
    this.#bytes(this.#end, ZEROS).fill(0);
    yield* bandsOf(true);
    if (this.#assembly.isWhole(this.#end) === 0) throw damaged();
  }

  #start({ width, height, pixelBytes }: PngPixels, bandRows: number): void {
    const { memory } = this.#assembly;
    const needed = this.#assembly.start(width, pixelBytes, height, bandRows, INPUT + HEAD_BYTES);
    const missing = needed - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE));
    // There is nothing above the first row.
    this.#bytes(this.#assembly.bandAt() - 4 * width, 4 * width).fill(0);
    this.#end = INPUT;
  }

  /** Takes compressed data, as much as there is room for, and says how much that is. */
  #take(bytes: Uint8Array): number {
    const some = bytes.subarray(0, INPUT_END - ZEROS - this.#end);
    this.#bytes(this.#end, some.length).set(some);
    this.#end += some.length;
    return some.length;
  }

  #checkHead(isChecked: boolean): true {
    const [way = 0, flags = 0] = this.#bytes(INPUT, HEAD_BYTES);
    const isUsual = (way & 0x0f) === DEFLATE && (flags & HAS_DICTIONARY) === 0;
    if (!isChecked && !(isUsual && (256 * way + flags) % 31 === 0)) throw damaged();
    return true;
  }

  *#bands(rowBytes: number, isAll: boolean): Generator<Uint8ClampedArray<ArrayBuffer>, void> {
    const assembly = this.#assembly;
    for (let step = assembly.decode(this.#end, isAll); ; step = assembly.decode(this.#end, isAll)) {
      if (step === STEP.damaged) throw damaged();
      if (step !== STEP.full) return;
      yield new Uint8ClampedArray(memoryOf(assembly), assembly.bandAt(), rowBytes * assembly.rowsMade());
    }
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(memoryOf(this.#assembly), at, length);
  }
}

function memoryOf({ memory }: Assembly): ArrayBuffer {
  return memory.buffer;
}

/** Nobody is told: whoever takes damaged files sees for itself what is wrong. */
function damaged(): Error {
  return new Error("a PNG's pixels cannot be decoded in bands");
}

function assemblyOf({ exports }: WebAssembly.Instance): Assembly {
  if (!isAssembly(exports)) throw new Error("png-decoder.wasm is another file");
  return exports;
}

function isAssembly(exports: object): exports is Assembly {
  const names = ["memory", "start", "bandAt", "rowsMade", "decode", "keepInput", "isWhole"];
  return names.every((name) => name in exports);
}
