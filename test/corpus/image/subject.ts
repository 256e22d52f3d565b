import {
  type BrowserName,
  BrowserSession,
  type SessionAnswer,
} from "../../support/browsers/browser-session.ts";
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

const PAGE_PATH = "test/corpus/image/client-page.html";

/** The time limit of a conversion. AVIF encoders in WebAssembly are slow. */
const TIME_LIMIT_MS = 60_000;

/** The real client and its workers in a browser, for images. */
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

  /** Starts the client in a Firefox with preferences. */
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
