import { resolveObjectURL } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { type ClientOptions, createClient } from "../../src/index.ts";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { openWatched } from "../support/browsers/watched-page.ts";
import { eventually } from "../support/eventually.ts";
import { json, type Script, ScriptedService, text } from "../support/fixtures/office/scripted-service.ts";
import { docx, failure, KEY, newClient, PDF, service, useService, working } from "../support/remote-calls.ts";

// The app trusts the remote service with the content of the files that it converts, and with nothing else.

useService();

const CONVERT = "/api/convert";
const RESULT = "/download/1/x.pdf";
const pair = { file: docx, output_format: "pdf" };

function keptAt(download_url: string): Script {
  return json(200, { success: true, download_url, file_name: "report.final.pdf" });
}

/** A second origin on the loopback. It serves a PDF to every request. */
async function otherOrigin(): Promise<ScriptedService> {
  const other = await ScriptedService.start();
  onTestFinished(() => other.close());
  return other.at(RESULT, text(200, PDF));
}

/** Returns a client for which the service has the secure origin `https://service.example`. */
function secureClient(options: ClientOptions = {}) {
  const sent: Request[] = [];
  const transport: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    sent.push(request);
    return fetch(new Request(request.url.replace("https://service.example", service.url), request));
  };
  return { client: newClient({ baseUrl: "https://service.example", fetch: transport, ...options }), sent };
}

describe.each(["blob", "link"] as const)('with remoteDownloads: "%s", a download_url', (remoteDownloads) => {
  test("of another origin is refused without a request to it", async () => {
    const other = await otherOrigin();
    service.at(CONVERT, keptAt(other.url + RESULT));
    const error = await failure(newClient({ remoteDownloads }).convert(pair));
    expect(error).toMatchObject({ code: "remote_failed", details: { status: 200, origin: other.url } });
    expect(error.message).toContain(other.url);
    expect(error.message).toContain("downloadOrigins");
    expect(other.requests).toEqual([]);
  });

  test("of an origin that the app names is accepted", async () => {
    const other = await otherOrigin();
    service.at(CONVERT, keptAt(other.url + RESULT));
    const client = newClient({ remoteDownloads, downloadOrigins: ["https://cdn.example", other.url] });
    const { download_url } = await client.convert(pair);
    if (remoteDownloads === "link") expect(download_url).toBe(other.url + RESULT);
    else expect(await resolveObjectURL(download_url)?.text()).toBe(PDF);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual(
      remoteDownloads === "link" ? [] : [undefined],
    );
  });

  test("of the app's own origin is refused unless it is the service's origin or the app names it", async () => {
    const app = await otherOrigin();
    vi.stubGlobal("location", new URL(`${app.url}/index.html`));
    service.at(CONVERT, keptAt(app.url + RESULT));
    const error = await failure(newClient({ remoteDownloads }).convert(pair));
    expect(error).toMatchObject({ code: "remote_failed", details: { origin: app.url } });
    expect(app.requests).toEqual([]);

    const named = newClient({ remoteDownloads, downloadOrigins: [app.url] });
    expect(await named.convert(pair)).toMatchObject({ success: true });

    vi.stubGlobal("location", new URL(`${service.url}/index.html`));
    working();
    expect(await newClient({ remoteDownloads }).convert(pair)).toMatchObject({ success: true });
  });

  test.each([
    ["the service's own host", [], "http://service.example/x.pdf", "http://service.example"],
    ["a named origin", ["http://cdn.example"], "http://cdn.example/x.pdf", "http://cdn.example"],
  ])("with http is refused for an https service: %s", async (_, downloadOrigins, download_url, origin) => {
    const { client, sent } = secureClient({ remoteDownloads, downloadOrigins });
    service.at(CONVERT, keptAt(download_url));
    const error = await failure(client.convert(pair));
    expect(error).toMatchObject({ code: "remote_failed", details: { origin } });
    expect(error.message).toContain("without encryption");
    expect(sent.map(({ url }) => url)).toEqual(["https://service.example/api/convert"]);
  });

  test("with the password in its host does not leak it in the error", async () => {
    service.at(CONVERT, keptAt("https://open-sesame.example/x.pdf"));
    const call = newClient({ remoteDownloads }).convert({ ...pair, password: "Open-Sesame" });
    const wire = (await failure(call)).toWire();
    expect(wire.code).toBe("remote_failed");
    expect(JSON.stringify(wire).toLowerCase()).not.toContain("sesame");
  });
});

