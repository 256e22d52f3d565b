let count: number | undefined;

/** Stores the number of touch points of the screen, which only a page knows. It distinguishes an iPad from a Mac. */
export function setTouchPoints(points: number): void {
  count = points;
}

/** Returns the number given to {@link setTouchPoints}. */
export function touchPoints(): number | undefined {
  return count;
}
