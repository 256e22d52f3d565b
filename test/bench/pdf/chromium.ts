import { copyFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { serveStrictly } from "../../support/browsers/strict-server.ts";
import type { Scratch } from "../../support/native-tools.ts";
import { median } from "../contest.ts";
import { BenchBrowser } from "./bench-browser.ts";
import { bundleForPage } from "./bundle.ts";
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

/** The build of this checkout. */
export const DIST = fileURLToPath(new URL("../../../dist/", import.meta.url));
const IDLE_WORKER = fileURLToPath(new URL("../idle-worker.ts", import.meta.url));
const PAGE = fileURLToPath(new URL("./page/", import.meta.url));
/** What a task may take besides its calls: opening a page, reading and saving the result. */
const BESIDE_LIMIT_MS = 60_000;
/** A client that has worked for so long is warm: calls get no faster after it, since the browser has compiled all. */
const WARM_AFTER_MS = 1000;
/** Short calls are made for so long once it is warm. */
const MEASURED_MS = 300;
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
  const site = scratch.path(`site-${name}`);
  // A copy: a build during the benchmark must not change what is measured.
  cpSync(dist, join(site, "stayput"), { recursive: true });
  copyFileSync(join(PAGE, "index.html"), join(site, "index.html"));
  await bundleForPage(join(PAGE, "page.ts"), join(site, "page.js"), "/stayput/index.js");
  await bundleForPage(IDLE_WORKER, join(site, "idle-worker.js"), "/stayput/index.js");
  const server = await serveStrictly({ "/": { folder: site } });
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
        let coldMilliseconds = 0;
        let milliseconds = 0;
        const memory: readonly ProcessMemory[] = await browser.watchMemory(async () => {
          coldMilliseconds = await call(page);
          for (let worked = coldMilliseconds; worked < WARM_AFTER_MS; ) worked += await call(page);
          const calls: number[] = [];
          for (let worked = 0; worked < MEASURED_MS; worked += calls.at(-1) ?? 0) {
            calls.push(await call(page));
          }
          milliseconds = median(calls);
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
          milliseconds,
          coldMilliseconds,
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
