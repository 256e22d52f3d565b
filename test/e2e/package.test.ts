import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandScript, ROOT } from "../../scripts/dependencies.mjs";
import type { createClient } from "../../src/index.ts";
import { INSECURE_HOST, launchChromium } from "../support/browsers/launched-chromium.ts";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { openWatched, type WatchedPage } from "../support/browsers/watched-page.ts";
import { makePdf, pageText } from "../support/fixtures/pdf.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { announceMissing } from "../support/native-tools.ts";
import { popplerText, qpdfCheck } from "../support/oracles.ts";

declare global {
  // Set by the page under test, from the built package.
  var client: ReturnType<typeof createClient>;
}

const NO_WITNESSES = announceMissing("package", ["qpdf", "pdftotext"]).length > 0;
const PAGE = '<!doctype html><title>App</title><script type="module" src="./app.js"></script>';

let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "stayput-package-"));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

test("the plugin for Uppy throws the ServiceError of the package", () => {
  const program = `import { ServiceError } from "stayput";
    import { StayputConverter } from "stayput/uppy";
    try { new StayputConverter({ opts: {} }, { qualty: 1 }); }
    catch (error) { console.log(error instanceof ServiceError, error.message); }`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect(stdout).toBe('true The option "qualty" is not known. Did you mean "quality"?\n');
});

