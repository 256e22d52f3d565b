import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import type { createClient } from "../../src/index.ts";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { type Mounts, STRICT_POLICY, serveStrictly } from "../support/browsers/strict-server.ts";
import { openWatched } from "../support/browsers/watched-page.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

declare global {
  // Set by the page under test, from the built package.
  var client: ReturnType<typeof createClient>;
}

// What goes wrong when an app serves the files of the package: each failure is a sentence that helps. And the options
// that say where the files are.

const DIST = `${ROOT}dist`;
const PAGE = '<!doctype html><title>App</title><script type="module" src="./app.js"></script>';
const DOCS = /See https:\/\/github\.com\/stayput\/stayput\/\S+bundlers\.md#[\w-]+$/;

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

describe("files of another version", () => {
  test.each(["worker.js", "pdf-pages.js"])("%s is named, with both versions", async (name) => {
    const version = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")).version;
    const folder = copyOfDist();
    const code = readFileSync(join(folder, name), "utf8");
    writeFileSync(join(folder, name), code.replaceAll(`\`${version}\``, "`9.9.9`"));
    const cause = await splitFails(await openApp({ "/vendor/stayput/": { folder } }));
    expect(cause).toContain(name);
    expect(cause).toContain(`version 9.9.9 of Stayput, but this page uses version ${version}.`);
    expect(cause).toMatch(/npx stayput copy.*See https:/);
  });
});

describe("a missing file", () => {
  test.each(["worker.js", "pdf-pages.js"])("%s is named with its URL, and with the status", async (name) => {
    const folder = copyOfDist();
    rmSync(join(folder, name));
    const cause = await splitFails(await openApp({ "/vendor/stayput/": { folder } }));
    expect(cause).toMatch(new RegExp(`could not be loaded from http://\\S+/vendor/stayput/${name}[. ]`));
    expect(cause).toMatch(/status 404\. Copy the files .*npx stayput copy/);
    expect(cause).toMatch(DOCS);
  });

  test("of WebAssembly, too", async () => {
    const folder = copyOfDist();
    rmSync(join(folder, "webp-encoder.wasm"));
    const page = await openApp({ "/vendor/stayput/": { folder } });
    expect(await drawing(page, "webp")).toMatch(/from http:\S+\/webp-encoder\.wasm .*status 404\. Copy/);
  });
});

describe("a wrong assetUrl", () => {
  test("is in the cause if there are no files", async () => {
    const cause = await splitFails(await openApp({}, 'assetUrl: "/nowhere/"'));
    expect(cause).toMatch(/The worker could not be loaded from http:\S+\/nowhere\/worker\.js.*status 404/);
  });

  test("is in the cause if the server answers with HTML", async () => {
    const html = { text: PAGE, headers: { "Content-Type": "text/html" } };
    const cause = await splitFails(await openApp({ "/app/worker.js": html }, 'assetUrl: "/app/"'));
    expect(cause).toMatch(/\/app\/worker\.js.*HTML page\. Copy the files/);
  });
});

describe("a policy", () => {
  test("without worker-src is named", async () => {
    const policy = STRICT_POLICY.replace("worker-src 'self'", "worker-src 'none'");
    const cause = await splitFails(await openApp({}, "", policy));
    expect(cause).toMatch(/\/worker\.js.*is there\. .*Content-Security-Policy .*worker-src/);
  });

  test("that forbids Blobs is named for files on another origin", async () => {
    const other = await otherOrigin({ "Access-Control-Allow-Origin": "*" });
    const policy = `${STRICT_POLICY.replace("connect-src", `connect-src ${other}`)}`;
    const cause = await splitFails(await openApp({}, `assetUrl: "${other}/stayput"`, policy));
    expect(cause).toContain(`from ${other}/stayput/worker.js`);
    expect(cause).toContain(`"blob:" and ${other} in worker-src`);
  });
});

