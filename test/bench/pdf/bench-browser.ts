import { rmSync } from "node:fs";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { openReady } from "../../support/browsers/open-ready.ts";
import {
  type BrowserProcess,
  launchWithProfile,
  processesOf,
} from "../../support/browsers/profile-chromium.ts";
import { HANG_LIMIT_MS } from "../../support/hang-limit.ts";
import { withinTime } from "../contest.ts";
import { PeakMemory } from "../peak-memory.ts";
import type { ProcessMemory } from "./task.ts";

const CLOSE_LIMIT_MS = 10_000;

/** The Chromium of the benchmark, which measures the memory of its processes. */
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
    const { context, session } = await launchWithProfile(profile);
    const own = (await processesOf(session)).find(({ type }) => type === "browser");
    if (own === undefined) throw new Error("the browser does not name its processes");
    return new BenchBrowser(context, session, own.pid, profile);
  }

  /** Opens a page and waits until it sets its title to `ready`. */
  async open(url: string): Promise<Page> {
    const page = await this.#context.newPage();
    await openReady(page, url);
    return page;
  }

  /** Runs the work and returns the memory of the busiest page's process and of the browser's own process during it. */
  async watchMemory(work: () => Promise<void>): Promise<readonly ProcessMemory[]> {
    const before = (await withinTime(processesOf(this.#session), HANG_LIMIT_MS)).filter(({ type }) =>
      /^(browser|renderer)$/.test(type),
    );
    const watches = new Map(before.map(({ pid }) => [pid, new PeakMemory(pid)]));
    const peaks = new Map<number, number>();
    try {
      await work();
    } finally {
      for (const [pid, watch] of watches) peaks.set(pid, watch.stop());
    }
    const after = new Map(
      (await withinTime(processesOf(this.#session), HANG_LIMIT_MS)).map((one) => [one.pid, one.cpuTime]),
    );
    const effort = ({ pid, cpuTime }: BrowserProcess) => (after.get(pid) ?? cpuTime) - cpuTime;
    // The renderer that used the most processor time runs the page of the work. The others are idle.
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

  /** Closes the browser. Kills it when it does not close. */
  async close(): Promise<void> {
    try {
      await withinTime(this.#context.close(), CLOSE_LIMIT_MS);
    } catch (error) {
      process.stderr.write(`killing the browser: ${error}\n`);
      killIfRunning(this.#pid);
    }
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
