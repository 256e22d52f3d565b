import type { BytePart } from "../../io/byte-ranges.ts";
import { Deflater } from "../../io/deflater.ts";
import { unfilterRow } from "../../io/png-filters.ts";
import type { RowTaker } from "./png-rows.ts";

/**
 * Separates alpha, the last sample of each pixel, from color. PNG filters work on each byte of a pixel separately, so
 * the filtered bytes can be separated, and both parts keep their filter type.
 */
export class AlphaSplit implements RowTaker {
  readonly #color = new Deflater();
  readonly #alpha = new Deflater();
  readonly #colorBytes: number;
  readonly #sampleBytes: number;
  /** The alpha of the row above, unfiltered, while all pixels are opaque. */
  #above: Uint8Array;
  #own: Uint8Array;
  #isOpaque = true;

  /** @param sampleBytes 1, or 2 for 16 bits */
  constructor(width: number, colors: 1 | 3, sampleBytes: 1 | 2) {
    this.#colorBytes = colors * sampleBytes;
    this.#sampleBytes = sampleBytes;
    this.#above = new Uint8Array(width * sampleBytes);
    this.#own = new Uint8Array(width * sampleBytes);
  }

  take(row: Uint8Array): void {
    const colorBytes = this.#colorBytes;
    const sampleBytes = this.#sampleBytes;
    const pixels = (row.length - 1) / (colorBytes + sampleBytes);
    const color = this.#color.next(1 + pixels * colorBytes);
    const alpha = this.#alpha.next(1 + pixels * sampleBytes);
    color[0] = row[0] as number;
    alpha[0] = row[0] as number;
    for (let from = 1, toColor = 1, toAlpha = 1; from < row.length; ) {
      for (let at = 0; at < colorBytes; at++) color[toColor++] = row[from++] as number;
      for (let at = 0; at < sampleBytes; at++) alpha[toAlpha++] = row[from++] as number;
    }
    if (this.#isOpaque) this.#checkOpacity(alpha);
  }

  get ready(): Promise<void> | undefined {
    return this.#color.ready ?? this.#alpha.ready;
  }

  /** Returns color and alpha, compressed. `alpha` is undefined when every pixel is opaque. */
  async end(): Promise<{
    readonly color: readonly BytePart[];
    readonly alpha: readonly BytePart[] | undefined;
  }> {
    const color = await packed(this.#color);
    const alpha = await packed(this.#alpha);
    return { color, alpha: this.#isOpaque ? undefined : alpha };
  }

  #checkOpacity(filtered: Uint8Array): void {
    const own = this.#own;
    own.set(filtered.subarray(1));
    unfilterRow(filtered[0] as number, own, this.#above, this.#sampleBytes);
    for (let at = 0; at < own.length; at++) {
      if (own[at] === 255) continue;
      this.#isOpaque = false;
      return;
    }
    this.#own = this.#above;
    this.#above = own;
  }
}

/** Compresses the alpha of palette entries, with eight bits per pixel. */
export class AlphaOfEntries implements RowTaker {
  readonly #deflater = new Deflater();
  readonly #width: number;
  readonly #bits: number;
  /** Alpha by palette index. */
  readonly #table = new Uint8Array(256).fill(255);
  #above: Uint8Array;

  /** @param alphas those of the first palette entries. The others are opaque */
  constructor(width: number, bits: number, alphas: Uint8Array) {
    this.#width = width;
    this.#bits = bits;
    this.#table.set(alphas.subarray(0, this.#table.length));
    this.#above = new Uint8Array(Math.ceil((width * bits) / 8));
  }

  take(row: Uint8Array): void {
    const own = row.slice(1);
    unfilterRow(row[0] as number, own, this.#above, 1);
    this.#above = own;
    const bits = this.#bits;
    const mask = (1 << bits) - 1;
    const alpha = this.#deflater.next(this.#width);
    for (let index = 0, bit = 0; index < alpha.length; index++, bit += bits) {
      alpha[index] = this.#table[((own[bit >> 3] as number) >> (8 - bits - (bit & 7))) & mask] as number;
    }
  }

  get ready(): Promise<void> | undefined {
    return this.#deflater.ready;
  }

  /** Returns the compressed alpha. */
  async end(): Promise<readonly BytePart[]> {
    return packed(this.#deflater);
  }
}

async function packed(deflater: Deflater): Promise<readonly BytePart[]> {
  return [{ kind: "bytes", bytes: await deflater.end() }];
}
