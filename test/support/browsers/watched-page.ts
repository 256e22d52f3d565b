import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { HANG_LIMIT_MS } from "../hang-limit.ts";

/** A page with its network requests and its errors. */
export interface WatchedPage {
  readonly page: Page;
  /** The method and URL of each request of the page and its workers, without `blob:` URLs. */
  readonly requests: string[];
  /** Errors on the console, including violations of the policy, and uncaught errors. */
  readonly complaints: string[];
}

/** Opens a page in a new profile. */
export async function openWatched(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ acceptDownloads: true, ...options });
  context.setDefaultTimeout(HANG_LIMIT_MS);
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on("request", (request) => {
    if (!request.url().startsWith("blob:")) requests.push(`${request.method()} ${request.url()}`);
  });
  page.on("console", (message) => {
    // Browsers request the icon of every page. A page asks for the frame of the seal to learn whether there is a network.
    const isExpected = /\/(favicon\.ico|sealed\.html)$/.test(message.location().url);
    if (message.type() === "error" && !isExpected) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(url);
  return { page, requests, complaints };
}
