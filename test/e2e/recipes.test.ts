import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { build, transformWithOxc } from "vite";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { type Mounts, type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { openWatched, type WatchedPage } from "../support/browsers/watched-page.ts";
import { examplesIn } from "../support/docs.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

// The examples of recipes and guides that no other test runs, on a page with a strict policy.

declare global {
  // Set by the pages under test.
  var drawn: () => number;
  var done: Promise<void>;
  var marks: () => unknown;
}

let browser: Browser;
const servers: StrictServer[] = [];

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  for (const server of servers) await server.close();
});

test("the page without a bundler converts an image, and says what is wrong", async () => {
  const recipe = "docs/recipes/no-bundler.md";
  const page = examplesIn(recipe).find(
    ({ language, code }) => language === "html" && code.includes("<input"),
  );
  const { page: opened, complaints } = await open(page?.code ?? "", example(recipe, "app.js"));
  const png = makePng({ width: 8, height: 8, colorType: 2, bitDepth: 8, sample: () => [200, 100, 50] });
  const input = opened.locator("input");
  await input.setInputFiles({ name: "shot.png", mimeType: "image/png", buffer: Buffer.from(png) });
  await opened.getByRole("link", { name: "shot.jpg" }).waitFor();
  await input.setInputFiles({ name: "text.png", mimeType: "image/png", buffer: Buffer.from("text") });
  await opened.getByText("none of the accepted formats").waitFor();
  expect(complaints).toEqual([]);
  await opened.context().close();
});

test("the whole page of the first guide protects a PDF", async () => {
  const page = examplesIn("docs/guides/getting-started.md").find(({ language }) => language === "html");
  const server = await serveStrictly({
    // Its script is inline.
    "/index.html": { text: page?.code ?? "", headers: { "Content-Security-Policy": "" } },
    "/stayput/": { folder: `${ROOT}dist` },
  });
  servers.push(server);
  const { page: opened, complaints } = await openWatched(browser, `http://127.0.0.1:${server.port}/`);
  await opened.locator("[name=password]").fill("open sesame");
  await opened.locator("[name=file]").setInputFiles(reportPdf(3));
  await opened.getByRole("button", { name: "Protect" }).click();
  await opened.getByRole("link", { name: "protected-report.pdf" }).waitFor();
  expect(complaints).toEqual([]);
  await opened.context().close();
});

test("the thumbnails are drawn when they come into view, together and once", async () => {
  const code = await moduleOf("docs/recipes/pdf-viewer.md", "thumbnails.ts");
  const { page, complaints } = await open(
    "<main></main><script type=module src=app.js></script>",
    `${code}
    window.drawn = () => [...document.images].filter((image) => image.naturalWidth > 0).length;
    window.show = (bytes) => {
      const file = new File([new Uint8Array(bytes)], "a.pdf");
      window.done = showThumbnails(file, document.querySelector("main"), new AbortController().signal);
    };`,
  );
  await page.setViewportSize({ width: 200, height: 500 });
  await call(page, "show", [...makePdf({ pages: 30 })]);
  await page.waitForFunction(() => globalThis.drawn() > 1);
  expect(await page.evaluate(() => [document.images.length, globalThis.drawn() < 30])).toEqual([30, true]);
  for (let at = 1; at <= 30; at++)
    await page.getByAltText(`Page ${at}`, { exact: true }).scrollIntoViewIfNeeded();
  await page.waitForFunction(() => globalThis.drawn() === 30);
  await page.evaluate(() => globalThis.done);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the thumbnails of many files are drawn when they come into view, and leave the queue with it", async () => {
  const code = await moduleOf("docs/recipes/pdf-viewer.md", "file-thumbnails.ts");
  const { page, complaints } = await open(
    "<main></main><script type=module src=app.js></script>",
    `${code}
    window.drawn = () => [...document.images].filter((image) => image.naturalWidth > 0).length;
    window.show = ({ pdf, png }) => {
      const pair = (at) => [new File([new Uint8Array(pdf)], at + ".pdf"), new File([new Uint8Array(png)], at + ".png")];
      const files = Array.from({ length: 20 }, (_, at) => pair(at)).flat();
      const broken = new File(["%PDF-1.7"], "broken.pdf");
      showFiles([broken, ...files], document.querySelector("main"), new AbortController().signal);
    };`,
  );
  await page.setViewportSize({ width: 200, height: 500 });
  const png = makePng({ width: 8, height: 8, colorType: 2, bitDepth: 8, sample: () => [200, 100, 50] });
  await call(page, "show", { pdf: [...makePdf({ pages: 2 })], png: [...png] });
  await page.waitForFunction(() => globalThis.drawn() > 1);
  await page.waitForFunction(() => document.images[0]?.title !== "");
  // Those on the way to the last one are drawn only when they are in view.
  await page.getByAltText("19.png").scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.images[40]?.naturalWidth);
  expect(await page.evaluate(() => globalThis.drawn())).toBeLessThan(40);
  for (let at = 39; at > 0; at--) {
    await page.locator("img").nth(at).scrollIntoViewIfNeeded();
    await page.waitForFunction((at) => document.images[at]?.naturalWidth, at);
  }
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the search marks each word that it finds", async () => {
  const code = await moduleOf("docs/recipes/pdf-viewer.md", "search.ts");
  const { page, complaints } = await open(
    "<main></main><script type=module src=app.js></script>",
    `${code}
    window.search = ({ bytes, term }) =>
      showMatches(new File([new Uint8Array(bytes)], "a.pdf"), term, document.querySelector("main"), new AbortController().signal);
    window.marks = () => [...document.querySelectorAll("canvas")].map((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return { title: canvas.title, isMarked: data.some((value, at) => at % 4 === 2 && value < 200 && data[at - 2] > 250) };
    });`,
  );
  const bytes = [...makePdf({ pages: 3 })];
  expect(await call(page, "search", { bytes, term: "2" })).toBe(1);
  expect(await page.evaluate(() => globalThis.marks())).toEqual([{ title: "Page 2", isMarked: true }]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the answer to a switched app becomes a text of its language, with its details", async () => {
  const recipe = "docs/recipes/messages.md";
  const modules = ["messages", "explain", "split"].map(async (name) => {
    const code = await moduleOf(recipe, `${name}.ts`);
    return [`/${name}.js`, { text: code.replaceAll(/"\.\/(\w+)"/g, '"/$1.js"') }] as const;
  });
  const { page, complaints } = await open(
    "<a id=link></a><script type=module src=app.js></script>",
    `import { split } from "/split.js";
    window.split = async ({ bytes, pages }) => {
      const form = new FormData();
      form.append("file", new File([new Uint8Array(bytes)], "report.pdf"));
      form.append("pages", pages);
      return (await split(form)) ?? link.download;
    };`,
    Object.fromEntries(await Promise.all(modules)),
  );
  const bytes = [...makePdf({ pages: 3 })];
  expect(await call(page, "split", { bytes, pages: "1,99" })).toBe(
    "Die Datei hat nicht alle diese Seiten. (1–3)",
  );
  expect(await call(page, "split", { bytes, pages: "1" })).toBe("split-report.zip");
  expect(complaints).toEqual([]);
  await page.context().close();
});

