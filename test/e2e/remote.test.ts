import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import type * as Stayput from "../../src/index.ts";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { openWatched, type WatchedPage } from "../support/browsers/watched-page.ts";
import {
  cutOff,
  json,
  type Script,
  ScriptedService,
  silent,
  text,
} from "../support/fixtures/office/scripted-service.ts";
import { listenOnLoopback } from "../support/loopback.ts";

declare global {
  // Set by the page under test, from the built package.
  var stayput: typeof Stayput;
}

const PDF = "%PDF-1.7\nmade by the service\n";
const RTF = "{\\rtf1 }";
const CONVERT = "/api/convert";
const RESULT = "/download/1/report.pdf";

/** How a call went, as plain data. */
interface Report {
  readonly result?: Stayput.ServiceResult;
  /** What the blob URL leads to. */
  readonly text?: string;
  readonly code?: string;
  readonly details?: Stayput.ErrorDetails;
  readonly progress: readonly Stayput.Progress[];
}

let browser: Browser;
let service: ScriptedService;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

beforeEach(async () => {
  service = await ScriptedService.start();
  service.allowsPages = true;
});
afterEach(() => service.close());

/** A page of another origin than the service's, whose policy lets it call that service. */
async function openPage(...services: string[]): Promise<WatchedPage & { readonly server: StrictServer }> {
  const server = await serveStrictly(
    {
      "/index.html": {
        text: '<!doctype html><title>App</title><script type="module" src="./app.js"></script>',
      },
      "/app.js": { text: 'import * as stayput from "./vendor/index.js"; globalThis.stayput = stayput;' },
      "/vendor/": { folder: `${ROOT}dist` },
    },
    services,
  );
  const watched = await openWatched(browser, `http://127.0.0.1:${server.port}/index.html`, {
    ignoreHTTPSErrors: true,
  });
  onTestFinished(async () => {
    await watched.page.context().close();
    await server.close();
  });
  await watched.page.waitForFunction(() => "stayput" in globalThis);
  return { ...watched, server };
}

/** Converts an RTF to PDF in the page. */
function convert(
  { page }: WatchedPage,
  baseUrl: string,
  { apiKey = "key", timeout = 10_000, padding = 0 } = {},
): Promise<Report> {
  return page.evaluate(
    async ({ baseUrl, apiKey, timeout, rtf, padding }) => {
      const progress: Stayput.Progress[] = [];
      const client = stayput.createClient({ baseUrl, apiKey, timeout });
      const file = new File([rtf, new Uint8Array(padding)], "report.rtf");
      try {
        const result = await client.convert(
          { file, output_format: "pdf" },
          { onProgress: (one) => progress.push(one) },
        );
        return { result, text: await (await fetch(result.download_url)).text(), progress };
      } catch (error) {
        if (!(error instanceof stayput.ServiceError)) return { code: String(error), progress };
        return { code: error.code, details: error.details, progress };
      } finally {
        client.close();
      }
    },
    { baseUrl, apiKey, timeout, rtf: RTF, padding },
  );
}

function answer(download_url = service.url + RESULT): Script {
  return json(200, { success: true, download_url, file_name: "report.pdf" });
}

