import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { DrivenBrowser, DrivenPage } from "../../support/browsers/driven-browser.ts";
import { startFirefox } from "../../support/browsers/firefox.ts";
import { startWebKit } from "../../support/browsers/webkit.ts";
import type { Scratch } from "../../support/native-tools.ts";
import { DIST, serveBenchSite } from "./bench-site.ts";
import { measureCalls } from "./measure-calls.ts";
import { type Contestant, failed, PASSWORD, selectionFor } from "./task.ts";
import { withinTime } from "./within-time.ts";

/** What a task may take besides its calls: opening a page, reading and saving the result. */
const BESIDE_LIMIT_MS = 60_000;
const START = { firefox: startFirefox, webkit: startWebKit } as const;

/** The built package in Firefox or WebKit, as {@link chromiumClient} runs it in Chromium. Memory is not measured. */
export async function drivenClient(scratch: Scratch, name: keyof typeof START): Promise<Contestant> {
  let saved = "";
  const server = await serveBenchSite(scratch.path(`site-${name}`), DIST, (request, response) => {
    void pipeline(request, createWriteStream(saved)).then(
      () => response.writeHead(204).end(),
      (error) => response.destroy(error),
    );
  });
  let browser: DrivenBrowser | undefined;

  async function endBrowser(): Promise<void> {
    const ending = browser;
    browser = undefined;
    await ending?.close();
  }

  return {
    name,

    async run({ operation, input, output, pageCount, isChecked, timeLimitMs }) {
      const pageTask = { operation, pages: selectionFor({ operation, pageCount }), password: PASSWORD };
      const within = <Answer>(page: DrivenPage, method: string, argument?: unknown) =>
        withinTime(page.call<Answer>(method, argument), timeLimitMs);
      try {
        browser ??= await START[name]();
        const page = await withinTime(browser.open(`http://127.0.0.1:${server.port}/`), BESIDE_LIMIT_MS);
        await withinTime(page.choose("#file", input), BESIDE_LIMIT_MS);
        const times = await measureCalls(() => within<number>(page, "benchCall", pageTask));
        const readBack = await within<{ readonly milliseconds: number; readonly bytes: number }>(
          page,
          "benchReadBack",
        );
        if (isChecked) {
          saved = join(output, operation === "every page" ? "pages.zip" : "output.pdf");
          await within(page, "benchSend", "/api/output");
        }
        await withinTime(page.close(), BESIDE_LIMIT_MS);
        return {
          kind: "done",
          ...times,
          readBackMilliseconds: readBack.milliseconds,
          outputBytes: readBack.bytes,
          memory: [],
        };
      } catch (error) {
        // The next task finds a browser that works.
        await endBrowser();
        return failed(error);
      }
    },

    async close() {
      await endBrowser();
      await server.close();
    },
  };
}
