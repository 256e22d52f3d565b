import { type BrowserName, BrowserSession, type SeatAnswer } from "../../support/browsers/browser-session.ts";
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
  readonly #seat: BrowserSession;

  private constructor(seat: BrowserSession) {
    this.name = seat.name;
    this.#seat = seat;
  }

  static async start(name: BrowserName): Promise<ImageSubject> {
    return new ImageSubject(await BrowserSession.start(name, PAGE_PATH));
  }

  /** The same in a Firefox with some preferences. */
  static async startFirefox(preferences: FirefoxPreferences): Promise<ImageSubject> {
    return new ImageSubject(await BrowserSession.startFirefox(preferences, PAGE_PATH));
  }

  prepare(): Promise<void> {
    return this.#seat.prepare();
  }

  convert(input: string, to: ImageTarget, output: string): Promise<SeatAnswer> {
    const job: ImageJob = { to };
    return this.#seat.run(job, input, output, TIME_LIMIT_MS);
  }

  close(): Promise<void> {
    return this.#seat.close();
  }
}