test.each(["module", "classic"])(
  "the service worker that Vite builds answers a form as a %s script",
  async (type) => {
    const guide = "docs/guides/switch-an-app.md";
    const form = examplesIn(guide).find(({ language }) => language === "html")?.code;
    const page = example(guide, "on the app's pages").replace('type: "module"', `type: "${type}"`);
    // In the repository, so that the configuration finds Vite.
    mkdirSync(join(ROOT, ".cache"), { recursive: true });
    const folder = mkdtempSync(join(ROOT, ".cache", "guide-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(ROOT, join(folder, "node_modules", "stayput"), "junction");
    const files = {
      "index.html": `<!doctype html><meta charset="utf-8"><title>App</title>${form}<script type="module" src="/page.ts"></script>`,
      "page.ts": `${page}document.title = "ready";`,
      "sw.js": example(guide, "sw.js"),
      "vite.config.js": example(guide, "vite.config.js"),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    await build({ root: folder, configFile: join(folder, "vite.config.js"), logLevel: "error" });
    const server = await serveStrictly({ "/": { folder: join(folder, "dist") } });
    servers.push(server);
    const { page: opened, complaints } = await openWatched(browser, `http://127.0.0.1:${server.port}/`);
    await opened.waitForFunction(() => document.title === "ready");
    await opened.locator("[name=file]").setInputFiles(reportPdf(6));
    await opened.getByRole("button", { name: "Split" }).click();
    await opened.getByText('"file_name":"split-report.zip"').waitFor();
    expect(complaints).toEqual([]);
    expect(server.log.filter((request) => request.startsWith("POST"))).toEqual([]);
    await opened.context().close();
  },
);

/** Opens a page with its script, beside the built package. */
async function open(html: string, script: string, modules: Mounts = {}): Promise<WatchedPage> {
  const server = await serveStrictly({
    ...modules,
    "/index.html": { text: `<!doctype html><title>App</title>${html}` },
    "/app.js": { text: script },
    "/stayput/": { folder: `${ROOT}dist` },
  });
  servers.push(server);
  const watched = await openWatched(browser, `http://127.0.0.1:${server.port}/index.html`);
  await watched.page.waitForLoadState("networkidle");
  return watched;
}

function reportPdf(pages: number) {
  return { name: "report.pdf", mimeType: "application/pdf", buffer: Buffer.from(makePdf({ pages })) };
}

/** Returns an example in TypeScript as a script of a page. */
async function moduleOf(page: string, name: string): Promise<string> {
  const { code } = await transformWithOxc(example(page, name), name);
  return code.replaceAll('"stayput"', '"/stayput/index.js"');
}

/** Returns the example that names a file. */
function example(page: string, name: string): string {
  const found = examplesIn(page).find(({ code }) => code.startsWith(`// ${name}\n`));
  if (found === undefined) throw new Error(`${page} has no example ${name}`);
  return found.code;
}

function call(page: Page, name: string, argument: unknown): Promise<unknown> {
  return page.evaluate(
    ([name, argument]) => Reflect.apply(Reflect.get(globalThis, name), undefined, [argument]),
    [name, argument] as const,
  );
}
