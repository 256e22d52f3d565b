import type { Failed } from "../contest.ts";
import type { NativeRun } from "../native-program.ts";

/** What is converted. A HEIC is of tiles, as telephones make it, unless it is said to be in one piece. */
export const SOURCES = ["jpg", "png", "png with alpha", "webp", "heic", "heic in one piece"] as const;
export type ImageSource = (typeof SOURCES)[number];

/** The format of a source. */
export function formatOf(source: ImageSource): "jpg" | "png" | "webp" | "heic" {
  switch (source) {
    case "png with alpha":
      return "png";
    case "heic in one piece":
      return "heic";
    default:
      return source;
  }
}

export const TARGETS = ["jpg", "png", "webp", "avif", "pdf"] as const;
export type ImageTarget = (typeof TARGETS)[number];

/** Qualities of the lossy formats, from 0 to 1, the same for all who take one. */
export const QUALITY = { jpg: 0.92, webp: 0.85, avif: 0.68 } as const;

/** One conversion for a contestant. */
export interface ImageTask {
  readonly from: ImageSource;
  readonly to: ImageTarget;
  readonly input: string;
  readonly output: string;
  /** Whether no quality is named: what is in the format already then need not be encoded anew. */
  readonly asStored?: boolean;
  /** The width to scale down to, in pixels. */
  readonly maxWidth?: number;
}

/** Whether transparency has to come through exactly, which costs more. */
export function keepsAlpha({ from, to }: Pick<ImageTask, "from" | "to">): boolean {
  return from === "png with alpha" && to !== "jpg" && to !== "pdf";
}

/** How long a conversion took, and how much it made. */
export type ImageMeasurement = (NativeRun & { readonly outputBytes: number }) | Failed;

export interface ImageContestant {
  readonly name: string;
  offers(task: ImageTask): boolean;
  run(task: ImageTask): Promise<ImageMeasurement>;
  close(): Promise<void>;
}

/** How much more of native's time the target allows. */
export function targetRatio(task: Pick<ImageTask, "from" | "to">): number {
  if (task.to === "avif") return 8;
  // In a PDF, transparency has to be unpacked, parted from the colors and packed again.
  return task.from === "png with alpha" && task.to !== "jpg" ? 4 : 1.1;
}
