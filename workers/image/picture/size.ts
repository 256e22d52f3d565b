/** A width and a height, in pixels unless another unit is named. */
export interface Size {
  readonly width: number;
  readonly height: number;
}
