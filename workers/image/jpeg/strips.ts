import type { Planes } from "../planes.ts";

/** How many pixels an MCU has across and down, chroma halved both ways. */
export const MCU = 16;

/** How the values of a strip, a row of MCUs, lie in the encoder's memory, and what of assembly/encoder.ts takes them. */
export interface StripForm<Values> {
  /** How many bytes an MCU has in one of the rows that `stride` is of, and in all. */
  readonly rowBytes: number;
  readonly bytes: number;
  readonly count: "count" | "countPlanes";
  readonly encode: "encode" | "encodePlanes";
  /**
   * Puts values into their place; what is over the image's edges is as what is at them.
   *
   * @param rows how many there are: fewer at the bottom
   */
  load(strip: Uint8Array, stride: number, values: Values, rows: number): void;
}

/** Red, green, blue and something of each pixel. */
export const PIXELS: StripForm<Uint8ClampedArray> = {
  rowBytes: 4 * MCU,
  bytes: 4 * MCU * MCU,
  count: "count",
  encode: "encode",
  load: (strip, stride, pixels, rows) =>
    loadRows(strip, stride, pixels, { rows, wanted: MCU, valueBytes: 4 }),
};

/** All of luma, then all of blue, then of red. */
export const PLANES: StripForm<Planes> = {
  rowBytes: MCU,
  bytes: 1.5 * MCU * MCU,
  count: "countPlanes",
  encode: "encodePlanes",
  load(strip, stride, { luma, blue, red }, rows) {
    const chromaRows = { rows: Math.ceil(rows / 2), wanted: MCU / 2, valueBytes: 1 };
    const chroma = strip.subarray(MCU * stride);
    loadRows(strip, stride, luma, { rows, wanted: MCU, valueBytes: 1 });
    loadRows(chroma, stride / 2, blue, chromaRows);
    loadRows(chroma.subarray((MCU / 4) * stride), stride / 2, red, chromaRows);
  },
};

interface RowCounts {
  readonly rows: number;
  readonly wanted: number;
  readonly valueBytes: number;
}

function loadRows(
  into: Uint8Array,
  stride: number,
  values: Uint8Array | Uint8ClampedArray,
  { rows, wanted, valueBytes }: RowCounts,
): void {
  const rowBytes = values.length / rows;
  if (rowBytes === stride) into.set(values);
  else {
    for (let row = 0; row < rows; row++) {
      const from = row * rowBytes;
      const to = row * stride;
      into.set(values.subarray(from, from + rowBytes), to);
      for (let at = to + rowBytes; at < to + stride; at++) into[at] = into[at - valueBytes] ?? 0;
    }
  }
  for (let row = rows; row < wanted; row++) into.copyWithin(row * stride, (rows - 1) * stride, rows * stride);
}
