import type { BrowserSession } from "../../support/browsers/browser-session.ts";
import { startClient } from "../client-session.ts";

/** The target formats. */
export const TARGETS = ["jpg", "png", "webp", "avif", "pdf"] as const;
export type ImageTarget = (typeof TARGETS)[number];

/** Selects `count` formats for a file. The next file takes the next formats in turn. */
export function targetsOf(place: number, count: number): readonly ImageTarget[] {
  if (count >= TARGETS.length) return TARGETS;
  return TARGETS.filter((_, index) => (index + count * place) % TARGETS.length < count);
}

/** A conversion for the page. */
export interface ImageJob {
  readonly to: ImageTarget;
}

/** The real client and its workers in a browser, for images. */
export type ImageSubject = BrowserSession<ImageJob>;

export const startImages: (...args: Parameters<typeof startClient>) => Promise<ImageSubject> = startClient;
