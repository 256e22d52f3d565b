import { joinBytes } from "../../io/concat-bytes.ts";
import { unfilterRow } from "../../io/png-filters.ts";

/** The parameters of a predictor (ISO 32000-2, 7.4.4.4). */
interface PredictorParameters {
  readonly predictor: number;
  readonly colors: number;
  readonly bitsPerComponent: number;
  readonly columns: number;
}

const ROW_LIMIT = 1 << 26;

/** Undoes a predictor. Passes the data on unchanged when the predictor is unknown. Keeps a short last row. */
export function* predictedChunks(
  chunks: Iterable<Uint8Array>,
  parameters: PredictorParameters,
): Generator<Uint8Array> {
  const rowBytes = rowBytesOf(parameters);
  if (rowBytes === undefined) {
    yield* chunks;
    return;
  }
  const stride = parameters.predictor === 2 ? rowBytes : rowBytes + 1;
  let waiting: Uint8Array[] = [];
  let length = 0;
  let above: Uint8Array | undefined;
  const undo = (rows: Uint8Array) => {
    const undone = undoRows(rows, parameters, rowBytes, above);
    above = undone.slice(-rowBytes);
    return undone;
  };
  for (const chunk of chunks) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < stride) continue;
    const whole = joinBytes(waiting);
    const complete = length - (length % stride);
    yield undo(whole.subarray(0, complete));
    waiting = complete < length ? [whole.subarray(complete)] : [];
    length -= complete;
  }
  if (length > 0) yield undo(joinBytes(waiting));
}

function undoRows(
  data: Uint8Array,
  parameters: PredictorParameters,
  rowBytes: number,
  above?: Uint8Array,
): Uint8Array {
  const { predictor, colors, bitsPerComponent } = parameters;
  const pixelBytes = Math.max(1, (colors * bitsPerComponent) >> 3);
  return predictor === 2
    ? undoTiff(data, rowBytes, colors, bitsPerComponent)
    : undoPng(data, rowBytes, pixelBytes, above);
}

/** Returns the length of a row in bytes; undefined without a known predictor. */
function rowBytesOf({
  predictor,
  colors,
  bitsPerComponent,
  columns,
}: PredictorParameters): number | undefined {
  if (predictor < 2 || colors < 1 || columns < 1 || ![1, 2, 4, 8, 16].includes(bitsPerComponent)) {
    return undefined;
  }
  const rowBytes = Math.ceil((colors * bitsPerComponent * columns) / 8);
  return rowBytes > 0 && rowBytes <= ROW_LIMIT ? rowBytes : undefined;
}

/**
 * Undoes the PNG filter of each row.
 *
 * @param before the row above the first one
 */
function undoPng(
  data: Uint8Array,
  rowBytes: number,
  pixelBytes: number,
  before: Uint8Array | undefined,
): Uint8Array {
  const rows = Math.ceil(data.length / (rowBytes + 1));
  const out = new Uint8Array(Math.max(0, data.length - rows));
  let above = before ?? new Uint8Array(rowBytes);
  for (let row = 0; row < rows; row++) {
    const from = row * (rowBytes + 1);
    const line = out.subarray(row * rowBytes, (row + 1) * rowBytes);
    line.set(data.subarray(from + 1, from + 1 + rowBytes));
    unfilterRow(data[from] ?? 0, line, above, pixelBytes);
    above = line;
  }
  return out;
}

/** Undoes the TIFF predictor. Supports 8-bit samples only: cross-reference and object streams have no others. */
function undoTiff(data: Uint8Array, rowBytes: number, colors: number, bitsPerComponent: number): Uint8Array {
  if (bitsPerComponent !== 8) return data;
  const out = data.slice();
  for (let row = 0; row < out.length; row += rowBytes) {
    const end = Math.min(row + rowBytes, out.length);
    for (let at = row + colors; at < end; at++) {
      out[at] = (out[at] as number) + (out[at - colors] as number);
    }
  }
  return out;
}
