import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { ROOT } from "../../../scripts/dependencies.mjs";
import type { ServeOptions } from "../../../src/service-worker.ts";
import { makePdf } from "../fixtures/pdf.ts";
import { launchChromium } from "./launched-chromium.ts";
import { type StrictServer, serveStrictly } from "./strict-server.ts";

const FORM = `<form action="/api/split-pdf" method="post" enctype="multipart/form-data">
  <input type="file" name="file"><input name="pages" value="1,last"><button>Split</button>
</form>`;

/** A page that works for the service worker. */
const WORKING = `import { createClient } from "/vendor/stayput/index.js";
  await navigator.serviceWorker.register("/sw.js", { type: "module" });
  globalThis.client = createClient();
  await client.answerServiceWorker();
  document.title = "ready";`;

/** A page whose client takes the work and never ends it. */
const STUCK = WORKING.replace(
  "createClient()",
  'createClient({ createWorker: () => { document.title = "busy"; return new Worker("/deaf.js"); } })',
);

/** A page of the app that does no work. */
const IDLE = 'await navigator.serviceWorker.ready; document.title = "ready";';

const pageWith = (script: string) =>
  `<!doctype html><title>…</title>${FORM}<script type="module" src="${script}"></script>`;
const serving = (options: ServeOptions) =>
  `import { serve } from "/vendor/stayput/service-worker.js"; serve(${JSON.stringify(options)});`;

/** An app whose service worker answers requests to the service, in Chromium. */
export class ServiceWorkerApp {
  readonly server: StrictServer;
  readonly origin: string;
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];

  private constructor(server: StrictServer, browser: Browser) {
    this.server = server;
    this.origin = `http://127.0.0.1:${server.port}`;
    this.#browser = browser;
  }

  static async start(): Promise<ServiceWorkerApp> {
    const server = await serveStrictly({
      "/vendor/stayput/": { folder: `${ROOT}dist` },
      "/index.html": { text: pageWith("/working.js") },
      "/working.js": { text: WORKING },
      "/stuck.html": { text: pageWith("/stuck.js") },
      "/stuck.js": { text: STUCK },
      "/deaf.js": { text: "// Never answers." },
      "/idle.html": { text: pageWith("/idle.js") },
      "/idle.js": { text: IDLE },
      "/empty.html": { text: "<!doctype html><title>Empty</title>" },
      "/sw.js": { text: serving({}) },
      "/brief/index.html": { text: pageWith("/brief/working.js") },
      "/brief/working.js": { text: WORKING.replace("/sw.js", "/brief/sw.js") },
      "/brief/sw.js": { text: serving({ baseUrl: ".", downloadLifetime: 1 }) },
    });
    return new ServiceWorkerApp(server, await launchChromium());
  }

  /** Opens a page in a new profile. */
  async open(path: string): Promise<{ context: BrowserContext; page: Page }> {
    const context = await this.#browser.newContext({ acceptDownloads: true });
    this.#contexts.push(context);
    return { context, page: await this.openIn(context, path) };
  }

  /** Opens a page and waits until it is ready. */
  async openIn(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(this.origin + path);
    if (path !== "/empty.html") await page.waitForFunction(() => document.title === "ready");
    return page;
  }

  async closePages(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close();
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.server.close();
  }
}

/** The app of the running test, see {@link useServiceWorkerApp}. */
export let app: ServiceWorkerApp;

/** Starts the app for the tests of a file, and closes its pages after each test. */
export function useServiceWorkerApp(): void {
  beforeAll(async () => {
    app = await ServiceWorkerApp.start();
  });
  afterEach(() => app.closePages());
  afterAll(() => app.close());
}

/** Posts a form with a PDF from the page, and returns the answer. */
export function post(
  page: Page,
  path: string,
  fields: Readonly<Record<string, string>>,
  content: Uint8Array = makePdf({ pages: 3 }),
) {
  return page.evaluate(
    async ({ path, fields, content }) => {
      const form = new FormData();
      form.append("file", new File([Uint8Array.from(content)], "Prüfbericht (1).pdf"));
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      const response = await fetch(path, { method: "POST", body: form });
      const type = response.headers.get("content-type");
      return { status: response.status, type, url: response.url, body: await response.json() };
    },
    { path, fields, content: [...content] },
  );
}

/** Posts a form to split a PDF from the page. */
export function split(page: Page) {
  return post(page, "/api/split-pdf", { pages: "1,last" });
}

/** Requests a URL from the page, and returns the answer. */
export function get(
  page: Page,
  url: string,
  init: { readonly method?: string; readonly headers?: Record<string, string> } = {},
) {
  return page.evaluate(
    async ({ url, init }) => {
      const response = await fetch(url, init);
      const bytes = [...new Uint8Array(await response.arrayBuffer())];
      const headers: Record<string, string> = Object.fromEntries(response.headers);
      return { status: response.status, headers, bytes };
    },
    { url, init },
  );
}
