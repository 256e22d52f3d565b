import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Scratch } from "../../support/native-tools.ts";
import { median } from "../contest.ts";
import { BenchBrowser } from "./bench-browser.ts";
import { serveBenchSite } from "./bench-site.ts";
import { measureCalls } from "./measure-calls.ts";
import {
  type Contestant,
  type ContestantName,
  failed,
  PASSWORD,
  type ProcessMemory,
  type Run,
  selectionFor,
} from "./task.ts";
import { withinTime } from "./within-time.ts";

/** What a task may take besides its calls: opening a page, reading and saving the result. */
const BESIDE_LIMIT_MS = 60_000;
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
  const server = await serveBenchSite(scratch.path(`site-${name}`), dist);
  const url = `http://127.0.0.1:${server.port}/`;
  let browser: BenchBrowser | undefined;

  /** Whatever goes wrong, the next task finds a browser that works. */
  async function endBrowser(): Promise<void> {
    const ending = browser;
    browser = undefined;
    await ending?.close();
  }

  return {
    name,

    async run({ operation, input, output, pageCount, isChecked, isSmall, timeLimitMs }): Promise<Run> {
      const pageTask = {
        operation,
        pages: selectionFor({ operation, pageCount }),
        password: PASSWORD,
      };
      const call = (page: Page) =>
        withinTime(
          page.evaluate((task) => window.benchCall(task), pageTask),
          timeLimitMs,
        );
      try {
        browser ??= await BenchBrowser.start(scratch.path(`profile-${name}`));
        const page = await withinTime(browser.open(url), BESIDE_LIMIT_MS);
        await page.setInputFiles("#file", input, { timeout: BESIDE_LIMIT_MS });
        let times = { milliseconds: 0, coldMilliseconds: 0 };
        const memory: readonly ProcessMemory[] = await browser.watchMemory(async () => {
          times = await measureCalls(() => call(page));
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
      } catch (error) {
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
