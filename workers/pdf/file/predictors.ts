/** How rows were filtered before compression (ISO 32000-2, 7.4.4.4). */
export interface PredictorParameters {
  readonly predictor: number;
  readonly colors: number;
  readonly bitsPerComponent: number;
  readonly columns: number;
}

const ROW_LIMIT = 1 << 26;

/** Undoes a predictor; an unknown one leaves the data as it is. A last row that is cut short is kept. */
export function undoPredictor(data: Uint8Array, parameters: PredictorParameters): Uint8Array {
  const { predictor, colors, bitsPerComponent, columns } = parameters;
  if (predictor < 2) return data;
  if (colors < 1 || columns < 1 || ![1, 2, 4, 8, 16].includes(bitsPerComponent)) return data;
  const pixelBytes = Math.max(1, (colors * bitsPerComponent) >> 3);
  const rowBytes = Math.ceil((colors * bitsPerComponent * columns) / 8);
  if (!(rowBytes > 0 && rowBytes <= ROW_LIMIT)) return data;
  return predictor === 2
    ? undoTiff(data, rowBytes, colors, bitsPerComponent)
    : undoPng(data, rowBytes, pixelBytes);
}

function undoPng(data: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const rows = Math.ceil(data.length / (rowBytes + 1));
  const out = new Uint8Array(Math.max(0, data.length - rows));
  let to = 0;
  let from = 0;
  for (let row = 0; row < rows; row++) {
    const filter = data[from++];
    const length = Math.min(rowBytes, data.length - from);
    const above = to - rowBytes;
    for (let index = 0; index < length; index++) {
      const left = index >= pixelBytes ? (out[to + index - pixelBytes] as number) : 0;
      const up = row > 0 ? (out[above + index] as number) : 0;
      let predicted = 0;
      if (filter === 1) predicted = left;
      else if (filter === 2) predicted = up;
      else if (filter === 3) predicted = (left + up) >> 1;
      else if (filter === 4) {
        const upLeft = row > 0 && index >= pixelBytes ? (out[above + index - pixelBytes] as number) : 0;
        predicted = paeth(left, up, upLeft);
      }
      out[to + index] = (data[from + index] as number) + predicted;
    }
    from += length;
    to += length;
  }
  return out;
}

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toUpLeft = Math.abs(estimate - upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

/** Whole-byte samples only: no cross-reference or object stream has others. */
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
