import type { Target } from "./target.ts";

/** All targets. To add one, add a row here, and a folder with a `target.ts`. */
export const TARGETS = {
  pdf: {
    about: "the PDF engine, in a thread",
    start: async (settings) => (await import("./pdf/target.ts")).startPdf(settings),
  },
  images: {
    about: "images of all formats, in a tab of Chromium",
    start: async (settings) => (await import("./images/target.ts")).startImages(settings),
  },
  drawing: {
    about: "pages that are drawn and read, in a tab of Chromium",
    start: async (settings) => (await import("./drawing/target.ts")).startDrawing(settings),
  },
  forms: {
    about: "requests to client.fetch and the service worker, in a thread",
    start: async (settings) => (await import("./forms/target.ts")).startForms(settings),
  },
} satisfies Readonly<Record<string, Target>>;

export type TargetName = keyof typeof TARGETS;

/** The names of all targets, in the order in which they run. */
export const TARGET_NAMES = Object.keys(TARGETS) as TargetName[];