test.each([
  ["the password", "Open-Sesame.pdf"],
  ["the key", `of ${KEY.toUpperCase()}.pdf`],
])("a file_name that contains %s is not used", async (_, file_name) => {
  for (const remoteDownloads of ["blob", "link"] as const) {
    working().at(CONVERT, json(200, { success: true, download_url: service.url + RESULT, file_name }));
    const call = newClient({ remoteDownloads }).convert({ ...pair, password: "open-sesame" });
    expect((await call).file_name).toBe("report.final.pdf");
  }
});

test("refuses a download that a transport redirected to another origin", async () => {
  const other = await otherOrigin();
  working().at(RESULT, text(302, "", { Location: other.url + RESULT }));
  const transport: typeof fetch = (input, init) => fetch(new Request(input, { ...init, redirect: "follow" }));
  const error = await failure(newClient({ fetch: transport }).convert(pair));
  expect(error).toMatchObject({ code: "remote_failed", message: expect.stringContaining("redirects") });
});

describe("no cookie and no referrer go to the service", () => {
  test("in the requests to a transport of the app, for upload and download", async () => {
    working();
    const transport = vi.fn<typeof fetch>((input, init) => fetch(input, init));
    await newClient({ fetch: transport }).convert(pair);
    const modes = transport.mock.calls.map(([input, init]) => [
      input instanceof Request && input.credentials,
      init?.credentials ?? "omit",
    ]);
    expect(modes).toEqual([
      ["omit", "omit"],
      ["omit", "omit"],
    ]);
  });

  test("in Chromium, even when the page and the service have one origin", async () => {
    const html = { "Content-Type": "text/html" };
    for (const name of readdirSync(`${ROOT}dist`).filter((name) => name.endsWith(".js"))) {
      const script = { "Content-Type": "text/javascript" };
      service.at(`/vendor/${name}`, text(200, readFileSync(`${ROOT}dist/${name}`), script));
    }
    const page =
      '<!doctype html><script type="module">import * as stayput from "/vendor/index.js"; ' +
      'globalThis.stayput = stayput; document.title = "ready";</script>';
    working().at("/", text(200, page, { ...html, "Set-Cookie": "session=of-the-user" }));
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const watched = await openWatched(browser, service.url);
    await watched.page.waitForFunction(() => document.title === "ready");
    const got = await watched.page.evaluate(async () => {
      const client = stayput.createClient({ baseUrl: location.origin, apiKey: "key" });
      const file = new File(["{\\rtf1 }"], "report.rtf");
      const { download_url } = await client.convert({ file, output_format: "pdf" });
      return [document.cookie, await (await fetch(download_url)).text()];
    });
    expect(got).toEqual(["session=of-the-user", PDF]);
    const sent = service.requests.filter(({ path }) => path === CONVERT || path === RESULT);
    expect(sent.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
    expect(sent.map(({ headers }) => headers.referer)).toEqual([undefined, undefined]);
  });
});

describe("maxResultBytes", () => {
  const limit = 1_000_000;

  test("refuses a result by its Content-Length before reading it", async () => {
    const closed = vi.fn();
    working().at(RESULT, (response) => {
      response.on("close", closed);
      response.writeHead(200, { "Content-Length": "5000000" });
      response.write("%PDF-1.7\n");
    });
    const error = await failure(newClient({ maxResultBytes: limit }).convert(pair));
    expect(error).toMatchObject({
      code: "remote_failed",
      details: { status: 200, largest_size: limit, size: 5_000_000 },
      message: expect.stringContaining("at most"),
    });
    await eventually(() => expect(closed).toHaveBeenCalled());
  });

  test("is 1 GB by default", async () => {
    working().at(RESULT, (response) => {
      response.writeHead(200, { "Content-Length": "1000000001" });
      response.write("%PDF-1.7\n");
    });
    const error = await failure(newClient().convert(pair));
    expect(error).toMatchObject({ code: "remote_failed", details: { largest_size: 1_000_000_000 } });
  });

  test("ends a streamed download at the limit", async () => {
    let sent = 0;
    const ended = vi.fn();
    working().at(RESULT, (response) => {
      response.writeHead(200, { "Content-Type": "application/pdf" });
      endless(response, (bytes) => {
        sent += bytes;
      });
      response.on("close", ended);
    });
    const error = await failure(newClient({ maxResultBytes: limit }).convert(pair));
    expect(error).toMatchObject({ code: "remote_failed", details: { status: 200, largest_size: limit } });
    expect(error.details.size).toBeGreaterThan(limit);
    await eventually(() => expect(ended).toHaveBeenCalled());
    // The buffers of both ends hold some bytes beyond the limit.
    expect(sent).toBeLessThan(20 * limit);
  });

  test("counts decompressed bytes", async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(50_000_000)]));
    expect(bomb.length).toBeLessThan(limit);
    working().at(RESULT, text(200, bomb, { "Content-Encoding": "gzip" }));
    const error = await failure(newClient({ maxResultBytes: limit }).convert(pair));
    expect(error).toMatchObject({ code: "remote_failed", details: { largest_size: limit } });
    expect(error.details.size).toBeLessThan(10 * limit);
  });

  test("accepts a result of exactly that length", async () => {
    working();
    const result = await newClient({ maxResultBytes: PDF.length }).convert(pair);
    expect(await resolveObjectURL(result.download_url)?.text()).toBe(PDF);
    const error = await failure(newClient({ maxResultBytes: PDF.length - 1 }).convert(pair));
    expect(error).toMatchObject({ details: { largest_size: PDF.length - 1, size: PDF.length } });
  });
});

