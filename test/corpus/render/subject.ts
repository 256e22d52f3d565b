import { type BrowserName, BrowserSession } from "../../support/browsers/browser-session.ts";

/** A job for the page: draw the first pages of a PDF, or read their text. */
export interface RenderJob {
  readonly dpi: number;
  readonly mostPages: number;
  readonly format: "png" | "jpg" | "txt";
  readonly password?: string;
}

const PAGE_SCRIPT = "test/corpus/render/client-page.ts";

/** Longer than our client's limit of 60 s for a page, so that the client reports it first. */
const TIME_LIMIT_MS = 90_000;

/** The real client and its workers in a browser, for PDF pages. */
export type RenderSubject = BrowserSession<RenderJob>;

export function startRendering(name: BrowserName, timeLimitMs = TIME_LIMIT_MS): Promise<RenderSubject> {
  return BrowserSession.start(name, PAGE_SCRIPT, timeLimitMs);
}
