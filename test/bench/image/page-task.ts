import type { ImageSource, ImageTarget } from "./task.ts";

/** A conversion of the file that is chosen on the page. */
export interface PageTask {
  /** Who does it, where there are several on the page. */
  readonly peer?: string;
  readonly from: ImageSource;
  readonly to: ImageTarget;
  readonly quality: number | undefined;
  /** The width to scale down to, in pixels. */
  readonly maxWidth?: number | undefined;
}

export interface PageMeasurement {
  readonly milliseconds: number;
  readonly outputBytes: number;
}

/** Many conversions at once. */
export interface CrowdTask {
  readonly to: ImageTarget;
  readonly count: number;
  readonly maxWorkers: number;
}

declare global {
  interface Window {
    /** Converts the chosen file; the clock stops when the result is in hand. */
    benchImage: (task: PageTask) => Promise<PageMeasurement>;
    /** Converts the chosen file many times at once; answers how many milliseconds all took together. */
    benchCrowd: (task: CrowdTask) => Promise<number>;
  }
}
