/** The inputs. A HEIC has tiles, like photos of phones, unless its name says otherwise. */
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

/** The qualities of the lossy formats, from 0 to 1, for all contestants. */
export const QUALITY = { jpg: 0.92, webp: 0.85, avif: 0.68 } as const;

/** One conversion for a contestant. */
export interface ImageTask {
  readonly from: ImageSource;
  readonly to: ImageTarget;
  readonly input: string;
  readonly output: string;
  /** Whether no quality is given, so that a file of the target format can keep its coded data. */
  readonly asStored?: boolean;
}

/** Whether transparency must stay exact, which costs more. */
export function keepsAlpha({ from, to }: Pick<ImageTask, "from" | "to">): boolean {
  return from === "png with alpha" && to !== "jpg" && to !== "pdf";
}

/** How long a conversion took and how much it made; undefined where the contestant does not offer the pair. */
export type ImageMeasurement =
  | {
      readonly kind: "done";
      readonly milliseconds: number;
      readonly peakBytes: number;
      readonly outputBytes: number;
    }
  | { readonly kind: "failed"; readonly why: string };

export interface ImageContestant {
  readonly name: string;
  offers(task: ImageTask): boolean;
  run(task: ImageTask): Promise<ImageMeasurement>;
  close(): Promise<void>;
}

/** How much more of native's time the target allows. */
export function targetRatio(task: Pick<ImageTask, "from" | "to">): number {
  if (task.to === "avif") return 8;
  // A PDF needs transparency decompressed, separated from the colors and compressed again.
  return task.from === "png with alpha" && task.to !== "jpg" ? 4 : 1.1;
}
