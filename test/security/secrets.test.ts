import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import type { createClient } from "../../src/index.ts";
import { announceBrowser } from "../support/browsers/browser-session.ts";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { openReady } from "../support/browsers/open-ready.ts";
import { serveStrictly } from "../support/browsers/strict-server.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { docx } from "../support/fixtures/office/documents.ts";
import { json, ScriptedService } from "../support/fixtures/office/scripted-service.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

declare global {
  // Set by the page under test, from the built package.
  var client: ReturnType<typeof createClient>;
  /** What the page and its service worker wrote to their consoles. */
  var consoles: () => Promise<readonly string[]>;
}

// The promises: passwords and keys do not appear in messages, logs or storage, and nothing is requested but the files of
// Stayput, from where the app serves them. The page makes every call that takes a password, with right and wrong ones,
// through the client, its fetch and the service worker. Only the office conversions are sent.

const SECRETS = {
  password: "hush-password",
  owner: "hush-owner-password",
  wrong: "hush-wrong-password",
  long: `hush-${"long".repeat(50)}`,
  key: "hush-key-of-the-client",
  ownKey: "hush-key-of-the-request",
} as const;
const ANY_SECRET = /hush-[\w-]*/g;

/** Keeps what goes to the console of a script, by the name of the method. */
const HEAR = `const heard = [];
  for (const method of ["debug", "log", "info", "warn", "error", "trace", "table", "dir"])
    console[method] = (...parts) => heard.push(method + " " + parts.map((part) => part?.stack ?? JSON.stringify(part)));`;

const APP = `${HEAR}
  import { createClient } from "/vendor/stayput/index.js";
  const { baseUrl } = await (await fetch("/config.json")).json();
  await navigator.serviceWorker.register("/sw.js", { type: "module" });
  globalThis.client = createClient({ baseUrl, apiKey: ${JSON.stringify(SECRETS.key)}, maxWorkers: 2 });
  await client.answerServiceWorker();
  globalThis.consoles = async () => {
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
    navigator.serviceWorker.controller.postMessage("what was heard", [port2]);
    return [...heard, ...(await answer)];
  };
  document.title = "ready";`;

const SERVICE_WORKER = `${HEAR}
  import { serve } from "/vendor/stayput/service-worker.js";
  serve();
  addEventListener("message", ({ data, ports }) => data === "what was heard" && ports[0].postMessage(heard));`;

/** Makes all calls. Returns what each has answered: the result, or the error with everything that it says. */
function makeCalls(page: Page, baseUrl: string): Promise<readonly string[]> {
  const png = makePng({
    width: 8,
    height: 8,
    colorType: 2,
    bitDepth: 8,
    sample: (x, y) => [9 * x, 9 * y, 9],
  });
  const given = {
    png: [...png],
    pdf: [...makePdf({ pages: 2 })],
    office: [...docx(["A report"])],
    ...SECRETS,
    baseUrl,
  };
  return page.evaluate(async ({ png, pdf, office, password, owner, wrong, long, ownKey, baseUrl }) => {
    const fileOf = (bytes: readonly number[], name: string) => new File([new Uint8Array(bytes)], name);
    const plain = fileOf(pdf, "report.pdf");
    const answers: string[] = [];
    const attempt = async (title: string, call: Promise<unknown>) => {
      const said = await call.then(
        (result) => JSON.stringify(result),
        (error) => `${error} ${error.stack} ${JSON.stringify(error)} ${JSON.stringify(error.toWire?.())}`,
      );
      answers.push(`${title}: ${said}`);
    };
    const locked = await client.protectPdf({
      file: plain,
      password,
      owner_password: owner,
      permissions: ["print"],
    });
    const file = new File([client.blob(locked)], "locked.pdf");
    answers.push(await file.text());
    for (const given of [password, owner, wrong, long]) {
      const fields = { file, password: given };
      await attempt("unlock", client.unlockPdf(fields));
      await attempt("split", client.splitPdf({ ...fields, pages: "1" }));
      await attempt("merge", client.mergePdf({ file: [file, plain], password: [given, ""] }));
      await attempt("clean", client.cleanPdf({ ...fields, flatten: true }));
      await attempt("compress", client.compressPdf({ file, password: given }));
      await attempt("inspect", client.inspect({ ...fields, hidden: true }));
      for (const output_format of ["pdf", "txt", "png", "docx"])
        await attempt(`to ${output_format}`, client.convert({ ...fields, output_format }));
      const pages = async () => {
        for await (const { width } of client.renderPages({ ...fields, width: 50 })) return width;
      };
      await attempt("render", pages());
      await attempt("protect", client.protectPdf({ file: plain, password: given, owner_password: given }));
      await attempt("protect again", client.protectPdf(fields));
    }
    for (const output_format of ["jpg", "png", "webp", "avif", "pdf"])
      await attempt(`to ${output_format}`, client.convert({ file: fileOf(png, "a.png"), output_format }));
    await attempt("wrong fields", client.unlockPdf({ file: plain, password: [wrong] } as never));
    // The service worker answers the second one.
    for (const [send, base] of [
      [client.fetch, baseUrl],
      [fetch, ""],
    ] as const) {
      for (const [path, given] of [
        ["unlock-pdf", password],
        ["unlock-pdf", wrong],
        ["protect-pdf", long],
        ["convert", password],
      ] as const) {
        const body = new FormData();
        body.append("file", path === "convert" ? fileOf(office, "report.docx") : file);
        body.append("password", given);
        if (path === "convert") body.append("output_format", "pdf");
        const headers = { Authorization: `Bearer ${ownKey}` };
        const asked = send(`${base}/api/${path}`, { method: "POST", headers, body });
        await attempt(
          path,
          asked.then(async (response) => [...response.headers, await response.json()]),
        );
      }
    }
    return answers;
  }, given);
}

