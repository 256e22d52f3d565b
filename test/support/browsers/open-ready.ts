import type { Page } from "playwright-core";
import { HANG_LIMIT_MS } from "../hang-limit.ts";

/**
 * Opens a page and waits until it sets its title to `ready`.
 *
 * @throws {Error} with the page's console errors, when it does not become ready in time
 */
export async function openReady(page: Page, url: string): Promise<void> {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  try {
    await page.goto(url, { timeout: HANG_LIMIT_MS });
    await page.waitForFunction(() => document.title === "ready", undefined, { timeout: HANG_LIMIT_MS });
  } catch (error) {
    throw new Error(`${url} did not become ready: ${complaints.join("; ") || "no error on its console"}`, {
      cause: error,
    });
  }
}
