/** The bitstream is damaged, or coded in a way that this decoder does not support. README.md says what it supports. */
export class UnsupportedBitstream extends Error {}

/** Throws unless a value is within limits. */
export function inRange(value: number, min: number, max: number): number {
  if (value < min || value > max) throw new UnsupportedBitstream(`${value} is not from ${min} to ${max}`);
  return value;
}

/** Reads the syntax elements of a raw byte sequence payload (ITU-T H.265, 7.2). All methods throw at its end. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  /** @param rbsp see {@link rbspOf} */
  constructor(rbsp: Uint8Array) {
    this.#bytes = rbsp;
  }

  /** How many bytes have been read, in whole or in part. */
  get bytesRead(): number {
    return Math.ceil(this.#position / 8);
  }

  /** u(n): an unsigned number of up to 32 bits. */
  u(count: number): number {
    let value = 0;
    for (let read = 0; read < count; read++) value = value * 2 + this.#bit();
    return value;
  }

  /** u(1). */
  flag(): boolean {
    return this.#bit() === 1;
  }

  /** ue(v): an unsigned Exp-Golomb code (9.2), which must be within limits. */
  ue(min = 0, max = Number.POSITIVE_INFINITY): number {
    let leadingZeros = 0;
    while (this.#bit() === 0) {
      leadingZeros++;
      if (leadingZeros > 32) throw new UnsupportedBitstream("an Exp-Golomb code is too long");
    }
    return inRange(2 ** leadingZeros - 1 + this.u(leadingZeros), min, max);
  }

  /** se(v): a signed Exp-Golomb code (9.2.2), which must be within limits. */
  se(min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): number {
    const code = this.ue();
    return inRange(code % 2 === 1 ? (code + 1) / 2 : -code / 2, min, max);
  }

  /** Skips ue(v) and se(v) codes. */
  skipCodes(count: number): void {
    for (let skipped = 0; skipped < count; skipped++) this.ue();
  }

  /** Skips bits. */
  skip(count: number): void {
    this.#position += count;
    if (this.#position > 8 * this.#bytes.length) throw truncated();
  }

  #bit(): number {
    const byte = this.#bytes[this.#position >> 3];
    if (byte === undefined) throw truncated();
    return (byte >> (7 - (this.#position++ & 7))) & 1;
  }
}

function truncated(): UnsupportedBitstream {
  return new UnsupportedBitstream("the bitstream is truncated");
}

/** Returns the raw byte sequence payload of a NAL unit: its bytes without emulation prevention bytes (7.3.1.1). */
export function rbspOf(nalUnit: Uint8Array): Uint8Array<ArrayBuffer> {
  const rbsp = new Uint8Array(nalUnit.length);
  let length = 0;
  let from = 0;
  for (;;) {
    const at = emulationPreventionByte(nalUnit, from);
    rbsp.set(nalUnit.subarray(from, at), length);
    length += at - from;
    if (at >= nalUnit.length) return rbsp.subarray(0, length);
    from = at + 1;
  }
}

/** Returns the position of the next 3 after two zeros. */
function emulationPreventionByte(nalUnit: Uint8Array, from: number): number {
  for (let at = nalUnit.indexOf(3, from); at >= 0; at = nalUnit.indexOf(3, at + 1)) {
    // Zeros before the previous emulation prevention byte do not count again.
    if (at >= from + 2 && nalUnit[at - 1] === 0 && nalUnit[at - 2] === 0) return at;
  }
  return nalUnit.length;
}
