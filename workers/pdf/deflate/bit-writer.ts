import type { HuffmanCode } from "./huffman.ts";

/** Writes bits, the lowest first, into bytes. */
export class BitWriter {
  #out = new Uint8Array(0);
  #at = 0;
  #waiting = 0;
  #count = 0;

  /** Makes room for so many bytes, where {@link take} has left none. */
  reserve(length: number): void {
    if (length > this.#out.length) this.#out = new Uint8Array(length);
  }

  /** Fewer than 16 bits wait for more. @param count 16 at the most */
  write(value: number, count: number): void {
    this.#waiting |= value << this.#count;
    this.#count += count;
    if (this.#count < 16) return;
    this.#out[this.#at++] = this.#waiting;
    this.#out[this.#at++] = this.#waiting >> 8;
    this.#waiting >>>= 16;
    this.#count -= 16;
  }

  /** Writes the codes of a range of data, as {@link write} does, a fifth quicker: most of what pixels come to are these. */
  literals(data: Uint8Array, start: number, end: number, { codes, lengths }: HuffmanCode): void {
    const out = this.#out;
    let to = this.#at;
    let waiting = this.#waiting;
    let count = this.#count;
    for (let at = start; at < end; at++) {
      const literal = data[at] as number;
      waiting |= (codes[literal] as number) << count;
      count += lengths[literal] as number;
      if (count < 16) continue;
      out[to++] = waiting;
      out[to++] = waiting >> 8;
      waiting >>>= 16;
      count -= 16;
    }
    this.#at = to;
    this.#waiting = waiting;
    this.#count = count;
  }

  /** Writes a stored block's data behind its first three bits. */
  stored(data: Uint8Array): void {
    this.#end();
    for (const length of [data.length, ~data.length]) {
      this.#out[this.#at++] = length;
      this.#out[this.#at++] = length >> 8;
    }
    this.#out.set(data, this.#at);
    this.#at += data.length;
  }

  /** What has been written but for the bits that wait; the room is used again. */
  take(): Uint8Array<ArrayBuffer> {
    const written = this.#out.slice(0, this.#at);
    this.#at = 0;
    return written;
  }

  /** Writes a number of 32 bits behind the last byte, the highest first. */
  number(value: number): void {
    this.#end();
    for (let shift = 24; shift >= 0; shift -= 8) this.#out[this.#at++] = value >>> shift;
  }

  /** Fills the last byte. */
  #end(): void {
    for (; this.#count > 0; this.#count -= 8) {
      this.#out[this.#at++] = this.#waiting;
      this.#waiting >>>= 8;
    }
    this.#count = 0;
  }
}
