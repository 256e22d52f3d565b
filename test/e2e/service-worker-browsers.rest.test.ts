import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { announceBrowser } from "../support/browsers/browser-session.ts";
import type { DrivenBrowser, DrivenPage } from "../support/browsers/driven-browser.ts";
import { startFirefox } from "../support/browsers/firefox.ts";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { startWebKit } from "../support/browsers/webkit.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

const START = { firefox: startFirefox, webkit: startWebKit };

/** Splits a document by the page's own `fetch` and by a form, and tells what came of it. */
const APP = `import { createClient } from "/vendor/stayput/index.js";
  await navigator.serviceWorker.register("/sw.js", { type: "module" });
  await createClient().answerServiceWorker();

  const formOf = (content, pages) => {
    const form = new FormData();
    form.append("file", new File([new Uint8Array(content)], "Prüfbericht.pdf"));
    form.append("pages", pages);
    return form;
  };

  window.byFetch = async ({ content, pages }) => {
    const response = await fetch("/api/split-pdf", { method: "POST", body: formOf(content, pages) });
    const body = await response.json();
    if (!body.success) return { status: response.status, code: body.error.code };
    const part = await fetch(body.download_url, { headers: { range: "bytes=0-3" } });
    const whole = await fetch(body.download_url);
    return {
      status: response.status,
      fileName: body.file_name,
      part: [part.status, await part.text()],
      isWhole: (await whole.blob()).size === Number(whole.headers.get("content-length")),
      disposition: whole.headers.get("content-disposition"),
    };
  };

  window.byForm = ({ content, pages }) => new Promise((resolve) => {
    const frame = Object.assign(document.createElement("iframe"), { name: "answer" });
    const form = Object.assign(document.createElement("form"), {
      action: "/api/split-pdf", method: "post", enctype: "multipart/form-data", target: "answer",
    });
    const chosen = new DataTransfer();
    chosen.items.add(formOf(content, pages).get("file"));
    const file = Object.assign(document.createElement("input"), { type: "file", name: "file", files: chosen.files });
    const field = Object.assign(document.createElement("input"), { name: "pages", value: pages });
    form.append(file, field);
    document.body.append(frame, form);
    frame.addEventListener("load", () => {
      const text = frame.contentDocument.body.textContent;
      if (text.includes("success")) resolve(JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)));
    });
    form.submit();
  });

  document.title = "ready";`;

describe.each(["firefox", "webkit"] as const)("the service worker in %s", (name) => {
  const isAbsent = !announceBrowser(name, "the service worker");

  describe.skipIf(isAbsent)("answers", () => {
    let server: StrictServer;
    let browser: DrivenBrowser;
    let page: DrivenPage;
    const content = [...makePdf({ pages: 3 })];

    beforeAll(async () => {
      server = await serveStrictly({
        "/index.html": {
          text: '<!doctype html><title>App</title><body><script type="module" src="/app.js"></script>',
        },
        "/app.js": { text: APP },
        "/sw.js": { text: 'import { serve } from "/vendor/stayput/service-worker.js"; serve();' },
        "/vendor/stayput/": { folder: `${ROOT}dist` },
      });
      browser = await START[name]();
      page = await browser.open(`http://127.0.0.1:${server.port}/`);
    });
    afterAll(async () => {
      await browser.close();
      await server.close();
    });

    test("fetch with a stored file", async () => {
      expect(await page.call("byFetch", { content, pages: "1,last" })).toEqual({
        status: 200,
        fileName: "split-Prüfbericht.zip",
        part: [206, "PK\x03\x04"],
        isWhole: true,
        disposition:
          "attachment; filename=\"split-Pr_fbericht.zip\"; filename*=UTF-8''split-Pr%C3%BCfbericht.zip",
      });
      expect(await page.call("byFetch", { content, pages: "9" })).toEqual({
        status: 400,
        code: "invalid_page_selection",
      });
    });

    test("a form", async () => {
      expect(await page.call("byForm", { content, pages: "1,last" })).toMatchObject({
        success: true,
        file_name: "split-Prüfbericht.zip",
      });
      expect(server.log.filter((request) => /POST|api|download/.test(request))).toEqual([]);
    });
  });
});
