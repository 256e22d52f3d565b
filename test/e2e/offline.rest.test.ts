import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { DEMO, DEMO_WITH_SERVICE, SERVICE_URL } from "../../scripts/built.mjs";
import { chromiumLaunch } from "../../scripts/machine.mjs";
import { AppPage, type TaskLabel } from "../support/browsers/app-page.ts";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { openWatched, type WatchedPage } from "../support/browsers/watched-page.ts";
import { compositeFont, drawnPdf, FIRST_OWN } from "../support/fixtures/drawn-pdf.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf, pageText } from "../support/fixtures/pdf.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { announceMissing, runTool } from "../support/native-tools.ts";
import { popplerText, qpdfCheck, unzipNames } from "../support/oracles.ts";

const NO_WITNESSES = announceMissing("offline", ["qpdf", "pdftotext", "unzip", "vipsheader"]).length > 0;

const SERVICE_HOST = new URL(SERVICE_URL).host;

let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "stayput-offline-"));
  writeFileSync(join(folder, "report.pdf"), makePdf({ pages: 3 }));
  const sample = (x: number, y: number) => [8 * x, 8 * y, 128];
  writeFileSync(
    join(folder, "photo.png"),
    makePng({ width: 32, height: 24, colorType: 2, bitDepth: 8, sample }),
  );
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** A host of the demo, whose build may be replaced by another. */
interface Host {
  readonly server: StrictServer;
  readonly url: string;
  build: string;
}

async function hostDemo(): Promise<Host> {
  const mount = { folder: DEMO };
  const server = await serveStrictly({ "/app/": mount });
  onTestFinished(() => server.close());
  return {
    server,
    url: `http://127.0.0.1:${server.port}/app/`,
    get build() {
      return mount.folder;
    },
    set build(path) {
      mount.folder = path;
    },
  };
}

/** The demo, once the browser has stored what it opens with. */
async function openStored({ url }: Host): Promise<WatchedPage> {
  const watched = await openWatched(browser, url);
  onTestFinished(() => watched.page.context().close());
  await says(watched.page, "Opens without a network, too");
  return watched;
}

/** Waits until the demo says something about working without a network. */
async function says(page: Page, text: string): Promise<void> {
  await page.locator("#offline", { hasText: text }).waitFor();
}

/** Takes the network away. The emulation does not reach the service worker, so engines are blocked, too. */
async function loseNetwork(page: Page): Promise<void> {
  await page.context().route("**/*.wasm", (route) => route.abort());
  await page.context().setOffline(true);
}

/** Brings the network back. Engines come first, because the page loads them at once. */
async function findNetwork(page: Page): Promise<void> {
  await page.context().unroute("**/*.wasm");
  await page.context().setOffline(false);
}

/** Lets the demo keep everything. */
async function keepEverything(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Keep everything offline" }).click();
  await says(page, "opens and works without a network");
}

describe.skipIf(NO_WITNESSES)("with all files cached, the app works without its server", () => {
  test("protects, unlocks and splits PDFs, and converts images and pages", async () => {
    const host = await hostDemo();
    const { page, complaints } = await openStored(host);
    await keepEverything(page);
    await host.server.close();
    await page.reload();

    await start(page, "report.pdf", "Protect", PASSWORDS);
    const locked = await save(page, "protected-report.pdf");
    expect(await qpdfCheck(locked, "secret")).toMatchObject({ verdict: "ok", pageCount: 3, encrypted: true });
    await start(page, "protected-report.pdf", "Unlock", { Password: "secret" });
    expect(String(await popplerText(await save(page, "unlocked-protected-report.pdf")))).toContain(
      pageText(3),
    );
    await start(page, "report.pdf", "Split", { Pages: "1,3" });
    expect((await qpdfCheck(await save(page, "pages-report.pdf"))).pageCount).toBe(2);

    for (const format of ["JPG", "WebP", "AVIF", "PDF"]) {
      await start(page, "photo.png", "Convert", { To: format });
      const path = await save(page, `photo.${format.toLowerCase()}`);
      if (format === "PDF") expect((await qpdfCheck(path)).verdict).toBe("ok");
      else expect(await vipsSize(path)).toEqual([32, 24]);
    }
    await start(page, "report.pdf", "Convert", { To: "PNG" });
    expect(await unzipNames(await new AppPage({ page }, folder).saveAll("report.zip"))).toHaveLength(3);
    expect(complaints).toEqual([]);
  });
});

