/** What stops reading where the syntax goes another way than is followed here. */
export class UnsupportedBitstream extends Error {}

/** Reads the bits of a NAL unit's payload (ITU-T H.265, 7.2), without the bytes that prevent start codes. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  /** @param bytes see {@link payloadOf} */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** How many whole bytes have been begun. */
  get bytesRead(): number {
    return Math.ceil(this.#at / 8);
  }

  /** A number of up to 32 bits. */
  bits(count: number): number {
    let value = 0;
    for (let read = 0; read < count; read++) value = value * 2 + this.#bit();
    return value;
  }

  flag(): boolean {
    return this.#bit() === 1;
  }

  /** A number as the Exp-Golomb code has it (9.2), of at most 32 bits. */
  unsigned(): number {
    let zeros = 0;
    while (this.#bit() === 0) {
      zeros++;
      if (zeros > 32) throw new UnsupportedBitstream("a number is too long");
    }
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** The same with a sign (9.2.2). */
  signed(): number {
    const code = this.unsigned();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }

  /** A number that has to be within limits for what is decoded here. */
  within(least: number, most: number, value: number): number {
    if (value < least || value > most)
      throw new UnsupportedBitstream(`${value} is not from ${least} to ${most}`);
    return value;
  }

  skip(count: number): void {
    this.#at += count;
    if (this.#at > 8 * this.#bytes.length) throw new UnsupportedBitstream("it is cut off");
  }

  #bit(): number {
    const byte = this.#bytes[this.#at >> 3];
    if (byte === undefined) throw new UnsupportedBitstream("it is cut off");
    return (byte >> (7 - (this.#at++ & 7))) & 1;
  }
}

/** What a NAL unit holds, without the bytes that keep start codes from standing in it (7.3.1.1). */
export function payloadOf(unit: Uint8Array): Uint8Array<ArrayBuffer> {
  const payload = new Uint8Array(unit.length);
  let length = 0;
  let from = 0;
  for (;;) {
    const at = escapeIn(unit, from);
    payload.set(unit.subarray(from, at), length);
    length += at - from;
    if (at >= unit.length) return payload.subarray(0, length);
    from = at + 1;
  }
}

/** Where the next 3 behind two zeros stands. */
function escapeIn(unit: Uint8Array, from: number): number {
  for (let at = unit.indexOf(3, from); at >= 0; at = unit.indexOf(3, at + 1)) {
    // Zeros before an escaped byte that was left out do not count for the next one.
    if (at >= from + 2 && unit[at - 1] === 0 && unit[at - 2] === 0) return at;
  }
  return unit.length;
}
