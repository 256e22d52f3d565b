import type { Size } from "./size.ts";

/** A picture whose rows come once, from the top, as they are decoded, and are kept by nobody. */
export interface BandedPicture extends Size {
  /** Whether any pixel may be transparent. */
  readonly hasAlpha: boolean;
  /**
   * Its pixels: red, green, blue and alpha of each, not premultiplied, or something where none is transparent.
   *
   * @param rows how many a band has; the last one may have fewer
   * @returns bands, each good until the next comes
   * @throws what keeps the rest from being decoded, or makes what came invalid
   */
  bands(rows: number): AsyncIterable<Uint8ClampedArray<ArrayBuffer>>;
}
