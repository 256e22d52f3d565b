import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { type PreviewServer, preview } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { openWatched } from "../support/browsers/watched-page.ts";
import { examplesIn } from "../support/docs.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

const SITE = `${ROOT}docs/.vitepress/dist`;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** One page of each kind. */
const KINDS = {
  home: "",
  guide: "guides/protect.html",
  reference: "reference/errors.html",
  API: "reference/api/stayput.html",
  playground: "playground.html",
};
const SCREENS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

/** A folder for pictures of the pages, to look at. None when absent. */
const PICTURES = process.env.DOCS_PICTURES;

let browser: Browser;
let server: PreviewServer;
let site: string;

beforeAll(async () => {
  execFileSync(process.execPath, [`${ROOT}scripts/docs.mjs`], { stdio: "inherit" });
  server = await preview({
    configFile: false,
    logLevel: "error",
    build: { outDir: SITE },
    preview: { host: "127.0.0.1", port: 0 },
  });
  site = server.resolvedUrls?.local[0] ?? "";
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test.each(Object.entries(KINDS))(
  "the %s page is accessible and loads nothing from elsewhere",
  async (kind, path) => {
    const { page, requests, complaints } = await openWatched(browser, site + path);
    await page.waitForLoadState("networkidle");
    // In a transition, colors are between two states.
    await page.addStyleTag({ content: "* { transition: none !important; animation: none !important; }" });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(colorScheme === "dark" ? "html.dark" : "html:not(.dark)").waitFor();
      for (const [screen, viewport] of Object.entries(SCREENS)) {
        await page.setViewportSize(viewport);
        if (PICTURES !== undefined) await takePicture(page, `${kind}-${screen}-${colorScheme}`);
        expect(await violationsOf(page), `${screen}, ${colorScheme}`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      }
    }
    expect(requests.filter((request) => !request.startsWith(`GET ${site}`))).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);

test("the playground protects a PDF in the tab", async () => {
  const { page, requests, complaints } = await openWatched(browser, `${site}playground.html`);
  const buffer = Buffer.from(makePdf({ pages: 3 }));
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "report.pdf", mimeType: "application/pdf", buffer });
  expect(await page.locator(".playground code").textContent()).toContain("client.protectPdf");
  await page.getByRole("button", { name: "Run" }).click();
  const link = page.getByRole("link", { name: "protected-report.pdf" });
  const bytes = await downloadOf(page, await link.getAttribute("href"));
  expect(bytes).toContain("/Encrypt");
  if (PICTURES !== undefined) await takePicture(page, "playground-result");
  expect(await violationsOf(page)).toEqual([]);
  expect(requests.filter((request) => !request.startsWith(`GET ${site}`))).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the search finds a guide", async () => {
  const { page } = await openWatched(browser, site);
  await page.getByRole("button", { name: /search/i }).click();
  await page.locator("#localsearch-input").fill("heic");
  await page
    .getByRole("option", { name: /Photos from a phone/ })
    .first()
    .waitFor();
  await page.context().close();
});

test("llms.txt lists pages that exist as Markdown", async () => {
  const index = readFileSync(join(SITE, "llms.txt"), "utf8");
  expect(index).toMatch(
    /^# Stayput\n\n> .+\n\n## Guides\n\n- \[Getting started\]\(\/guides\/getting-started\.md\): /,
  );
  for (const [, path = ""] of index.matchAll(/\]\(\/([^)]+)\)/g)) {
    expect(readFileSync(join(SITE, path), "utf8")).toMatch(/^# /);
  }
});

test("the whole page of the first guide protects a PDF", async () => {
  const page = await openExample("docs/guides/getting-started.md", "protectPdf");
  await page.locator("[name=password]").fill("open sesame");
  await page.locator("[name=file]").setInputFiles({
    name: "report.pdf",
    mimeType: "application/pdf",
    buffer: Buffer.from(makePdf({ pages: 1 })),
  });
  await page.getByRole("button", { name: "Protect" }).click();
  await page.getByRole("link", { name: "protected-report.pdf" }).waitFor();
  await page.context().close();
});

test("the page without a bundler converts an image", async () => {
  const page = await openExample("docs/recipes/no-bundler.md", "convert");
  const png = await page.screenshot();
  await page.locator("input").setInputFiles({ name: "shot.png", mimeType: "image/png", buffer: png });
  await page.getByRole("link", { name: "shot.jpg" }).waitFor();
  await page.context().close();
});

/** Opens the HTML of a page of the docs, beside the built package. */
async function openExample(page: string, call: string): Promise<Page> {
  const example = examplesIn(page).find(({ language, code }) => language === "html" && code.includes(call));
  const map = { imports: { stayput: "/stayput/index.js" } };
  const context = await browser.newContext();
  await context.route(`${site}example.html`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<script type="importmap">${JSON.stringify(map)}</script>${example?.code}`,
    }),
  );
  const opened = await context.newPage();
  await opened.goto(`${site}example.html`);
  return opened;
}

async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}

function downloadOf(page: Page, url: string | null): Promise<string> {
  return page.evaluate(async (url) => (await fetch(url ?? "")).text(), url);
}

async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES ?? "", { recursive: true });
  writeFileSync(join(PICTURES ?? "", `${name}.png`), await page.screenshot());
}
