import { type BrowserName, BrowserSession } from "../support/browsers/browser-session.ts";
import type { FirefoxPreferences } from "../support/browsers/firefox.ts";
import type { CorpusJob } from "./client-page.ts";

/** The real client and its workers in a browser, which does the jobs of client-page.ts. */
export type ClientSession = BrowserSession<CorpusJob>;

/** @param preferences for Firefox only */
export function startClient(
  name: BrowserName,
  timeLimitMs: number,
  preferences?: FirefoxPreferences,
): Promise<ClientSession> {
  return BrowserSession.start(name, "test/corpus/client-page.ts", timeLimitMs, preferences);
}
