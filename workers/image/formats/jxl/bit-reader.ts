import { damagedImage } from "../image-errors.ts";

/** A distribution of {@link BitReader.u32}: the smallest value, and the number of bits that are added to it. */
type Distribution = readonly [smallest: number, bits: number];

/** Reads bits, the lowest bit of a byte first (ISO/IEC 18181-1, annex B). Throws `damaged_file` at the end. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Reads an unsigned number of at most 32 bits. */
  u(bits: number): number {
    let value = 0;
    for (let read = 0; read < bits; read++, this.#at++) {
      const byte = this.#bytes[this.#at >> 3];
      if (byte === undefined) throw damagedJxl("its header is cut off");
      value += ((byte >> (this.#at & 7)) & 1) * 2 ** read;
    }
    return value;
  }

  bool(): boolean {
    return this.u(1) === 1;
  }

  /** Reads a number after two bits that select its distribution. */
  u32(...distributions: readonly [Distribution, Distribution, Distribution, Distribution]): number {
    const [smallest, bits] = distributions[this.u(2)] ?? [0, 0];
    return smallest + this.u(bits);
  }

  /** Reads the number of a name in an enumeration. */
  enumeration(): number {
    return this.u32([0, 0], [1, 0], [2, 4], [18, 6]);
  }
}

/** Returns the error for a damaged file. `what` completes the sentence. */
export const damagedJxl = (what: string) => damagedImage("JPEG XL", what);