describe("a page of another origin", () => {
  test("gets its conversion, and loads the remote client only then", async () => {
    service.at(CONVERT, answer()).at(RESULT, text(200, PDF));
    const watched = await openPage(service.url);
    expect(watched.requests.filter((one) => one.endsWith("/remote.js"))).toEqual([]);
    const { result, text: got, progress } = await convert(watched, service.url);
    expect(result).toEqual({
      success: true,
      download_url: expect.stringMatching(/^blob:/),
      file_name: "report.pdf",
    });
    expect(got).toBe(PDF);
    expect(progress.map(({ phase }) => phase)).toEqual(
      expect.arrayContaining(["queued", "uploading", "downloading"]),
    );
    const [upload, download] = service.requests.filter(({ method }) => method !== "OPTIONS");
    expect(upload?.headers.authorization).toBe("Bearer key");
    expect(upload?.form?.get("file")).toMatchObject({ name: "report.rtf", size: RTF.length });
    expect(download?.headers.authorization).toBe("Bearer key");
    expect(watched.requests.filter((one) => one.endsWith("/remote.js"))).toHaveLength(1);
    expect(watched.complaints).toEqual([]);
  });

  test("sends no file when CORS does not allow it", async () => {
    service.allowsPages = false;
    service.at(CONVERT, answer());
    const report = await convert(await openPage(service.url), service.url);
    expect(report).toMatchObject({ code: "remote_failed" });
    expect(service.paths).toEqual([]);
    expect(service.requests.length).toBeGreaterThan(0);
  });

  test("follows no redirect and sends nothing twice", async () => {
    const elsewhere = await ScriptedService.start();
    onTestFinished(() => elsewhere.close());
    elsewhere.allowsPages = true;
    service.at(CONVERT, text(307, "", { Location: elsewhere.url + CONVERT }));
    const watched = await openPage(service.url, elsewhere.url);
    expect(await convert(watched, service.url)).toMatchObject({ code: "remote_failed" });
    expect(service.paths).toEqual([CONVERT]);

    service.at(CONVERT, answer()).at(RESULT, text(302, "", { Location: `${elsewhere.url}/x.pdf` }));
    expect(await convert(watched, service.url)).toMatchObject({ code: "remote_failed" });
    expect(elsewhere.requests).toEqual([]);
  });

  test("gets the service's error", async () => {
    const error = { code: "unsupported_conversion", message: "No.", details: { from: "rtf" } };
    const watched = await openPage(service.url);
    service.at(CONVERT, json(422, { success: false, error }));
    expect(await convert(watched, service.url)).toMatchObject({
      code: "unsupported_conversion",
      details: { from: "rtf", status: 422 },
    });
    service.at(CONVERT, text(429, "", { "Retry-After": "60" }));
    expect(await convert(watched, service.url)).toMatchObject({
      code: "rate_limited",
      details: { retry_after: 60 },
    });
    expect(service.paths).toHaveLength(2);
  });

  test("gets an error when a result breaks off or takes too long", async () => {
    const watched = await openPage(service.url);
    service.at(CONVERT, answer()).at(RESULT, cutOff(PDF));
    expect(await convert(watched, service.url)).toMatchObject({
      code: "remote_failed",
      details: { status: 200 },
    });
    service.at(RESULT, silent);
    expect(await convert(watched, service.url, { timeout: 500 })).toMatchObject({ code: "timeout" });
  });

  test.each(["before", "after"])("is offline %s the first conversion", async (when) => {
    service.at(CONVERT, answer()).at(RESULT, text(200, PDF));
    const watched = await openPage(service.url);
    if (when === "after") expect(await convert(watched, service.url)).toMatchObject({ text: PDF });
    const before = service.paths.length;
    await watched.page.context().setOffline(true);
    expect(await convert(watched, service.url)).toMatchObject({ code: "offline" });
    expect(service.paths).toHaveLength(before);
  });
});