const VARIANTS = [
  "/API/convert",
  "/api/Convert",
  "/Api/Split-PDF",
  "/%61pi/convert",
  "/api%2fconvert",
  "/api%5Cconvert",
  "\\API\\convert",
  "//API//convert",
  "/./API/./convert",
  "/x/../API/convert",
  "/x/%2e%2e/API/convert",
  "/api;a=b/convert",
  "/api/convert/",
  "/API/convert?trace=1#top",
];

describe("a path that a lenient server treats as one of the service's", () => {
  function setUp(baseUrl?: string) {
    const platform = vi.fn(async (..._args: unknown[]) => new Response("from the network"));
    vi.stubGlobal("fetch", platform);
    const client = createClient({ baseUrl });
    onTestFinished(() => client.close());
    const post = async (url: string) => {
      const body = new FormData();
      body.append("file", docx);
      const response = await client.fetch(url, { method: "POST", body });
      return [response.status, (await response.json()).error.code];
    };
    return { post, platform };
  }

  test.each([...VARIANTS, "/API/users"])(
    "gets not_found under baseUrl without a network request: %s",
    async (path) => {
      const { post, platform } = setUp("https://service.example/pdf");
      expect(await post(`https://service.example/pdf${path}`)).toEqual([404, "not_found"]);
      expect(platform).not.toHaveBeenCalled();
    },
  );

  test.each(["/PDF/api/convert", "/%70df/api/convert", "//pdf/api/convert"])(
    "gets not_found when the path of baseUrl is spelled differently: %s",
    async (path) => {
      const { post, platform } = setUp("https://service.example/pdf");
      expect(await post(`https://service.example${path}`)).toEqual([404, "not_found"]);
      expect(platform).not.toHaveBeenCalled();
    },
  );

  test.each(VARIANTS)("gets not_found under the page's origin without a baseUrl: %s", async (path) => {
    vi.stubGlobal("location", new URL("https://app.example/tools/index.html"));
    const { post, platform } = setUp();
    expect(await post(`https://app.example${path}`)).toEqual([404, "not_found"]);
    expect(platform).not.toHaveBeenCalled();
  });

  test.each([
    "https://service.example/pdf/apis/convert",
    "https://service.example/pdf/v1/api/convert",
    "https://service.example/pdf/download/API/a.pdf",
    "https://service.example/api/convert",
    "https://service.example/pdf/..%2fapi/convert",
    "https://other.example/pdf/API/convert",
    "data:text/plain,/api/convert",
  ])("does not include this path: %s", async (url) => {
    const { platform } = setUp("https://service.example/pdf");
    const client = createClient({ baseUrl: "https://service.example/pdf" });
    onTestFinished(() => client.close());
    const args = [url, { method: "GET" }] as const;
    expect(await (await client.fetch(...args)).text()).toBe("from the network");
    expect(platform.mock.calls).toEqual([args]);
  });

  test("is recognized in linear time", async () => {
    const { post } = setUp("https://service.example");
    for (const part of ["%25", ".", "/", ";", "%5c"]) {
      const start = performance.now();
      expect(await post(`https://service.example/API/${part.repeat(200_000)}x`)).toEqual([404, "not_found"]);
      // Quadratic work takes minutes here.
      expect(performance.now() - start).toBeLessThan(20_000);
    }
  });
});

/** Sends zeros until the connection closes. */
function endless(response: ServerResponse, count: (bytes: number) => void): void {
  const chunk = Buffer.alloc(65_536);
  const send = () => {
    while (!response.destroyed) {
      count(chunk.length);
      if (!response.write(chunk)) break;
    }
  };
  response.on("drain", send);
  send();
}
