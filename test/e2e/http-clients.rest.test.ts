import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { announceBrowser, type BrowserName, startBrowser } from "../support/browsers/browser-session.ts";
import type { DrivenBrowser, DrivenPage } from "../support/browsers/driven-browser.ts";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

// axios and ky over `client.fetch`, as docs/guides/switch-an-app.md says.

const APP = `import { createClient } from "/stayput/index.js";
  import axios from "/axios/axios.js";
  import ky from "/ky/index.js";

  const client = createClient({ baseUrl: "https://service.example" });
  const url = "https://service.example/api/split-pdf";
  const uploads = (events) => () => events.push("upload");
  const ways = {
    axios: async (form, onUploadProgress) => {
      const api = axios.create({ adapter: "fetch", env: { fetch: client.fetch, Request: null } });
      return (await api.post(url, form, { onUploadProgress })).data;
    },
    "axios with its Request": async (form, onUploadProgress) => {
      const api = axios.create({ adapter: "fetch", env: { fetch: client.fetch } });
      return (await api.post(url, form, { onUploadProgress })).data;
    },
    ky: (form) => ky.create({ fetch: client.fetch }).post(url, { body: form }).json(),
    "ky with progress": (form, onUploadProgress) =>
      ky.create({ fetch: client.fetch }).post(url, { body: form, onUploadProgress }).json(),
  };
  window.split = async ({ way, content }) => {
    const form = new FormData();
    form.append("file", new File([new Uint8Array(content)], "a.pdf"));
    form.append("pages", "1");
    const events = [];
    try {
      const { file_name } = await ways[way](form, uploads(events));
      return { file_name, uploads: events.length };
    } catch (error) {
      return { error: error.message };
    }
  };
  document.title = "ready";`;

/** What each way gets in each browser. The other ways are named in the guide as those that fail. */
const DONE = { file_name: "split-a.zip", uploads: 0 };
const NO_STREAMS = { error: expect.stringContaining("Request streams are not supported") };
const UNREADABLE = { error: "Request failed with status code 400" };
const EXPECTED = {
  axios: { chromium: DONE, firefox: DONE, webkit: DONE },
  "axios with its Request": {
    chromium: { file_name: "split-a.zip", uploads: expect.toSatisfy((count) => count === 1 || count === 2) },
    firefox: DONE,
    webkit: UNREADABLE,
  },
  ky: { chromium: DONE, firefox: DONE, webkit: { error: expect.stringContaining("status code 400") } },
  "ky with progress": {
    chromium: { file_name: "split-a.zip", uploads: 1 },
    firefox: NO_STREAMS,
    webkit: NO_STREAMS,
  },
};

describe.each(["chromium", "firefox", "webkit"] satisfies BrowserName[])("client.fetch in %s", (name) => {
  const isAbsent = !announceBrowser(name, "HTTP clients");
  let server: StrictServer;
  let browser: DrivenBrowser;
  let page: DrivenPage;

  beforeAll(async () => {
    if (isAbsent) return;
    server = await serveStrictly({
      "/index.html": { text: '<!doctype html><title>…</title><script type="module" src="/app.js"></script>' },
      "/app.js": { text: APP },
      "/stayput/": { folder: `${ROOT}dist` },
      "/axios/": { folder: `${ROOT}node_modules/axios/dist/esm` },
      "/ky/": { folder: `${ROOT}node_modules/ky/distribution` },
    });
    browser = await startBrowser(name);
    page = await browser.open(`http://127.0.0.1:${server.port}/`);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test.skipIf(isAbsent).for(Object.entries(EXPECTED))("answers %s", async ([way, expected]) => {
    const content = [...makePdf({ pages: 2, ballastPerPage: 100_000 })];
    expect(await page.call("split", { way, content })).toEqual(expected[name]);
  });
});