describe("a page without a bundler", () => {
  let server: StrictServer;

  beforeAll(async () => {
    server = await serveStrictly({
      "/index.html": { text: PAGE },
      "/app.js": {
        text: 'import { createClient } from "./vendor/stayput/index.js"; globalThis.client = createClient();',
      },
      "/vendor/stayput/": { folder: `${ROOT}dist` },
    });
  });
  afterAll(() => server.close());

  test("loads only the entry until a call needs the worker, and no image code for PDFs", async () => {
    const { page, requests, complaints } = await open(server, "127.0.0.1");
    const ofPackage = () =>
      requests.map((request) => request.split("/vendor/stayput/")[1]).filter((file) => file !== undefined);
    expect(ofPackage()).toContain("index.js");
    expect(ofPackage()).not.toContain("worker.js");
    await roundTrip(page);
    const ofWorker = readdirSync(`${ROOT}dist`).filter((file) =>
      /^(worker|image|render|pdf-pages)\.js$/.test(file),
    );
    expect(ofWorker).toHaveLength(4);
    expect(ofPackage().filter((file) => ofWorker.includes(file))).toEqual(["worker.js", "pdf-pages.js"]);
    expect(new Set(requests).size).toBe(requests.length);

    const complete = requests.length;
    await roundTrip(page);
    expect(requests.slice(complete)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("loads the code that repairs a PDF when a damaged one is protected", async () => {
    const { page, requests, complaints } = await open(server, "127.0.0.1");
    const ofPages = () => requests.filter((request) => request.endsWith("/pdf-pages.js")).length;
    const protect = (pdf: Uint8Array) =>
      page.evaluate(
        async (content) => {
          const file = new File([new Uint8Array(content)], "a.pdf");
          return (await globalThis.client.protectPdf({ file, password: "secret" })).file_name;
        },
        [...pdf],
      );
    const sound = Buffer.from(makePdf({ pages: 3 }));
    expect(await protect(sound)).toBe("protected-a.pdf");
    expect(ofPages()).toBe(0);
    expect(await protect(sound.subarray(0, sound.indexOf("xref\n")))).toBe("protected-a.pdf");
    expect(ofPages()).toBe(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("loads an encoder with its first use, and nothing from another origin", async () => {
    const { page, requests, complaints } = await open(server, "127.0.0.1");
    expect(await convertDrawing(page, "jpg")).toEqual(["drawing.jpg", "image/jpeg"]);
    const complete = requests.length;
    expect(await convertDrawing(page, "webp")).toEqual(["drawing.webp", "image/webp"]);
    const loaded = requests.slice(complete).map((request) => request.split("/vendor/stayput/")[1]);
    expect(loaded.toSorted()).toEqual(["squoosh_png_bg.wasm", "webp-encoder.wasm"]);
    expect(await convertDrawing(page, "avif")).toEqual(["drawing.avif", "image/avif"]);
    expect(requests.filter((request) => !request.includes(`//127.0.0.1:${server.port}/`))).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("draws PDF pages with a helper, and loads nothing from another origin", async () => {
    const { page, requests, complaints } = await open(server, "127.0.0.1");
    expect(await drawPages(page, "2")).toEqual(["paper.jpg", "image/jpeg"]);
    expect(await drawPages(page, "1-9")).toEqual(["paper.zip", "application/zip"]);
    const loaded = requests.map((request) => request.split("/vendor/stayput/")[1]);
    expect(loaded).toEqual(expect.arrayContaining(["render.js", "pdfium.js", "pdfium.wasm"]));
    // The helper is given what the worker has compiled.
    expect(loaded.filter((file) => file === "pdfium.wasm")).toHaveLength(1);
    expect(requests.filter((request) => !request.includes(`//127.0.0.1:${server.port}/`))).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test.each([
    ["the pool and the code of a call", ["calls.js", "pool.js"]],
    [
      "PDFium and all code of its engine",
      ["pdf-pages.js", "image.js", "render.js", "pdfium.js", "pdfium.wasm"],
    ],
  ])("requests %s at the same time", async (_, files) => {
    const { page } = await open(server, "127.0.0.1");
    const missing = new Set(files);
    let answer = () => {};
    const allRequested = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.context().route(
      ({ pathname }) => files.includes(basename(pathname)),
      async (route) => {
        missing.delete(basename(new URL(route.request().url()).pathname));
        if (missing.size === 0) answer();
        await allRequested;
        await route.continue();
      },
    );
    expect(await drawPages(page, "2")).toEqual(["paper.jpg", "image/jpeg"]);
    await page.context().close();
  });

  test("has a helper that draws pages, without assetUrl", async () => {
    const own = await serveStrictly({
      "/index.html": { text: PAGE },
      "/app.js": {
        text: `import { createClient } from "./vendor/stayput/index.js";
          globalThis.client = createClient({ maxWorkers: 2 });`,
      },
      "/vendor/stayput/": { folder: `${ROOT}dist` },
    });
    const { page, complaints } = await open(own, "127.0.0.1");
    // Enough pages for the helper to load before the last one is drawn.
    expect(await drawPages(page, "1-400", 400)).toEqual(["paper.zip", "application/zip"]);
    // A worker that has drawn a page loads the encoder. If the helper fails, the worker draws all pages, without an error.
    expect(own.log.filter((request) => request.endsWith("/jpeg-encoder.wasm"))).toHaveLength(2);
    expect(complaints).toEqual([]);
    await page.context().close();
    await own.close();
  });

  test.skipIf(NO_WITNESSES)("protects and unlocks on a page without crypto.subtle", async () => {
    const { page, complaints } = await open(server, INSECURE_HOST);
    expect(await page.evaluate(() => [isSecureContext, typeof crypto.subtle])).toEqual([false, "undefined"]);
    const { locked, unlocked } = await roundTrip(page);

    const files = { locked: join(folder, "locked.pdf"), unlocked: join(folder, "unlocked.pdf") };
    writeFileSync(files.locked, locked);
    writeFileSync(files.unlocked, unlocked);
    expect(await qpdfCheck(files.locked, "secret")).toMatchObject({
      verdict: "ok",
      encrypted: true,
      pageCount: 3,
    });
    expect(await qpdfCheck(files.unlocked)).toMatchObject({ verdict: "ok", encrypted: false, pageCount: 3 });
    expect(String(await popplerText(files.unlocked))).toContain(pageText(3));
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

test("under Trusted Types, starts the worker from a URL that the app's policy trusts", async () => {
  const head = `<meta http-equiv="Content-Security-Policy" content="require-trusted-types-for 'script'">`;
  const server = await serveStrictly({
    "/index.html": { text: PAGE.replace("<title>", `${head}<title>`) },
    "/app.js": {
      text: `import { createClient } from "./vendor/stayput/index.js";
        const policy = trustedTypes.createPolicy("app", { createScriptURL: (address) => address });
        globalThis.client = createClient({ workerUrl: policy.createScriptURL("vendor/stayput/worker.js") });`,
    },
    "/vendor/stayput/": { folder: `${ROOT}dist` },
  });
  const { page, complaints } = await open(server, "127.0.0.1");
  await roundTrip(page);
  expect(await convertDrawing(page, "avif")).toEqual(["drawing.avif", "image/avif"]);
  expect(complaints).toEqual([]);
  await page.context().close();
  await server.close();
});

// test/consumers builds apps with Vite as modules.
test("starts helpers when a bundler makes the worker a classic script, as in Turbopack", async () => {
  const app = join(folder, "vite-app");
  const installed = join(app, "node_modules", "stayput");
  // A copy, like an installed package: Vite treats a linked folder as a part of the app.
  cpSync(`${ROOT}dist`, join(installed, "dist"), { recursive: true });
  cpSync(`${ROOT}package.json`, join(installed, "package.json"));
  writeFileSync(join(app, "package.json"), "{}");
  writeFileSync(join(app, "index.html"), PAGE);
  writeFileSync(
    join(app, "app.js"),
    'import { createClient } from "stayput"; globalThis.client = createClient();',
  );
  await build({ root: app, configFile: false, logLevel: "warn" });
  const name = readdirSync(join(app, "dist", "assets")).find((file) => /^worker-.*\.js$/.test(file));
  const server = await serveStrictly({
    "/": { folder: join(app, "dist") },
    "/index.html": { text: PAGE },
    "/app.js": {
      text: `import { createClient } from "./vendor/stayput/index.js";
        const createWorker = () => new Worker("assets/classic.js");
        globalThis.client = createClient({ createWorker, maxWorkers: 2 });`,
    },
    "/vendor/stayput/": { folder: `${ROOT}dist` },
    "/assets/classic.js": { text: `importScripts("${name}");` },
  });
  const { page, complaints } = await open(server, "127.0.0.1");
  // Enough pages for the helper to load before the last one is drawn.
  expect(await drawPages(page, "1-400", 400)).toEqual(["paper.zip", "application/zip"]);
  // The worker's and the helper's. As a module, the helper would end before.
  expect(server.log.filter((request) => request === `GET /assets/${name}`)).toHaveLength(2);
  expect(await convertDrawing(page, "avif")).toEqual(["drawing.avif", "image/avif"]);
  expect(complaints).toEqual([]);
  await page.context().close();
  await server.close();
});

test("importing the package in Node has no effects", () => {
  const program = `import(${JSON.stringify(`${ROOT}dist/index.js`)}).then((package_) => {
    const client = package_.createClient();
    client.close();
    process.stdout.write(Object.keys(package_).sort().join(" "));
  });`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", program], {
    encoding: "utf8",
    timeout: HANG_LIMIT_MS,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.split(" ")).toEqual(expect.arrayContaining(["ServiceError", "createClient"]));
});

test("the built files refer to no other origin, data: URL or package", () => {
  const scripts = readdirSync(`${ROOT}dist`).filter((name) => name.endsWith(".js"));
  expect(scripts).toEqual(expect.arrayContaining(["index.js", "worker.js"]));
  for (const name of scripts) {
    const code = readFileSync(`${ROOT}dist/${name}`, "utf8");
    // With something in it: WebAssembly's loaders ask whether an address begins so.
    expect(code).not.toMatch(/\bdata:[a-z]+\/[^,"'`]*,[^"'`]/);
    // The plugin for Uppy extends a class of the app's Uppy.
    const imported = [...code.matchAll(/\bfrom\s*["']([^."'][^"']*)/g)].map(([, path]) => path);
    expect(imported).toEqual(name === "uppy.js" ? ["@uppy/core"] : []);
    // An invalid URL tells a classic worker from a module. A Blob imports a classic worker of another origin.
    expect(code).not.toMatch(/importScripts\((?!["'`]\/\/\[["'`]\)|\$\{\w+\}\);`)|\beval\(|new Function\(/);
  }
  expect(readFileSync(`${ROOT}dist/pool.js`, "utf8")).toContain('new URL("./worker.js",import.meta.url)');
});

test.each(["bundler", "nodenext"])("the types serve an app with moduleResolution %s", (moduleResolution) => {
  const app = join(folder, `types-${moduleResolution}`);
  mkdirSync(join(app, "node_modules"), { recursive: true });
  symlinkSync(ROOT, join(app, "node_modules", "stayput"), "dir");
  writeFileSync(join(app, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(app, "app.ts"),
    `import { type AskPassword, type Converter, createClient, type ErrorCode, type Place, ServiceError } from "stayput";
     import { serve, type ServeOptions } from "stayput/service-worker";
     import "stayput/worker";
     import { StayputConvert, type StayputConvertOptions } from "stayput/filepond";
     import { createMockClient, type MockClient } from "stayput/testing";
     const mock: MockClient = createMockClient({ convert: new Blob([]), inspect: { pages: 3 }, unlockPdf: new ServiceError("wrong_password", "") });
     let either = createClient();
     either = mock;
     // @ts-expect-error pages are a number
     mock.answer("inspect", { pages: "3" });
     serve({ baseUrl: "/pdf" } satisfies ServeOptions);
     const response: Response = await createClient().fetch("/api/convert", { method: "POST" });
     declare class TrustedScriptURL { private brand: string; toJSON(): string; }
     declare const trusted: TrustedScriptURL;
     const client = createClient({ maxWorkers: 2, workerUrl: trusted });
     const result = await client.splitPdf({ file: new Blob([]), pages: "1" }, { signal: new AbortController().signal });
     const url: string = result.download_url;
     const office: Converter = { from: ["docx", "odt"], to: "pdf", convert: async (file: File, { signal, report }) => file };
     createClient({ converters: [office] });
     const ask: AskPassword = async (file, { attempt }) => (attempt < 3 ? "a" : undefined);
     using merged = await client.mergePdf({ file: [result, new Blob([])], password: ask });
     const place: Place | undefined = await client.can("docx", "pdf");
     // @ts-expect-error a new password is known
     await client.protectPdf({ file: merged, password: ask });
     // @ts-expect-error a list has one text for each file
     await client.mergePdf({ file: [merged, merged], password: [ask, ""] });
     // @ts-expect-error there is no such format
     createClient({ converters: [{ ...office, from: "wordperfect" }] });
     const pond: StayputConvertOptions = { stayputClient: client, stayputTo: "jpg", stayputMaxBytes: 9 };
     const code: ErrorCode = new ServiceError("offline", "").code;
     // @ts-expect-error a field that the operation needs is missing
     await client.protectPdf({ file: new Blob([]) });
     await client.splitPdf({ file: new Blob([]), by: "outline", pages: undefined });
     // @ts-expect-error nothing says how to split
     await client.splitPdf({ file: new Blob([]) });
     // @ts-expect-error two fields say how to split
     await client.splitPdf({ file: new Blob([]), pages: "1", every: 2 });
     // @ts-expect-error there is no such code
     const wrong: ErrorCode = "no_such_code";
     export { url, code, wrong, response, place, pond, StayputConvert };`,
  );
  const module = moduleResolution === "bundler" ? "esnext" : "nodenext";
  const args = ["--noEmit", "--strict", "--module", module, "--moduleResolution", moduleResolution];
  const { stdout } = spawnSync(
    process.execPath,
    [
      commandScript("typescript", "tsc"),
      ...args,
      "--target",
      "es2022",
      "--lib",
      "es2022,dom",
      "--types",
      "",
      "app.ts",
    ],
    { cwd: app, encoding: "utf8" },
  );
  expect(stdout).toBe("");
});

async function open(server: StrictServer, host: string): Promise<WatchedPage> {
  const watched = await openWatched(browser, `http://${host}:${server.port}/`);
  await watched.page.waitForFunction(() => "client" in globalThis);
  return watched;
}

/** Draws pages of a document of nine, and gives the name and the type of the result. */
async function drawPages(page: Page, pages: string, pageCount = 9): Promise<[name: string, type: string]> {
  return page.evaluate(
    async ({ bytes, pages }) => {
      const file = new File([new Uint8Array(bytes)], "paper.pdf");
      const result = await globalThis.client.convert({ file, output_format: "jpg", pages });
      const { type } = await (await fetch(result.download_url)).blob();
      return [result.file_name, type];
    },
    { bytes: [...makePdf({ pages: pageCount })], pages },
  );
}

/** Converts a drawing with transparency, and gives the name and the type of the result. */
async function convertDrawing(page: Page, format: string): Promise<[name: string, type: string]> {
  return page.evaluate(async (output_format) => {
    const canvas = new OffscreenCanvas(40, 30);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.fillStyle = "rgb(200 30 60 / 0.4)";
    context.fillRect(5, 5, 20, 20);
    const file = new File([await canvas.convertToBlob()], "drawing.png");
    const result = await globalThis.client.convert({ file, output_format });
    return [result.file_name, (await (await fetch(result.download_url)).blob()).type];
  }, format);
}

/** Protects a document, unlocks it again, and splits it, in the page. */
async function roundTrip(page: Page): Promise<{ locked: Uint8Array; unlocked: Uint8Array }> {
  const { locked, unlocked, names } = await page.evaluate(
    async (content) => {
      const { client } = globalThis;
      const file = new File([new Uint8Array(content)], "three.pdf");
      const bytesOf = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());

      const first = await client.protectPdf({ file, password: "secret" });
      const protectedBytes = await bytesOf(first.download_url);
      const second = await client.unlockPdf({ file: new Blob([protectedBytes]), password: "secret" });
      const unlockedBytes = await bytesOf(second.download_url);
      const third = await client.splitPdf({ file: new Blob([unlockedBytes]), pages: "1,last" });
      return {
        locked: [...protectedBytes],
        unlocked: [...unlockedBytes],
        names: [first.file_name, second.file_name, third.file_name],
      };
    },
    [...makePdf({ pages: 3 })],
  );
  expect(names).toEqual(["protected-three.pdf", "unlocked-blob.pdf", "split-blob.zip"]);
  return { locked: Uint8Array.from(locked), unlocked: Uint8Array.from(unlocked) };
}
