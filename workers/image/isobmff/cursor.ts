import { ServiceError } from "../../../src/shared/errors.ts";

/** Returns the error for a damaged HEIF file. `what` completes the sentence. */
export function damagedHeif(what: string): ServiceError {
  return new ServiceError("damaged_file", `The HEIC file is damaged: ${what}. Try another copy of it.`);
}

/** Reads big-endian values in sequence. Throws `damaged_file` at its end. */
export class Cursor {
  readonly #view: DataView<ArrayBuffer>;
  readonly #start: number;
  #at = 0;

  /** @param start the offset of the bytes in the file */
  constructor(bytes: Uint8Array<ArrayBuffer>, start: number) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#start = start;
  }

  /** The number of bytes left. */
  get left(): number {
    return this.#view.byteLength - this.#at;
  }

  /** The offset of the next byte in the file. */
  get position(): number {
    return this.#start + this.#at;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2));
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4));
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4));
  }

  /** Reads a 64-bit number. In a file that a browser can hold, it is an exact JavaScript number. */
  u64(): number {
    const value = this.#view.getBigUint64(this.#take(8));
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damagedHeif("it names a place far beyond any file");
    return Number(value);
  }

  /** Reads a number of 0, 4 or 8 bytes, as in the item location box. */
  sized(bytes: number): number {
    if (bytes === 0) return 0;
    if (bytes === 4) return this.u32();
    if (bytes === 8) return this.u64();
    throw damagedHeif(`it stores numbers in ${bytes} bytes`);
  }

  /** Reads four characters: the type of a box, an item or a color space. */
  fourCC(): string {
    return String.fromCharCode(...this.bytes(4));
  }

  /** Reads text up to a zero byte or the end. */
  text(): string {
    const [text = ""] = new TextDecoder("latin1").decode(this.bytes(this.left)).split("\0", 1);
    return text;
  }

  /** Returns a view of the next bytes. */
  bytes(length: number): Uint8Array<ArrayBuffer> {
    const at = this.#take(length);
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, length);
  }

  /** Returns a cursor over the next bytes and skips them here. */
  part(length: number): Cursor {
    const start = this.position;
    return new Cursor(this.bytes(length), start);
  }

  skip(length: number): void {
    this.#take(length);
  }

  #take(length: number): number {
    if (length > this.left) throw damagedHeif("a part of it is cut off");
    const at = this.#at;
    this.#at += length;
    return at;
  }
}
