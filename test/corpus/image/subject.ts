import { type BrowserName, BrowserSession } from "../../support/browsers/browser-session.ts";
import type { FirefoxPreferences } from "../../support/browsers/firefox.ts";

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

const PAGE_SCRIPT = "test/corpus/image/client-page.ts";

/** The time limit of a conversion. AVIF encoders in WebAssembly are slow. */
const TIME_LIMIT_MS = 60_000;

/** The real client and its workers in a browser, for images. */
export type ImageSubject = BrowserSession<ImageJob>;

/** @param preferences for Firefox only */
export function startImages(
  name: BrowserName,
  timeLimitMs = TIME_LIMIT_MS,
  preferences?: FirefoxPreferences,
): Promise<ImageSubject> {
  return BrowserSession.start(name, PAGE_SCRIPT, timeLimitMs, preferences);
}
