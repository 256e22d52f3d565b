/** Read at a time, so that few large things are asked for, and no copy of the whole picture is made. */
export const BAND_ROWS = 128;

/** Rows of a picture that have been read together. */
export interface Band<Place> {
  readonly start: number;
  readonly end: number;
  /** Where things are in what was read. */
  readonly place: Place;
}

/**
 * Reads rows in bands, each when it is wanted first.
 *
 * @param read reads rows from a first to before an end, at most {@link BAND_ROWS}, in the place of those before
 * @returns what gives the band that some rows are in
 */
export function bandReader<Place>(
  height: number,
  read: (start: number, end: number) => Promise<Place>,
): (first: number, count: number) => Promise<Band<Place>> {
  let band: Band<Place> | undefined;
  return async (first, count) => {
    if (band !== undefined && first >= band.start && first + count <= band.end) return band;
    // Whoever goes on from the last band will want all of the next.
    const wanted = first === (band?.end ?? 0) ? BAND_ROWS : count;
    const end = Math.min(height, first + wanted);
    // One that could not be read is none.
    band = undefined;
    band = { start: first, end, place: await read(first, end) };
    return band;
  };
}
