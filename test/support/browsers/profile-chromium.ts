import { type Browser, type BrowserContext, type CDPSession, chromium } from "playwright-core";
import { chromiumLaunch } from "../../../scripts/machine.mjs";

/** A Chromium with a profile on the disk, and a session that speaks to the whole browser. */
export interface ProfileChromium {
  readonly context: BrowserContext;
  readonly session: CDPSession;
}

/** A process of a Chromium. */
export interface BrowserProcess {
  readonly pid: number;
  /** `browser`, `renderer` or another of Chromium's names. */
  readonly type: string;
  /** The processor time so far, in seconds. */
  readonly cpuTime: number;
}

/** Starts a Chromium with a profile on the disk. With a profile in memory, Chromium limits the size of Blobs. */
export async function launchWithProfile(profile: string): Promise<ProfileChromium> {
  const context = await chromium.launchPersistentContext(profile, { ...chromiumLaunch(), headless: true });
  const browser = context.browser();
  if (browser === null) throw new Error("Playwright does not give the browser of a persistent profile");
  return { context, session: await browser.newBrowserCDPSession() };
}

/** The processes of the browser: itself, its pages and its services. */
export async function processesOf(session: CDPSession): Promise<readonly BrowserProcess[]> {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return processInfo.map(({ id, type, cpuTime }) => ({ pid: id, type, cpuTime }));
}

/** The ids of the processes of a browser that has no session yet. */
export async function processIdsOf(browser: Browser): Promise<readonly number[]> {
  const session = await browser.newBrowserCDPSession();
  const processes = await processesOf(session);
  await session.detach();
  return processes.map(({ pid }) => pid);
}