test("caches engines if the user wants it, and large fonts when they are used", async () => {
  const host = await hostDemo();
  const { page, requests } = await openStored(host);
  // The browser keeps the service worker and the icons in its own way.
  const built = filesIn(DEMO).filter((path) => path !== "service-worker.js" && !path.endsWith(".png"));
  expect(await keptFiles(page, host)).toEqual(built.filter((path) => !/\.(wasm|ttf|otf)$/.test(path)));
  await keepEverything(page);
  expect(await keptFiles(page, host)).toEqual(built.filter((path) => !path.endsWith(".otf")));
  await page.reload();
  await says(page, "opens and works without a network");
  await start(page, "report.pdf", "Protect", PASSWORDS);
  await save(page, "protected-report.pdf");
  await start(page, "photo.png", "Convert", { To: "JPG" });
  await save(page, "photo.jpg");
  expect(await keptFiles(page, host)).toEqual(built.filter((path) => !path.endsWith(".otf")));
  expect(requests.filter((request) => !request.includes(` ${host.url}`))).toEqual([]);
});

test("caches an engine after its first use, and shows the missing size", async () => {
  const host = await hostDemo();
  const { page } = await openStored(host);
  const missing = async () => {
    const label = await page.getByRole("button", { name: "Keep everything offline" }).textContent();
    return Number(/\(([\d.]+)\sMB\)/.exec(label ?? "")?.[1]);
  };
  const engines = filesIn(DEMO).filter((path) => /\.(wasm|ttf)$/.test(path));
  const size = engines.reduce((sum, path) => sum + statSync(join(DEMO, path)).size, 0);
  expect(await missing()).toBeCloseTo(size / 1e6, 1);
  expect(await new AppPage({ page }, folder).violations()).toEqual([]);
  await start(page, "photo.png", "Convert", { To: "AVIF" });
  await save(page, "photo.avif");
  await page.getByRole("button", { name: "Remove all" }).click();
  const encoder = engines.find((path) => path.includes("avif_enc")) ?? "";
  await expect
    .poll(missing, { timeout: 60_000 })
    .toBeCloseTo((size - statSync(join(DEMO, encoder)).size) / 1e6, 1);
});

test("continues to cache everything after the network was lost", async () => {
  const host = await hostDemo();
  const { page } = await openStored(host);
  await page.context().route("**/*.ttf", (route) => route.abort());
  await page.getByRole("button", { name: "Keep everything offline" }).click();
  await says(page, "Not everything could be loaded");
  await page.context().unroute("**/*.ttf");
  await keepEverything(page);
});

test("stores nothing for a user who saves data, until the user chooses it", async () => {
  const host = await hostDemo();
  const { page } = await openWatched(browser, "about:blank");
  onTestFinished(() => page.context().close());
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "connection", { value: { saveData: true } });
  });
  await page.goto(host.url);
  await says(page, "Your browser saves data, so nothing is kept");
  expect(await keptFiles(page, host)).toEqual([]);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await keepEverything(page);
  await host.server.close();
  await page.reload();
  await says(page, "opens and works without a network");
});

test("caches a large font after its first use", async () => {
  const host = await hostDemo();
  const { page } = await openStored(host);
  await page.reload();
  const font = "fonts/NotoSansJP-Regular.otf";
  const { length } = readFileSync(join(DEMO, font));
  expect(await fetchedBytes(page, font)).toBe(length);
  await expect.poll(() => keptFiles(page, host)).toContain(font);
  await host.server.close();
  expect(await fetchedBytes(page, font)).toBe(length);
  expect(await fetchedBytes(page, "fonts/NotoSansKR-Regular.otf")).toBeUndefined();
});

