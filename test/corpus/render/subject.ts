import type { BrowserSession } from "../../support/browsers/browser-session.ts";
import { startClient } from "../client-session.ts";

/** A job for the page: draw the first pages of a PDF, or read their text. */
export interface RenderJob {
  readonly dpi: number;
  readonly mostPages: number;
  readonly format: "png" | "jpg" | "txt";
  readonly password?: string;
}

/** The real client and its workers in a browser, for PDF pages. */
export type RenderSubject = BrowserSession<RenderJob>;

export const startRendering: (...args: Parameters<typeof startClient>) => Promise<RenderSubject> =
  startClient;
