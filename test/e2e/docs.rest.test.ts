import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { type PreviewServer, preview } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { OPERATION_NAMES } from "../../src/http/path.ts";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { openWatched } from "../support/browsers/watched-page.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { Scratch } from "../support/native-tools.ts";

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

/** What readers look for, and the title of the page that says it. */
const FOUND: Readonly<Record<string, string>> = {
  heic: "Photos from a phone",
  "delete a page": "Extract or delete pages",
  "extract pages": "Extract or delete pages",
  "remove metadata": "Clean a PDF",
  shrink: "Compress a PDF",
  compress: "Compress a PDF",
  rotate: "Rotate pages and images",
  redact: "What Stayput does not do",
  "read but not printed": "Protect a PDF",
  "heic react progress": "React",
  "axios other origin": "Switch an app",
  xhr: "Switch an app",
  jank: "Page viewer",
  "thumbnails of many files": "Page viewer",
  "batch photos": "Photos from a phone",
  "reorder pages": "Merge PDFs and images",
  "delete and rotate pages": "Rotate pages and images",
};

/** How many results a reader looks at. */
const SEEN = 3;

/** A folder for pictures of the pages, to look at. None when absent. */
const PICTURES = process.env.DOCS_PICTURES;

const scratch = new Scratch();
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
  scratch.remove();
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

/** What each operation of the playground makes of its example, by its anchor. */
const PLAYED: Readonly<Record<string, string | RegExp>> = {
  protect: "protected-report.pdf",
  unlock: "unlocked-locked.pdf",
  split: "split-report.zip",
  "split-parts": /report-1-2\.pdf.*report-3-4\.pdf/,
  extract: "report.pdf",
  merge: "merged-report.pdf",
  organize: "merged-report.pdf",
  rotate: "report.pdf",
  compress: "compressed-scan.pdf",
  clean: "cleaned-offer.pdf",
  repair: "cut-off.pdf",
  inspect: /"format": "pdf".*"hidden"/,
  "pages-to-images": "report.png",
  "show-pages": /page-1\.png.*page-4\.png/,
  text: /report\.txt.*Page 4/,
  "read-text": /Page 2: 2 words, the first, “Page”/,
  heic: "photo.jpg",
  image: "hills.webp",
  "images-to-pdf": "hills.pdf",
};

/** The methods of the client that work on files. */
const METHODS = [...OPERATION_NAMES, "inspect", "renderPages", "readText", "splitParts"];

test("the playground runs each operation on its example", async () => {
  const { page, requests, complaints } = await openWatched(browser, `${site}playground.html`);
  const listed = page.locator(".list input");
  await listed.first().waitFor();
  const codes: string[] = [];
  const ids: string[] = [];
  for (const input of await listed.all()) {
    await input.check({ force: true });
    const id = (await page.evaluate(() => location.hash.slice(1))) || "protect";
    ids.push(id);
    codes.push((await page.locator(".playground code").textContent()) ?? "");
    await page.getByRole("button", { name: "Run with an example" }).click();
    const outcome = page.locator(".outcome", { hasText: /./ });
    await outcome.waitFor();
    const said = ((await outcome.textContent()) ?? "").replaceAll("\n", " ");
    expect(said).toContain("Done in this tab");
    expect(said).toMatch(PLAYED[id] ?? `an entry for ${id}`);
  }
  expect(ids).toEqual(Object.keys(PLAYED));
  expect(METHODS.filter((name) => !codes.some((code) => code.includes(`client.${name}(`)))).toEqual([]);
  expect(requests.filter((request) => !request.startsWith(`GET ${site}`))).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the playground protects a file of the reader with the code that it shows", async () => {
  const { page, complaints } = await openWatched(browser, `${site}playground.html`);
  await page.locator("input[type=file]").setInputFiles(reportPdf());
  expect(await page.locator(".playground code").textContent()).toContain("client.protectPdf");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const link = page.getByRole("link", { name: "protected-report.pdf" });
  expect(await downloadOf(page, await link.getAttribute("href"))).toContain("/Encrypt");
  if (PICTURES !== undefined) await takePicture(page, "playground-result");
  expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the home page protects a PDF and converts a picture that are chosen there", async () => {
  const { page, requests, complaints } = await openWatched(browser, site);
  await page.locator("input[type=file]").setInputFiles(reportPdf());
  const link = page.getByRole("link", { name: "protected-report.pdf" });
  expect(await downloadOf(page, await link.getAttribute("href"))).toContain("/Encrypt");
  if (PICTURES !== undefined) await takePicture(page, "home-result");
  expect(await violationsOf(page)).toEqual([]);
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "shot.png", mimeType: "image/png", buffer: await page.screenshot() });
  await page.getByRole("link", { name: "shot.webp" }).waitFor();
  expect(await page.locator(".try code").textContent()).toContain('output_format: "webp"');
  await page.locator(".try [name=output_format]").selectOption("png");
  expect(await page.locator(".outcome").textContent()).toBe("");
  await page.getByRole("button", { name: "Run again" }).click();
  await page.getByRole("link", { name: "shot.png" }).waitFor();
  expect(requests.filter((request) => !request.startsWith(`GET ${site}`))).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the playground takes the same file for another operation", async () => {
  const { page } = await openWatched(browser, `${site}playground.html#protect`);
  const path = scratch.path("report.pdf");
  writeFileSync(path, makePdf({ pages: 3 }));
  const protocol = await page.context().newCDPSession(page);
  // As a person: Playwright fires the event itself, also when the browser does not.
  const choose = async () => {
    const { root } = await protocol.send("DOM.getDocument");
    const { nodeId } = await protocol.send("DOM.querySelector", {
      nodeId: root.nodeId,
      selector: "input[type=file]",
    });
    await protocol.send("DOM.setFileInputFiles", { nodeId, files: [path] });
  };
  await page.locator("input[type=file]").waitFor();
  await choose();
  await page.getByText("report.pdf, ").waitFor();
  await page.locator(".list").getByText("Split a PDF", { exact: true }).click();
  await page.getByText("Or drop one here.").waitFor();
  await choose();
  await page.getByText("report.pdf, ").waitFor();
  await page.context().close();
});