test("reaches a service of the page's own origin past the app's service worker", async () => {
  const script = { "Content-Type": "text/javascript" };
  for (const name of readdirSync(`${ROOT}dist`).filter((name) => name.endsWith(".js"))) {
    service.at(`/vendor/${name}`, text(200, readFileSync(`${ROOT}dist/${name}`), script));
  }
  service
    .at(
      "/",
      text(200, '<!doctype html><script type="module" src="/app.js"></script>', {
        "Content-Type": "text/html",
      }),
    )
    .at("/sw.js", text(200, 'import { serve } from "/vendor/service-worker.js"; serve();', script))
    .at(
      "/app.js",
      text(
        200,
        `import { createClient } from "/vendor/index.js";
         await navigator.serviceWorker.register("/sw.js", { type: "module" });
         await createClient({ baseUrl: location.origin, apiKey: "key" }).answerServiceWorker();
         document.title = "ready";`,
        script,
      ),
    )
    .at(CONVERT, answer())
    .at(RESULT, text(200, PDF));
  const { page } = await openWatched(browser, service.url);
  onTestFinished(() => page.context().close());
  await page.waitForFunction(() => document.title === "ready");
  const got = await page.evaluate(async (rtf) => {
    const body = new FormData();
    body.append("file", new File([rtf], "report.rtf"));
    body.append("output_format", "pdf");
    const response = await fetch("/api/convert", { method: "POST", body });
    const { download_url, file_name } = await response.json();
    return [file_name, await (await fetch(download_url)).text()];
  }, RTF);
  expect(got).toEqual(["report.pdf", PDF]);
  expect(service.paths.filter((path) => path === CONVERT || path === RESULT)).toEqual([CONVERT, RESULT]);
});

describe("a service over TLS", () => {
  let folder: string;
  let credentials: { readonly key: Buffer; readonly cert: Buffer };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "stayput-tls-"));
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
    const pair = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key];
    execFileSync("openssl", ["req", "-x509", "-days", "2", ...pair, "-out", cert, ...subject], {
      stdio: "ignore",
    });
    credentials = { key: readFileSync(key), cert: readFileSync(cert) };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const size = 12_000_000;

  test("and HTTP/2 reports upload progress", async () => {
    const uploads: { readonly length: string | undefined; readonly bytes: number }[] = [];
    const server = createSecureServer(credentials);
    server.on("stream", (stream, headers) => {
      const allow = { "access-control-allow-origin": "*", "access-control-allow-headers": "authorization" };
      let bytes = 0;
      stream.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      stream.on("end", () => {
        stream.respond({ ":status": 200, ...allow });
        if (headers[":method"] === "OPTIONS") stream.end();
        else if (headers[":method"] === "GET") stream.end(PDF);
        else {
          uploads.push({ length: headers["content-length"], bytes });
          stream.end(
            JSON.stringify({ success: true, download_url: `${origin}${RESULT}`, file_name: "report.pdf" }),
          );
        }
      });
    });
    const origin = await listen(server);
    const watched = await openPage(origin);
    // The report lets four a second through.
    await watched.page.evaluate(() => {
      let now = 0;
      performance.now = () => (now += 300);
    });
    const { text: got, progress } = await convert(watched, origin, { padding: size });
    expect(got).toBe(PDF);
    expect(uploads).toEqual([{ length: undefined, bytes: expect.any(Number) }]);
    expect(uploads[0]?.bytes).toBeGreaterThan(size);
    const sent = progress.filter(({ phase }) => phase === "uploading").map(({ done }) => done);
    expect(sent.filter((done) => done > 0 && done < size).length).toBeGreaterThan(3);
    expect(sent).toEqual(sent.toSorted((one, other) => one - other));
    expect(progress.map(({ phase }) => phase)).toContain("working");
  });

  test("and HTTP/1.1, which has no request streams, gets the file as a whole", async () => {
    const tls = await ScriptedService.start((listener) => createTlsServer(credentials, listener));
    onTestFinished(() => tls.close());
    tls.allowsPages = true;
    tls.at(CONVERT, answer(tls.url + RESULT)).at(RESULT, text(200, PDF));
    const { text: got } = await convert(await openPage(tls.url), tls.url, { padding: size });
    expect(got).toBe(PDF);
    const [upload] = tls.requests.filter(({ method }) => method === "POST");
    expect(upload?.form?.get("file")).toMatchObject({ size: RTF.length + size });
    expect(tls.paths).toEqual([CONVERT, RESULT]);
  });
});

async function listen(server: Http2SecureServer): Promise<string> {
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${await listenOnLoopback(server)}`;
}
