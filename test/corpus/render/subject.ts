import {
  type BrowserName,
  BrowserSession,
  type SessionAnswer,
} from "../../support/browsers/browser-session.ts";

/** A job for the page: draw the first pages of a PDF, or read their text. */
export interface RenderJob {
  readonly dpi: number;
  readonly mostPages: number;
  readonly format: "png" | "jpg" | "txt";
  readonly password?: string;
}

const PAGE_PATH = "test/corpus/render/client-page.html";

/** Longer than our client's limit of 60 s for a page, so that the client reports it first. */
const TIME_LIMIT_MS = 90_000;

/** The real client and its workers in a browser, for PDF pages. */
export class RenderSubject {
  readonly name: BrowserName;
  readonly #session: BrowserSession;
  readonly #timeLimitMs: number;

  private constructor(session: BrowserSession, timeLimitMs: number) {
    this.name = session.name;
    this.#session = session;
    this.#timeLimitMs = timeLimitMs;
  }

  static async start(name: BrowserName, timeLimitMs = TIME_LIMIT_MS): Promise<RenderSubject> {
    return new RenderSubject(await BrowserSession.start(name, PAGE_PATH), timeLimitMs);
  }

  prepare(): Promise<void> {
    return this.#session.prepare();
  }

  draw(input: string, job: RenderJob, output: string): Promise<SessionAnswer> {
    return this.#session.run(job, input, output, this.#timeLimitMs);
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