describe("files on another origin", () => {
  const policyFor = (other: string) =>
    `default-src 'self'; script-src 'self' ${other} 'wasm-unsafe-eval'; worker-src blob: ${other}; connect-src 'self' ${other} blob:`;

  test("work through a Blob, with images and helpers", async () => {
    const other = await otherOrigin({ "Access-Control-Allow-Origin": "*" });
    const page = await openApp({}, `assetUrl: "${other}/stayput", maxWorkers: 2`, policyFor(other));
    expect(await split(page)).toBe("split-paper.zip");
    expect(await drawing(page, "webp")).toBe("drawing.webp");
    expect(await drawing(page, "jpg")).toBe("drawing.jpg");
  });

  test("work when the package itself is imported from there", async () => {
    const other = await otherOrigin({ "Access-Control-Allow-Origin": "*" });
    const page = await openApp({}, "", policyFor(other), `${other}/stayput/index.js`);
    expect(await split(page)).toBe("split-paper.zip");
    expect(await drawing(page, "webp")).toBe("drawing.webp");
  });

  test("name CORS when that server does not allow it", async () => {
    const other = await otherOrigin({});
    const cause = await splitFails(await openApp({}, `assetUrl: "${other}/stayput"`, policyFor(other)));
    expect(cause).toContain(`from ${other}/stayput/worker.js`);
    expect(cause).toContain("(CORS)");
  });
});

test("assetUrl serves a worker that a bundler has put elsewhere without the other files", async () => {
  const worker = { text: readFileSync(`${DIST}/worker.js`, "utf8") };
  const options = `assetUrl: "/vendor/stayput", maxWorkers: 2,
    createWorker: () => new Worker(new URL("./worker-A1B2.js", import.meta.url), { type: "module" })`;
  const page = await openApp({ "/worker-A1B2.js": worker }, options);
  expect(await drawing(page, "webp")).toBe("drawing.webp");
  expect(await split(page)).toBe("split-paper.zip");
});

/** Copies the scripts and WebAssembly files into a folder that a test may change. */
function copyOfDist(): string {
  const folder = mkdtempSync(join(tmpdir(), "stayput-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(DIST, folder, { recursive: true, filter: (path) => !/\.map$|types/.test(path.slice(DIST.length)) });
  return folder;
}

/** Serves the package from another origin, and returns that origin. */
async function otherOrigin(headers: Readonly<Record<string, string>>): Promise<string> {
  const server = await serveStrictly({ "/stayput/": { folder: DIST, headers } });
  onTestFinished(() => server.close());
  return `http://localhost:${server.port}`;
}

/** Opens an app with a client of these options. */
async function openApp(
  mounts: Mounts,
  options = "",
  policy = STRICT_POLICY,
  from = "./vendor/stayput/index.js",
): Promise<Page> {
  const server = await serveStrictly({
    "/index.html": { text: PAGE, headers: { "Content-Security-Policy": policy } },
    "/app.js": {
      text: `import { createClient } from "${from}"; globalThis.client = createClient({ ${options} });`,
    },
    "/vendor/stayput/": { folder: DIST },
    ...mounts,
  });
  onTestFinished(() => server.close());
  const { page } = await openWatched(browser, `http://127.0.0.1:${server.port}/`);
  onTestFinished(() => page.context().close());
  await page.waitForFunction(() => "client" in globalThis);
  return page;
}

/** Splits a document, and returns the name of the result, or the cause of the error for a developer. */
function split(page: Page): Promise<string> {
  return page.evaluate(
    (bytes) => {
      const file = new File([new Uint8Array(bytes)], "paper.pdf");
      return globalThis.client.splitPdf({ file, pages: "1" }).then(
        ({ file_name }) => file_name,
        (error) => (error.name === "ServiceError" ? error.details.cause : `not a ServiceError: ${error}`),
      );
    },
    [...makePdf({ pages: 2 })],
  );
}

async function splitFails(page: Page): Promise<string> {
  const cause = await split(page);
  expect(cause).not.toMatch(/^split-|^not a ServiceError/);
  return cause;
}

/** Converts a drawing with transparency, and returns the name of the result or the cause of the error. */
function drawing(page: Page, format: string): Promise<string> {
  return page.evaluate(async (output_format) => {
    const canvas = new OffscreenCanvas(40, 30);
    canvas.getContext("2d")?.fillRect(0, 0, 20, 20);
    const file = new File([await canvas.convertToBlob()], "drawing.png");
    return globalThis.client.convert({ file, output_format }).then(
      ({ file_name }) => file_name,
      (error) => error.details.cause,
    );
  }, format);
}