test("says that a large font needs the network once, and that it is loaded", async () => {
  const host = await hostDemo();
  const { page } = await openStored(host);
  await keepEverything(page);
  const context = page.context();
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route("**/*.otf", (route) => route.abort());
  await context.setOffline(true);
  writeFileSync(
    join(folder, "japanese.pdf"),
    drawnPdf(
      [
        {
          content: "BT /F1 40 Tf 10 15 Td <65E5672C> Tj ET",
          resources: `/Font<</F1 ${FIRST_OWN} 0 R>>`,
        },
      ],
      { objects: compositeFont("Ryumin-Light", "Japan1", "UniJIS-UCS2-H") },
    ),
  );
  await start(page, "japanese.pdf", "Convert", { To: "PNG" });
  const note = page.getByText("the font for Ryumin-Light needs the network once");
  await note.waitFor();

  await context.setOffline(false);
  await context.unroute("**/*.otf");
  await context.route("**/*.otf", async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.getByRole("button", { name: "Try again with japanese.pdf" }).click();
  const loading = page.getByText("A font for Chinese, Japanese or Korean text is loaded");
  await loading.waitFor();
  release();
  await loading.waitFor({ state: "detached" });
  await save(page, "japanese.png");
  expect(await note.count()).toBe(0);
});

test("says that an engine needs the network once, and loads it when the network is back", async () => {
  const host = await hostDemo();
  const { page } = await openStored(host);
  await loseNetwork(page);
  await start(page, "photo.png", "Convert", { To: "AVIF" });
  await page.getByText("This needs the network once. Connect and try again.").waitFor();
  await findNetwork(page);
  await page.getByRole("button", { name: "Try again with photo.png" }).click();
  await save(page, "photo.avif");
});

test("draws pages and thumbnails when the network is back", async () => {
  const host = await hostDemo();
  const { page } = await openStored(host);
  await loseNetwork(page);
  const app = new AppPage({ page }, folder);
  await app.choose("report.pdf");
  await app.task("Split");
  const note = page.getByText("Pictures of pages need the network once.");
  await note.waitFor();
  await page.locator('.page[data-page="2"]').focus();
  await page.keyboard.press("Space");
  await page.locator(".page-zoom", { has: note }).waitFor();
  await findNetwork(page);
  await page.locator(".page-zoom img").waitFor();
  await page.locator('.page[data-page="3"] img').waitFor();
  await app.row("report.pdf").locator("img").waitFor();
  expect(await note.count()).toBe(0);
});

test("switches to a newer build when the last window of the older one is closed", async () => {
  const host = await hostDemo();
  const { page: older, complaints } = await openStored(host);
  await keepEverything(older);
  await older.reload();
  // As if it was another one in the newer build.
  await older.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys())
        if (request.url.includes("pdfium")) await cache.delete(request);
    }
  });
  host.build = DEMO_WITH_SERVICE;

  // Brings the newer build, and shows the older one.
  const second = await older.context().newPage();
  await second.goto(host.url);
  const notice = second.locator("#offline", { hasText: "A newer version is here" });
  await notice.waitFor();
  await second.reload();
  await notice.waitFor();
  expect(await second.locator("#promise").textContent()).not.toContain(SERVICE_HOST);
  // By code that it loads now, and the server has no more.
  await start(older, "report.pdf", "Protect", PASSWORDS);
  await save(older, "protected-report.pdf");
  expect(complaints).toEqual([]);

  await older.close();
  // Chromium gives the older worker its time to end.
  const promise = async () => {
    await second.goto("about:blank");
    await second.goto(host.url);
    return second.locator("#promise").textContent();
  };
  await expect.poll(promise, { timeout: HANG_LIMIT_MS, interval: 1000 }).toContain(SERVICE_HOST);
  await start(second, "report.pdf", "Protect", PASSWORDS);
  await save(second, "protected-report.pdf");
  // All of the newer build is kept, because the older one was.
  const newer = filesIn(DEMO_WITH_SERVICE).filter(
    (path) => path !== "service-worker.js" && !/\.(png|otf)$/.test(path),
  );
  await expect.poll(() => keptFiles(second, host), { timeout: HANG_LIMIT_MS }).toEqual(newer);
});

