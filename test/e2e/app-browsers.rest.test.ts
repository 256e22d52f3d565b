import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEMO } from "../../scripts/built.mjs";
import { announceBrowser } from "../support/browsers/browser-session.ts";
import type { DrivenBrowser, DrivenPage } from "../support/browsers/driven-browser.ts";
import { startFirefox } from "../support/browsers/firefox.ts";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { startWebKit } from "../support/browsers/webkit.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

const START = { firefox: startFirefox, webkit: startWebKit };

/** Uses the page as a person does. Runs beside the app, in the same document. */
const HANDS = `
  const until = async (find) => {
    // Before the driver of WebKit gives up, so that the page can be seen.
    const end = performance.now() + 240_000;
    while (performance.now() < end) {
      const found = find();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("there is no " + find + "; the page says: " + document.body.textContent.slice(0, 2000));
  };
  const input = await until(() => document.querySelector("#file-input"));

  /** Does one task with one file. Returns the name of the result, or what the page says instead. */
  window.doTask = async ({ name, content, task, fields }) => {
    document.querySelector(".pane-title button")?.click();
    location.hash = task;
    const chosen = new DataTransfer();
    chosen.items.add(new File([new Uint8Array(content)], name));
    const input = await until(() => document.querySelector(".welcome #file-input"));
    input.files = chosen.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    await until(() => document.querySelector('.tab[aria-current][data-task="' + task + '"]'));
    await until(() => document.querySelector("#start"));
    for (const [id, value] of Object.entries(fields)) {
      const field = await until(() => document.querySelector('[id^="' + id + '"]'));
      field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    document.querySelector("#start").click();
    const end = await until(() => document.querySelector(".output-name, .failure p, .field-problem:not(:empty)"));
    return (end.querySelector("input")?.value ?? "") + end.textContent;
  };

  /** Lets the page keep everything offline. Returns what it then says. */
  window.keepEverything = async () => {
    (await until(() => document.querySelector("#keep"))).click();
    const said = document.querySelector("#offline");
    await until(() => document.querySelector("#keep") === null && !said.textContent.startsWith("Keeping"));
    return said.textContent;
  };

  /** Compares a picture before and after. Returns the widths of both. */
  window.compare = async ({ name, content }) => {
    await window.doTask({ name, content, task: "convert", fields: {} });
    document.querySelector(".result-back").click();
    const after = await until(() => document.querySelector(".comparison-after img"));
    const before = await until(() => document.querySelector(".comparison-before img"));
    await until(() => before.naturalWidth > 0 && after.naturalWidth > 0);
    return [before.naturalWidth, after.naturalWidth];
  };
  /** Cuts a document after a page. Returns the selection, and whether all cells with a picture are inside the grid. */
  window.cutAfter = async ({ name, content, page, pageCount }) => {
    await window.doTask({ name, content, task: "split", fields: { "split-pages": "1" } });
    document.querySelector(".result-back").click();
    await until(() => document.querySelectorAll(".page img").length === pageCount);
    document.querySelector('[name="split-way"][value="pages"]').click();
    await until(() => document.querySelector(".seam"));
    document.querySelector('.seam[data-after="' + page + '"]').click();
    await until(() => document.querySelectorAll('.page[aria-selected="true"]').length === pageCount);
    const grid = document.querySelector(".page-grid").getBoundingClientRect();
    const isInside = ({ left, right, top, bottom }) =>
      left >= grid.left && right <= grid.right && top >= grid.top && bottom <= grid.bottom;
    const cells = [...document.querySelectorAll(".page")].map((cell) => cell.getBoundingClientRect());
    return [document.querySelector('[name^="split-pages"]').value, cells.every(isInside)];
  };
  document.title = "ready";`;

describe.each(["firefox", "webkit"] as const)("the app in %s", (name) => {
  const isAbsent = !announceBrowser(name, "the app");

  describe.skipIf(isAbsent)("under the strict policy", () => {
    let server: StrictServer;
    let browser: DrivenBrowser;
    let page: DrivenPage;
    const pdf = [...makePdf({ pages: 3 })];
    const sample = (x: number, y: number) => [4 * x, 4 * y, 99];
    const png = [...makePng({ width: 40, height: 30, colorType: 2, bitDepth: 8, sample })];

    beforeAll(async () => {
      const html = readFileSync(join(DEMO, "index.html"), "utf8");
      server = await serveStrictly({
        "/app/": { folder: DEMO },
        "/app/driven.html": {
          text: html.replace("</head>", '<script type="module" src="./hands.js"></script></head>'),
        },
        "/app/hands.js": { text: HANDS },
      });
      browser = await START[name]();
      page = await browser.open(`http://127.0.0.1:${server.port}/app/driven.html`);
    });
    afterAll(async () => {
      await browser.close();
      await server.close();
    });

    test("keeps everything for use without a network", async () => {
      expect(await page.call("keepEverything", null)).toContain("opens and works without a network");
      await server.close();
    });

    test("shows the pages of a document, and cuts it", async () => {
      const document = { name: "pages.pdf", content: pdf, page: 2, pageCount: 3 };
      expect(await page.call("cutAfter", document)).toEqual(["1, 2, 3", true]);
    });

    test.each([
      ["split", "a.pdf", pdf, { "split-pages": "1,3" }, "a-1.pdf"],
      [
        "protect",
        "b.pdf",
        pdf,
        { "protect-password": "secret", "protect-repeated": "secret" },
        "protected-b.pdf",
      ],
      ["convert", "c.png", png, {}, "c.jpg"],
      ["split", "d.pdf", pdf, { "split-pages": "9" }, "There is no page 9. The file has 3 pages."],
    ])("%s of %s without the server", async (task, fileName, content, fields, end) => {
      expect(await page.call("doTask", { name: fileName, content, task, fields })).toBe(end);
    });

    test("compares a picture before and after", async () => {
      expect(await page.call("compare", { name: "e.png", content: png })).toEqual([40, 40]);
    });
  });
});
