import { type BrowserName, BrowserSession, type SeatAnswer } from "../../support/browsers/browser-session.ts";

/** What is drawn of a PDF: its first pages. */
export interface RenderJob {
  readonly dpi: number;
  readonly mostPages: number;
  readonly format: "png" | "jpg";
  readonly password?: string;
}

const PAGE_PATH = "test/corpus/render/client-page.html";

/** Our client gives a page up after 60 s: it must have said so by then. */
const TIME_LIMIT_MS = 90_000;

/** Our client, its pool and its workers in a browser, drawing pages. */
export class RenderSubject {
  readonly name: BrowserName;
  readonly #seat: BrowserSession;

  private constructor(seat: BrowserSession) {
    this.name = seat.name;
    this.#seat = seat;
  }

  static async start(name: BrowserName): Promise<RenderSubject> {
    return new RenderSubject(await BrowserSession.start(name, PAGE_PATH));
  }

  prepare(): Promise<void> {
    return this.#seat.prepare();
  }

  draw(input: string, job: RenderJob, output: string): Promise<SeatAnswer> {
    return this.#seat.run(job, input, output, TIME_LIMIT_MS);
  }

  close(): Promise<void> {
    return this.#seat.close();
  }
}
