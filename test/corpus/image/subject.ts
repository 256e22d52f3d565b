import {
  type BrowserName,
  BrowserSession,
  type SessionAnswer,
} from "../../support/browsers/browser-session.ts";
import type { FirefoxPreferences } from "../../support/browsers/firefox.ts";

/** What an image is converted into. */
export const TARGETS = ["jpg", "png", "webp", "avif", "pdf"] as const;
export type ImageTarget = (typeof TARGETS)[number];

/** So many of the formats, others for the next file, so that all come round. */
export function targetsOf(place: number, count: number): readonly ImageTarget[] {
  if (count >= TARGETS.length) return TARGETS;
  return TARGETS.filter((_, index) => (index + count * place) % TARGETS.length < count);
}

/** One conversion, as the page gets it. */
export interface ImageJob {
  readonly to: ImageTarget;
}

const PAGE_PATH = "test/corpus/image/client-page.html";

/** No conversion may take longer; WebAssembly encoders of AVIF take their time. */
const TIME_LIMIT_MS = 60_000;

/** Our client, its pool and its workers in a browser, converting images. */
export class ImageSubject {
  readonly name: BrowserName;
  readonly #session: BrowserSession;
  readonly #timeLimitMs: number;

  private constructor(session: BrowserSession, timeLimitMs: number) {
    this.name = session.name;
    this.#session = session;
    this.#timeLimitMs = timeLimitMs;
  }

  static async start(name: BrowserName, timeLimitMs = TIME_LIMIT_MS): Promise<ImageSubject> {
    return new ImageSubject(await BrowserSession.start(name, PAGE_PATH), timeLimitMs);
  }

  /** The same in a Firefox with some preferences. */
  static async startFirefox(
    preferences: FirefoxPreferences,
    timeLimitMs = TIME_LIMIT_MS,
  ): Promise<ImageSubject> {
    return new ImageSubject(await BrowserSession.startFirefox(preferences, PAGE_PATH), timeLimitMs);
  }

  prepare(): Promise<void> {
    return this.#session.prepare();
  }

  convert(input: string, to: ImageTarget, output: string): Promise<SessionAnswer> {
    const job: ImageJob = { to };
    return this.#session.run(job, input, output, this.#timeLimitMs);
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