test("never caches files of two builds together", async () => {
  const host = await hostDemo();
  // A host in the middle of an upgrade: the list of files is new already, the page is not.
  const mixed = mkdtempSync(join(folder, "mixed-"));
  for (const build of [DEMO, DEMO_WITH_SERVICE]) cpSync(build, mixed, { recursive: true });
  cpSync(join(DEMO, "index.html"), join(mixed, "index.html"));
  host.build = mixed;
  const { page } = await openWatched(browser, host.url);
  onTestFinished(() => page.context().close());
  await page.locator("#offline", { hasText: "did not keep the page" }).waitFor();
});

test("can be installed in Chromium", async () => {
  const { url } = await hostDemo();
  // Not from a private window, which every other page of these tests is in.
  const profile = mkdtempSync(join(folder, "profile-"));
  const context = await chromium.launchPersistentContext(profile, chromiumLaunch());
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  await says(page, "Opens without a network, too");
  const session = await context.newCDPSession(page);
  const { errors, manifest, url: manifestUrl } = await session.send("Page.getAppManifest");
  expect(manifestUrl).toBe(`${url}manifest.webmanifest`);
  expect(errors).toEqual([]);
  expect(manifest).toMatchObject({ startUrl: url, scope: url });
  expect(await session.send("Page.getInstallabilityErrors")).toEqual({ installabilityErrors: [] });
});

/** Chooses a file instead of those before, and starts a task with it. Fields are named by their labels. */
async function start(
  page: Page,
  name: string,
  task: TaskLabel,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  const app = new AppPage({ page }, folder);
  const clear = page.getByRole("button", { name: "Remove all" });
  if (await clear.isVisible()) await clear.click();
  await app.choose(name);
  if (task === "Unlock") await page.getByLabel(`Password of ${name}`).fill(fields.Password ?? "");
  else {
    await app.task(task);
    for (const [label, value] of Object.entries(fields)) {
      if (label === "To") await app.radio(value);
      else await page.getByLabel(label, { exact: true }).fill(value);
    }
  }
  await app.start();
}

function save(page: Page, name: string): Promise<string> {
  return new AppPage({ page }, folder).save(name);
}

const PASSWORDS = { Password: "secret", "Repeat the password": "secret" };

/** The files of a build, as their paths in it. */
function filesIn(build: string): string[] {
  return readdirSync(build, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(build, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

/** The paths of all that the origin keeps, in the same form. */
async function keptFiles(page: Page, { url }: Host): Promise<string[]> {
  const urls = await page.evaluate(async () => {
    const kept: string[] = [];
    for (const name of await caches.keys()) {
      for (const request of await (await caches.open(name)).keys()) kept.push(request.url);
    }
    return kept;
  });
  return urls.map((one) => one.replace(url, "").replace(/\?__WB_REVISION__=\w+$/, "")).sort();
}

/** How long a file is that the page fetches; nothing when it cannot. */
function fetchedBytes(page: Page, path: string): Promise<number | undefined> {
  return page.evaluate(
    (address) =>
      fetch(address).then(
        async (response) => (await response.arrayBuffer()).byteLength,
        () => undefined,
      ),
    path,
  );
}

async function vipsSize(path: string): Promise<readonly number[]> {
  const fields = ["width", "height"].map((field) => runTool("vipsheader", ["-f", field, path]));
  return (await Promise.all(fields)).map(({ stdout }) => Number(stdout));
}
