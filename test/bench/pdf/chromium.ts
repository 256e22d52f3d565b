import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Scratch } from "../../support/native-tools.ts";
import { median, withinTime } from "../contest.ts";
import { BenchBrowser } from "./bench-browser.ts";
import { serveBenchSite } from "./bench-site.ts";
import { BESIDE_LIMIT_MS, browserContestant } from "./browser-contestant.ts";
import { measureCalls } from "./measure-calls.ts";
import { type Contestant, type ContestantName, PASSWORD, type ProcessMemory, selectionFor } from "./task.ts";

const IDLE_ROUNDS = 20;

/**
 * The built package's client and its worker in Chromium, from a chosen file to a blob URL. Each time on a new page
 * and with a new client, which is called until it is warm, and at least twice: the median of the calls from then on is
 * what counts, the first call is the cold one.
 */
export async function chromiumClient(
  scratch: Scratch,
  { name, dist }: { readonly name: ContestantName; readonly dist: string },
): Promise<Contestant> {
  return browserContestant(name, {
    server: await serveBenchSite(scratch.path(`site-${name}`), dist),
    start: () => BenchBrowser.start(scratch.path(`profile-${name}`)),

    async run(browser, url, { operation, input, output, pageCount, isChecked, isSmall, timeLimitMs }) {
      const pageTask = { operation, pages: selectionFor({ operation, pageCount }), password: PASSWORD };
      const page = await withinTime(browser.open(url), BESIDE_LIMIT_MS);
      await page.setInputFiles("#file", input, { timeout: BESIDE_LIMIT_MS });
      const call = () =>
        withinTime(
          page.evaluate((task) => window.benchCall(task), pageTask),
          timeLimitMs,
        );
      let times = { milliseconds: 0, coldMilliseconds: 0 };
      const memory: readonly ProcessMemory[] = await browser.watchMemory(async () => {
        times = await measureCalls(call);
      });
      const readBack = await withinTime(
        page.evaluate(() => window.benchReadBack()),
        timeLimitMs,
      );
      const idleMilliseconds = isSmall
        ? await withinTime(idleTime(page, readBack.bytes), BESIDE_LIMIT_MS)
        : undefined;
      if (isChecked) await withinTime(save(page, output), timeLimitMs);
      await withinTime(page.close(), BESIDE_LIMIT_MS);
      return {
        kind: "done",
        ...times,
        idleMilliseconds,
        readBackMilliseconds: readBack.milliseconds,
        outputBytes: readBack.bytes,
        memory,
      };
    },
  });
}

/** What the browser itself takes, once a worker that does nothing is warm. */
async function idleTime(page: Page, outputBytes: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 2 * IDLE_ROUNDS; round++) {
    times.push(await page.evaluate((bytes) => window.benchIdle(bytes), outputBytes));
  }
  return median(times.slice(IDLE_ROUNDS));
}

async function save(page: Page, folder: string): Promise<void> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.evaluate(() => window.benchSave()),
  ]);
  await download.saveAs(join(folder, download.suggestedFilename()));
  await download.delete();
}