/** All that the origin stores, and the addresses that the browser remembers. */
function storage(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const found = [
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]),
      JSON.stringify([await indexedDB.databases(), location.href]),
      ...performance.getEntries().map(({ name }) => name),
    ];
    const folder = await navigator.storage.getDirectory();
    for await (const name of folder.keys()) found.push(name);
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        found.push(name, request.url, JSON.stringify([...request.headers, ...(response?.headers ?? [])]));
        found.push(new TextDecoder("latin1").decode(await response?.arrayBuffer()));
      }
    }
    return found;
  });
}

describe.skipIf(!announceBrowser("chromium", "passwords and keys"))("the calls of a page", () => {
  test("show no password and no key, and request the files of Stayput only", async () => {
    const service = await ScriptedService.start();
    onTestFinished(() => service.close());
    service.allowsPages = true;
    // A service that repeats what it got.
    service.at("/api/convert", (response, { headers, form }) => {
      const message = `The key ${headers.authorization} and the password ${form?.get("password")} are wrong.`;
      json(422, { success: false, error: { code: "damaged_file", message, details: { message } } })(
        response,
        {
          ...{ method: "", path: "", headers, form },
        },
      );
    });
    // The policy allows every request, so that those to other origins are seen.
    const headers = { "Content-Security-Policy": "object-src 'none'" };
    const html = '<!doctype html><title>…</title><script type="module" src="/app.js"></script>';
    const server = await serveStrictly({
      "/index.html": { text: html, headers },
      "/app.js": { text: APP },
      "/sw.js": { text: SERVICE_WORKER, headers },
      "/config.json": { text: JSON.stringify({ baseUrl: service.url }) },
      "/vendor/stayput/": { folder: `${ROOT}dist`, headers },
    });
    onTestFinished(() => server.close());
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const context = await browser.newContext();
    const requests: string[] = [];
    context.on("request", (request) => requests.push(`${request.method()} ${request.url()}`));
    const page = await context.newPage();
    const logged: string[] = [];
    // Those of the workers, too.
    page.on("console", (message) => logged.push(message.text()));
    page.on("pageerror", (error) => logged.push(`${error.stack}`));
    await openReady(page, `http://127.0.0.1:${server.port}/`);

    const answers = await makeCalls(page, service.url);
    const secretsIn = (texts: readonly string[]) => texts.flatMap((text) => text.match(ANY_SECRET) ?? []);
    expect(secretsIn(answers)).toEqual([]);
    expect(answers.filter((text) => text.includes("wrong_password")).length).toBeGreaterThan(10);
    expect(secretsIn([...logged, ...(await page.evaluate(() => consoles()))])).toEqual([]);
    const stored = await storage(page);
    expect(stored.filter((text) => text.includes("/download/here-")).length).toBeGreaterThan(0);
    expect(secretsIn(stored)).toEqual([]);
    const token = await page.evaluate(() => client.formToken());
    expect(token).toMatch(/^[\da-f]{32}$/);
    expect([...stored, ...(await storage(page))].filter((text) => text.includes(token))).toEqual([]);

    expect(secretsIn([...server.log, ...requests])).toEqual([]);
    const own = /^GET \/(|app\.js|sw\.js|config\.json|vendor\/stayput\/[\w.-]+\.(js|wasm))$/;
    expect(server.log.filter((request) => !own.test(request))).toEqual([]);
    const origins = new Set(requests.map((request) => new URL(request.replace(/^\S+ (blob:)?/, "")).origin));
    expect([...origins].sort()).toEqual([new URL(page.url()).origin, service.url].sort());

    // The service alone has them: each request one key and, of the calls with one, the password.
    const got = service.requests.filter(({ method }) => method === "POST");
    expect(got).toHaveLength(6);
    const keys = new Set(got.map(({ headers }) => headers.authorization));
    expect([...keys].sort()).toEqual([`Bearer ${SECRETS.key}`, `Bearer ${SECRETS.ownKey}`].sort());
    expect(secretsIn(got.map(({ path }) => path))).toEqual([]);
    expect(got.some(({ form }) => form?.get("password") === SECRETS.password)).toBe(true);
  });
});
