import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { startFirefox } from "../../support/browsers/firefox.ts";
import { startWebKit } from "../../support/browsers/webkit.ts";
import type { Scratch } from "../../support/native-tools.ts";
import { withinTime } from "../contest.ts";
import { DIST, serveBenchSite } from "./bench-site.ts";
import { BESIDE_LIMIT_MS, browserContestant } from "./browser-contestant.ts";
import { measureCalls } from "./measure-calls.ts";
import { type Contestant, PASSWORD, selectionFor } from "./task.ts";

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
  return browserContestant(name, {
    server,
    start: START[name],

    async run(browser, url, { operation, input, output, pageCount, isChecked, timeLimitMs }) {
      const pageTask = { operation, pages: selectionFor({ operation, pageCount }), password: PASSWORD };
      const page = await withinTime(browser.open(url), BESIDE_LIMIT_MS);
      const call = <Answer>(method: string, argument?: unknown) =>
        withinTime(page.call<Answer>(method, argument), timeLimitMs);
      await withinTime(page.choose("#file", input), BESIDE_LIMIT_MS);
      const times = await measureCalls(() => call<number>("benchCall", pageTask));
      const readBack = await call<{ readonly milliseconds: number; readonly bytes: number }>("benchReadBack");
      if (isChecked) {
        saved = join(output, operation === "every page" ? "pages.zip" : "output.pdf");
        await call("benchSend", "/api/output");
      }
      await withinTime(page.close(), BESIDE_LIMIT_MS);
      return {
        kind: "done",
        ...times,
        readBackMilliseconds: readBack.milliseconds,
        outputBytes: readBack.bytes,
        memory: [],
      };
    },
  });
}
