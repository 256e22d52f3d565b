import type { Failed } from "../contest.ts";
import type { NativeRun } from "../native-program.ts";

/** Dots per inch at which everybody draws. */
export const DPI = 150;
/** Of the JPEGs that everybody writes: pdftoppm's own, of 100. */
export const QUALITY = 75;

/** How long all pages of a document took to become JPEGs. */
export type RenderMeasurement = (NativeRun & { readonly first?: number }) | Failed;

/** Someone who makes pictures of pages. */
export interface RenderContestant {
  readonly name: string;
  run(input: string): Promise<RenderMeasurement>;
  close(): Promise<void>;
}

/** What the run asks a page for. */
export interface RenderTask {
  readonly dpi: number;
  /** From 0 to 1. */
  readonly quality: number;
  readonly workers: number;
  /** Whether pictures are taken as they come, instead of an archive. */
  readonly isOneByOne: boolean;
}

/** What a page answers. */
export interface RenderAnswer {
  readonly milliseconds: number;
  readonly pictures: number;
  /** After how many milliseconds the first picture came, if they come one by one. */
  readonly first?: number;
}

declare global {
  interface Window {
    /** Draws all pages of the chosen file; answers how many milliseconds they took and how many pictures came. */
    benchRender: (task: RenderTask) => Promise<RenderAnswer>;
  }
}
