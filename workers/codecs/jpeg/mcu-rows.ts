import type { Planes } from "../../image/picture/planes.ts";

/** How many pixels an MCU has across and down, chroma halved both ways. */
export const MCU = 16;

/**
 * How the values of a strip, a row of MCUs, lie in the encoder's memory, and what of assembly/encoder.ts takes them.
 */
export interface StripForm<Values> {
  /** How many bytes an MCU has in one of the rows that `stride` is of, and in all. */
  readonly rowBytes: number;
  readonly bytes: number;
  /** Whether the first value of a pixel is blue. */
  readonly isBlueFirst?: boolean;
  /** What is put behind pixels that are multiplied by their alpha: its values, the first in the lowest byte. */
  readonly backdrop?: number | undefined;
  /** Whether they have to be multiplied first. */
  readonly isUnmultiplied?: boolean;
  readonly count: "count" | "countPlanes";
  readonly encode: "encode" | "encodePlanes";
  /** What halves the chroma first, which stands behind luma as long as it is not halved. */
  readonly halve?: "halveBothWays" | "halveDown";
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

/** Blue, green, red and something of each pixel. */
export const BLUE_FIRST_PIXELS: StripForm<Uint8ClampedArray> = { ...PIXELS, isBlueFirst: true };

const CODED_PLANES = { rowBytes: MCU, count: "countPlanes", encode: "encodePlanes" } as const;

/** All of luma, then all of Cb, then all of Cr. */
export const PLANES: StripForm<Planes> = {
  ...CODED_PLANES,
  bytes: 1.5 * MCU * MCU,
  load: (strip, stride, planes, rows) => loadPlanes(strip, stride, planes, rows, { across: 2, down: 2 }),
};

/** The same, of chroma that is halved across only. */
export const PLANES_HALVED_ACROSS: StripForm<Planes> = {
  ...CODED_PLANES,
  bytes: 2 * MCU * MCU,
  halve: "halveDown",
  load: (strip, stride, planes, rows) => loadPlanes(strip, stride, planes, rows, { across: 2, down: 1 }),
};

/** The same, of as much chroma as luma. */
export const WHOLE_PLANES: StripForm<Planes> = {
  ...CODED_PLANES,
  bytes: 3 * MCU * MCU,
  halve: "halveBothWays",
  load: (strip, stride, planes, rows) => loadPlanes(strip, stride, planes, rows, { across: 1, down: 1 }),
};

/** Of chroma, one value is for so many pixels across and down. */
function loadPlanes(
  strip: Uint8Array,
  stride: number,
  { luma, cb, cr }: Planes,
  rows: number,
  { across, down }: { readonly across: number; readonly down: number },
): void {
  const wanted = MCU / down;
  const chromaRows = { rows: Math.ceil(rows / down), wanted, valueBytes: 1 };
  const chromaStride = stride / across;
  const chroma = strip.subarray(MCU * stride);
  loadRows(strip, stride, luma, { rows, wanted: MCU, valueBytes: 1 });
  loadRows(chroma, chromaStride, cb, chromaRows);
  loadRows(chroma.subarray(wanted * chromaStride), chromaStride, cr, chromaRows);
}

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