test("the playground shows no result of a file or field that was changed while it ran", async () => {
  const { page } = await openWatched(browser, `${site}playground.html#protect`);
  const outcome = page.locator(".outcome");
  await page.getByRole("button", { name: "Run with an example" }).click();
  await page.locator("[name=password]").fill("another");
  await page.locator("input[type=file]").setInputFiles({ ...reportPdf(), name: "second.pdf" });
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("link", { name: "protected-second.pdf" }).waitFor();
  await page.locator("[name=password]").fill("a third");
  expect(await outcome.textContent()).toBe("");
  await page.context().close();
});

test("the page that measures shows a time of each way for each job", async () => {
  const { page, requests, complaints } = await openWatched(browser, `${site}measure.html`);
  await page.locator("[name=rounds]").selectOption("1");
  await page.getByRole("button", { name: "Measure" }).click();
  await page.getByText("Done.").waitFor();
  const rows = await page.locator("tbody tr").allTextContents();
  expect(rows).toHaveLength(4);
  for (const row of rows) expect(row).toMatch(/[\d.,]+ ms[\d.,]+ ms, .*[\d.]+ of its time/);
  if (PICTURES !== undefined) await takePicture(page, "measure-result");
  expect(await violationsOf(page)).toEqual([]);
  expect(requests.filter((request) => !request.startsWith(`GET ${site}`))).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the policy of the site refuses a request to another origin", async () => {
  const { page } = await openWatched(browser, `${site}guides/protect.html`);
  const refused = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective));
        fetch("http://127.0.0.1:9/").catch(() => undefined);
      }),
  );
  expect(refused).toBe("connect-src");
  await page.context().close();
});

test.each(Object.entries(FOUND))("the search for “%s” finds %s", async (words, title) => {
  const { page } = await openWatched(browser, site);
  await page.getByRole("button", { name: /search/i }).click();
  await page.locator("#localsearch-input").fill(words);
  const option = page.getByRole("option");
  await option.first().waitFor();
  const shown = (await option.allTextContents()).slice(0, SEEN);
  expect(shown.filter((text) => text.includes(title))).not.toEqual([]);
  await page.context().close();
});

test("the keys open the search", async () => {
  const { page } = await openWatched(browser, site);
  // The page listens to keys when its code runs. Vue then names the app on its root.
  await page.waitForFunction(() => "__vue_app__" in (document.querySelector("#app") ?? {}));
  await page.keyboard.press("Control+k");
  await page.locator("#localsearch-input").waitFor();
  await page.context().close();
});

test("llms.txt lists pages that exist as Markdown", async () => {
  const index = readFileSync(join(SITE, "llms.txt"), "utf8");
  expect(index).toMatch(
    /^# Stayput\n\n> .+\n\n\[.+\]\(\/llms-full\.txt\)\n\n## Start\n\n- \[Getting started\]\(\/guides\/getting-started\.md\): /,
  );
  for (const [, path = ""] of index.matchAll(/\]\(\/([^)]+)\)/g)) {
    expect(readFileSync(join(SITE, path), "utf8")).toMatch(/^# /);
  }
  const full = readFileSync(join(SITE, "llms-full.txt"), "utf8");
  for (const title of ["# Stayput", "# Split a PDF", "# React", "# Errors", "# Privacy"]) {
    expect(full).toContain(`${title}\n`);
  }
  expect(full).not.toContain("# Contributing\n");
});

function reportPdf() {
  return { name: "report.pdf", mimeType: "application/pdf", buffer: Buffer.from(makePdf({ pages: 3 })) };
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
