import { type Browser, type BrowserServer, chromium } from "playwright-core";
import { chromiumLaunch } from "../../../scripts/machine.mjs";

/** A host name of the loopback without a secure context: its pages have no `crypto.subtle`. */
export const INSECURE_HOST = "plain.stayput.test";

/** The variable with the address of the Chromium that all test files of a run share. */
export const SHARED_CHROMIUM = "STAYPUT_TEST_CHROMIUM";

function launchOptions() {
  const { args, ...launch } = chromiumLaunch();
  return { ...launch, args: [...args, `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`] };
}

/** Starts the Chromium of this machine for all test files of a run. */
export function serveChromium(): Promise<BrowserServer> {
  return chromium.launchServer(launchOptions());
}

/**
 * Returns the Chromium that all test files of a run share, or starts one. Each caller sees its own contexts alone, and ends
 * them by closing the browser.
 */
export function launchChromium(): Promise<Browser> {
  const shared = process.env[SHARED_CHROMIUM];
  return shared === undefined ? launchOwnChromium() : chromium.connect(shared);
}

/** Starts a Chromium for tests that measure its processes, or choose files that change or are large: a shared one gets copies. */
export function launchOwnChromium(): Promise<Browser> {
  return chromium.launch(launchOptions());
}
