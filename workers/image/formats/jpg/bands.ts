/** The number of rows that are read at a time. This needs few reads, and no copy of the whole picture. */
export const BAND_ROWS = 128;

/** Rows of a picture that were read together. */
interface Band<Place> {
  readonly start: number;
  readonly end: number;
  /** The place of the data, as returned by `read`. */
  readonly place: Place;
}

/**
 * Reads rows in bands, on demand.
 *
 * @param read reads the rows from `start` to before `end`, at most {@link BAND_ROWS}, into the same place as before
 * @returns a function that returns the band with some rows
 */
export function bandReader<Place>(
  height: number,
  read: (start: number, end: number) => Promise<Place>,
): (first: number, count: number) => Promise<Band<Place>> {
  let band: Band<Place> | undefined;
  return async (first, count) => {
    if (band !== undefined && first >= band.start && first + count <= band.end) return band;
    // A caller that continues after the last band will need the whole next band.
    const wanted = first === (band?.end ?? 0) ? BAND_ROWS : count;
    const end = Math.min(height, first + wanted);
    // A failed read leaves no band.
    band = undefined;
    band = { start: first, end, place: await read(first, end) };
    return band;
  };
}
