/** A width and a height, in pixels unless another unit is named. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The most pixels that a picture may have across and down. No limit where absent. */
export interface Bounds {
  readonly maxWidth?: number | undefined;
  readonly maxHeight?: number | undefined;
}

/**
 * Returns the size of a picture that is scaled down to fit, never up. Its aspect ratio stays, as far as whole pixels
 * allow. The same size as that of `vips thumbnail`.
 */
export function fittingSize(size: Size, { maxWidth = Infinity, maxHeight = Infinity }: Bounds): Size {
  const { width, height } = size;
  const factor = Math.max(1, width / maxWidth, height / maxHeight);
  if (factor === 1) return size;
  const scaled = (length: number) => Math.max(1, Math.round(length / factor));
  return { width: scaled(width), height: scaled(height) };
}
