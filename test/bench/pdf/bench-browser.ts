import { rmSync } from "node:fs";
import { type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";
import { chromiumLaunch } from "../../../scripts/machine.mjs";
import { PeakMemory } from "./peak-memory.ts";
import type { ProcessMemory } from "./task.ts";
import { withinTime } from "./within-time.ts";

const START_LIMIT_MS = 60_000;
const CLOSE_LIMIT_MS = 10_000;

interface BrowserProcess {
  readonly pid: number;
  readonly type: string;
  /** Seconds of the processor's time that it has taken so far. */
  readonly cpuTime: number;
}

/**
 * A Chromium with a profile on the disk: its Blobs may be larger than the memory that a profile in memory allows
 * them.
 */
export class BenchBrowser {
  readonly #context: BrowserContext;
  readonly #session: CDPSession;
  readonly #pid: number;
  readonly #profile: string;

  private constructor(context: BrowserContext, session: CDPSession, pid: number, profile: string) {
    this.#context = context;
    this.#session = session;
    this.#pid = pid;
    this.#profile = profile;
  }

  static async start(profile: string): Promise<BenchBrowser> {
    const context = await chromium.launchPersistentContext(profile, {
      ...chromiumLaunch(),
      headless: true,
      timeout: START_LIMIT_MS,
    });
    const browser = context.browser();
    if (browser === null) throw new Error("Playwright does not give the browser of a persistent profile");
    const session = await browser.newBrowserCDPSession();
    const own = (await processesOf(session)).find(({ type }) => type === "browser");
    if (own === undefined) throw new Error("the browser does not name its processes");
    return new BenchBrowser(context, session, own.pid, profile);
  }

  /** Opens a page that sets its title to `ready` once it is. */
  async open(url: string): Promise<Page> {
    const page = await this.#context.newPage();
    await page.goto(url, { timeout: START_LIMIT_MS });
    await page.waitForFunction(() => document.title === "ready", undefined, { timeout: START_LIMIT_MS });
    return page;
  }

  /** Does some work on a page, and tells the memory of the page's process and of the browser's own during it. */
  async watchMemory(work: () => Promise<void>): Promise<readonly ProcessMemory[]> {
    const before = (await processesOf(this.#session)).filter(({ type }) => /^(browser|renderer)$/.test(type));
    const watches = new Map(before.map(({ pid }) => [pid, new PeakMemory(pid)]));
    const peaks = new Map<number, number>();
    try {
      await work();
    } finally {
      for (const [pid, watch] of watches) peaks.set(pid, watch.stop());
    }
    const after = new Map((await processesOf(this.#session)).map((one) => [one.pid, one.cpuTime]));
    const effort = ({ pid, cpuTime }: BrowserProcess) => (after.get(pid) ?? cpuTime) - cpuTime;
    // The page that is worked on is in the renderer that had the most to do; the others only stand by.
    const renderers = before
      .filter(({ type }) => type === "renderer")
      .sort((one, other) => effort(other) - effort(one));
    return [...renderers.slice(0, 1), ...before.filter(({ type }) => type === "browser")].map(
      ({ pid, type }) => ({
        process: type,
        idleBytes: watches.get(pid)?.idleBytes ?? 0,
        peakBytes: peaks.get(pid) ?? 0,
      }),
    );
  }

  /** Ends the browser, by force when it does not end by itself. */
  async close(): Promise<void> {
    try {
      await withinTime(this.#context.close(), CLOSE_LIMIT_MS);
    } catch {
      try {
        process.kill(this.#pid, "SIGKILL");
      } catch {
        // It has ended after all.
      }
    }
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function processesOf(session: CDPSession): Promise<readonly BrowserProcess[]> {
  const { processInfo } = await withinTime(session.send("SystemInfo.getProcessInfo"), CLOSE_LIMIT_MS);
  return processInfo.map(({ id, type, cpuTime }) => ({ pid: id, type, cpuTime }));
}
