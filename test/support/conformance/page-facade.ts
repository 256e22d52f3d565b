import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { ROOT } from "../../../scripts/dependencies.mjs";
import { ERROR_STATUS } from "../../../src/shared/errors.ts";
import { launchChromium } from "../browsers/launched-chromium.ts";
import { type StrictServer, serveStrictly } from "../browsers/strict-server.ts";
import { breaches } from "./contract.ts";
import type { Facade, WayOfPage } from "./facades.ts";
import type { ServiceRequest } from "./service-request.ts";

export const WAYS: readonly WayOfPage[] = ["methods", "client.fetch", "service worker"];

/** Holds an answer against what the table says and against the contract. */
export async function conforms(facade: Facade, request: ServiceRequest): Promise<void> {
  const { answer: expected, operation } = request;
  const outcome = await facade(request);
  expect(breaches(operation, outcome)).toEqual([]);
  if ("code" in expected) {
    expect(outcome.body).toMatchObject({
      success: false,
      error: { code: expected.code, details: expected.details ?? {} },
    });
    expect(outcome.status).toBe(ERROR_STATUS[expected.code]);
  } else {
    expect(outcome.body).toMatchObject({ success: true, file_name: expected.fileName });
    expect(outcome.begins.slice(0, expected.begins.length)).toBe(expected.begins);
  }
}

/** A page with a client, for the tests of one group; the client has the service for its base when there is one. */
export function pageFor(way: WayOfPage, serviceUrl?: () => string, apiKey?: string) {
  let browser: Browser;
  let server: StrictServer;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    const remote = serviceUrl?.();
    const options = remote === undefined ? {} : { baseUrl: remote, apiKey };
    const forServiceWorker = `
      await navigator.serviceWorker.register("/sw.js", { type: "module" });
      await client.answerServiceWorker();`;
    server = await serveStrictly(
      {
        "/vendor/": { folder: `${ROOT}dist` },
        "/index.html": {
          text: '<!doctype html><title>…</title><script type="module" src="/app.js"></script>',
        },
        "/app.js": {
          text: `import { createClient } from "/vendor/index.js";
            globalThis.client = createClient(${JSON.stringify(options)});
            ${way === "service worker" ? forServiceWorker : ""}
            document.title = "ready";`,
        },
        "/sw.js": { text: 'import { serve } from "/vendor/service-worker.js"; serve();' },
      },
      remote === undefined ? [] : [remote],
    );
    const context = await browser.newContext();
    page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.port}/`);
    await page.waitForFunction(() => document.title === "ready");
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });
  return {
    page: () => page,
    // What a service worker answers is under its own origin, and so is what a client without a base answers.
    baseUrl: () => (way === "service worker" ? "" : (serviceUrl?.() ?? "")),
  };
}
