/** The width and height of an MCU at 4:2:0, in pixels (ITU-T T.81, A.2). */
export const MCU_SIZE = 16;

/** A size in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Samples of luma and chroma (JFIF: BT.601, full range), a byte each, row by row. */
export interface Planes {
  readonly luma: Uint8Array;
  readonly cb: Uint8Array;
  readonly cr: Uint8Array;
}

/** Pixels of 4 bytes: red, green, blue, and a byte without meaning. */
export interface PixelSource extends Size {
  readonly kind: "pixels";
  readRows(first: number, count: number): Promise<Uint8ClampedArray>;
}

/** Planes of luma and chroma. */
export interface PlaneSource extends Size {
  readonly kind: "planes";
  readonly subsampling: Subsampling;
  readRows(first: number, count: number): Promise<Planes>;
}

/** Gray samples, a byte each. They become a JPEG with one component. */
export interface GraySource extends Size {
  readonly kind: "gray";
  readRows(first: number, count: number): Promise<Uint8Array>;
}

/**
 * An image that is read row by row. `readRows` returns `count` rows, starting with `first`, which are valid until the
 * next call. The encoder reads some rows twice.
 */
export type RowSource = PixelSource | PlaneSource | GraySource;

/** How many pixels share a chroma sample: 2 × 2 is 4:2:0, 2 × 1 is 4:2:2, 1 × 1 is 4:4:4. */
export type Subsampling =
  | { readonly across: 2; readonly down: 1 | 2 }
  | { readonly across: 1; readonly down: 1 };

/** Returns a source of RGB pixels in memory. */
export function pixelSource({
  width,
  height,
  pixels,
}: Size & { readonly pixels: Uint8ClampedArray }): PixelSource {
  const rowBytes = 4 * width;
  return {
    ...{ kind: "pixels", width, height },
    readRows: async (first, count) => pixels.subarray(first * rowBytes, (first + count) * rowBytes),
  };
}

/** Returns the size of an MCU in the encoder's memory, and of one row of it: of luma if there are planes. Gray has 16 × 16, too. */
export function mcuBytes(source: RowSource): { readonly mcu: number; readonly row: number } {
  if (source.kind === "pixels") return { mcu: 4 * MCU_SIZE * MCU_SIZE, row: 4 * MCU_SIZE };
  if (source.kind === "gray") return { mcu: MCU_SIZE * MCU_SIZE, row: MCU_SIZE };
  const { across, down } = source.subsampling;
  return { mcu: (1 + 2 / (across * down)) * MCU_SIZE * MCU_SIZE, row: MCU_SIZE };
}

/**
 * Reads an MCU row into the encoder's memory. Samples beyond the right and bottom edge repeat those at the edge.
 *
 * @param stride the distance between rows in memory: of luma if there are planes
 */
export async function loadMcuRow(
  memory: Uint8Array,
  stride: number,
  source: RowSource,
  mcuRow: number,
): Promise<void> {
  const first = MCU_SIZE * mcuRow;
  const rows = Math.min(MCU_SIZE, source.height - first);
  if (source.kind === "pixels") {
    const pixels = await source.readRows(first, rows);
    loadRows(memory, stride, pixels, { rows, padded: MCU_SIZE, bytesPerSample: 4 });
    return;
  }
  if (source.kind === "gray") {
    const samples = await source.readRows(first, rows);
    loadRows(memory, stride, samples, { rows, padded: MCU_SIZE, bytesPerSample: 1 });
    return;
  }
  const { across, down } = source.subsampling;
  const { luma, cb, cr } = await source.readRows(first, rows);
  const padded = MCU_SIZE / down;
  const chromaRows = { rows: Math.ceil(rows / down), padded, bytesPerSample: 1 };
  const chromaStride = stride / across;
  const cbMemory = memory.subarray(MCU_SIZE * stride);
  const crMemory = cbMemory.subarray(padded * chromaStride);
  loadRows(memory, stride, luma, { rows, padded: MCU_SIZE, bytesPerSample: 1 });
  loadRows(cbMemory, chromaStride, cb, chromaRows);
  loadRows(crMemory, chromaStride, cr, chromaRows);
}

interface RowCounts {
  readonly rows: number;
  /** The number of rows after padding. */
  readonly padded: number;
  readonly bytesPerSample: number;
}

function loadRows(
  memory: Uint8Array,
  stride: number,
  samples: Uint8Array | Uint8ClampedArray,
  { rows, padded, bytesPerSample }: RowCounts,
): void {
  const rowBytes = samples.length / rows;
  if (rowBytes === stride) memory.set(samples);
  else {
    for (let row = 0; row < rows; row++) {
      const from = row * rowBytes;
      const to = row * stride;
      memory.set(samples.subarray(from, from + rowBytes), to);
      for (let at = to + rowBytes; at < to + stride; at++) memory[at] = memory[at - bytesPerSample] ?? 0;
    }
  }
  for (let row = rows; row < padded; row++)
    memory.copyWithin(row * stride, (rows - 1) * stride, rows * stride);
}
