import { adler32 } from "../../io/adler32.ts";
import { BitWriter } from "./bit-writer.ts";
import { mostBytes, writeBlocks } from "./block.ts";
import { FARTHEST, Matches } from "./matches.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const CHUNK = 256 * 1024;
/** A window of 32 KB; made fast. */
const HEADER = [0x78, 0x01];

/**
 * Deflates data of any length as it comes (RFC 1950): pixels with noise in a quarter of the library's time at its fastest,
 * graphics in a third, others in no more.
 */
export class Deflater {
  readonly #pieces: Bytes[] = [Uint8Array.from(HEADER)];
  readonly #matches = new Matches();
  readonly #bits = new BitWriter();
  /** What came last, in which matches are found, then what has not been compressed yet. */
  #data: Bytes = new Uint8Array(FARTHEST + CHUNK);
  #start = 0;
  #used = 0;
  #sum = 1;

  /** Room for the next bytes: all of it has to be filled before anything else is done here. */
  next(length: number): Uint8Array {
    if (this.#used + length > this.#data.length) this.#makeRoom(length);
    const room = this.#data.subarray(this.#used, this.#used + length);
    this.#used += length;
    return room;
  }

  /** Everything, compressed. */
  end(): readonly Bytes[] {
    this.#compress(true);
    this.#bits.number(this.#sum);
    this.#pieces.push(this.#bits.take());
    return this.#pieces;
  }

  #makeRoom(length: number): void {
    this.#compress(false);
    this.#pieces.push(this.#bits.take());
    const dropped = Math.max(0, this.#used - FARTHEST);
    const kept = this.#data.subarray(dropped, this.#used);
    if (kept.length + length > this.#data.length) this.#data = new Uint8Array(FARTHEST + length);
    this.#data.set(kept);
    this.#matches.dropFirst(dropped);
    this.#used = kept.length;
    this.#start = kept.length;
  }

  #compress(areLast: boolean): void {
    const block = { data: this.#data, start: this.#start, end: this.#used, matches: this.#matches };
    this.#sum = adler32(this.#data.subarray(this.#start, this.#used), this.#sum);
    this.#bits.reserve(mostBytes(this.#used - this.#start));
    writeBlocks(block, areLast, this.#bits);
  }
}
