import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Service } from "../../demo/service/service.ts";
import { ROOT } from "../../scripts/dependencies.mjs";
import { findOffice } from "../../scripts/machine.mjs";
import { ERROR_STATUS } from "../../src/shared/errors.ts";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { breaches } from "../support/conformance/contract.ts";
import { type Facade, fromPage, overHttp, type WayOfPage } from "../support/conformance/facades.ts";
import { OFFICE_REQUESTS } from "../support/conformance/office-requests.ts";
import { REFUSED_REQUESTS } from "../support/conformance/refused-requests.ts";
import { LOCAL_REQUESTS } from "../support/conformance/requests.ts";
import type { ServiceRequest } from "../support/conformance/service-request.ts";
import { docx } from "../support/fixtures/office/documents.ts";

const WAYS: readonly WayOfPage[] = ["methods", "client.fetch", "service worker"];
const KEY = "conformance-key";

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

describe.each(WAYS)("by %s", (way) => {
  const session = pageFor(way);
  const facade = fromPage(session.page, way, session.baseUrl);
  const requests = way === "methods" ? LOCAL_REQUESTS : [...LOCAL_REQUESTS, ...REFUSED_REQUESTS];
  test.each(requests)("$title", (request) => conforms(facade, request));
});

describe("by a form without a referrer", () => {
  const session = pageFor("service worker");

  test("is answered with forbidden", async () => {
    const page = session.page();
    const [response] = await Promise.all([
      page.waitForResponse("**/api/split-pdf"),
      page.evaluate(() => {
        const form = document.createElement("form");
        Object.assign(form, { action: "/api/split-pdf", method: "post", enctype: "multipart/form-data" });
        const policy = Object.assign(document.createElement("meta"), {
          name: "referrer",
          content: "no-referrer",
        });
        document.body.append(policy, form);
        form.submit();
      }),
    ]);
    const answer = { status: response.status(), headers: response.headers() };
    await page.waitForURL("**/api/split-pdf");
    const body = JSON.parse((await page.textContent("body")) ?? "");
    expect(breaches("splitPdf", { ...answer, body })).toEqual([]);
    expect([answer.status, body.error.code]).toEqual([ERROR_STATUS.forbidden, "forbidden"]);
  });
});

const soffice = findOffice();
if (soffice === undefined)
  process.stderr.write("SKIPPED: conformance of the remote service: no LibreOffice\n");

describe.skipIf(soffice === undefined)("with the remote service", () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start({ soffice: soffice ?? "", key: KEY });
  });
  afterAll(() => service.close());

  describe("by HTTP", () => {
    const facade: Facade = (request) => overHttp(service.url, KEY)(request);
    test.each([...OFFICE_REQUESTS, ...REFUSED_REQUESTS])("$title", (request) => conforms(facade, request));
  });

  describe.each(WAYS)("by %s", (way) => {
    const session = pageFor(way, () => service.url, KEY);
    const facade = fromPage(session.page, way, session.baseUrl);
    test.each(OFFICE_REQUESTS)("$title", (request) => conforms(facade, request));
  });
});

describe.skipIf(soffice === undefined)("the key for the remote service", () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start({ soffice: soffice ?? "", key: KEY });
  });
  afterAll(() => service.close());

  // To client.fetch, the request has named the service; to the service worker, the app.
  describe.each([
    ["client.fetch", "own-key", "is the request's"],
    ["service worker", undefined, "is the request's"],
    ["service worker", "own-key", "is the client's"],
    ["service worker", KEY, "is the client's"],
  ] as const)("by %s, of a client whose key is %s, %s", (way, ownKey, whose) => {
    const session = pageFor(way, () => service.url, ownKey);
    test.each([`Bearer ${KEY}`, "Bearer another", ""])("of a request with %j", async (authorization) => {
      const url = `${session.baseUrl()}/api/convert`;
      const content = [...docx(["Dear reader"])];
      const answered = await session.page().evaluate(
        async ({ way, url, authorization, content }) => {
          const body = new FormData();
          body.append("file", new File([Uint8Array.from(content)], "letter.docx"));
          body.append("output_format", "pdf");
          const headers: HeadersInit = authorization === "" ? {} : { authorization };
          const send = way === "client.fetch" ? globalThis.client.fetch : fetch;
          return (await send(url, { method: "POST", headers, body })).status;
        },
        { way, url, authorization, content },
      );
      const shown = whose === "is the client's" ? `Bearer ${ownKey}` : authorization;
      expect(answered).toBe(shown === `Bearer ${KEY}` ? 200 : 401);
    });
  });
});

/** Holds an answer against what the table says and against the contract. */
async function conforms(facade: Facade, request: ServiceRequest): Promise<void> {
  const { answer: expected, operation } = request;
  const outcome = await facade(request);
  expect(breaches(operation, outcome)).toEqual([]);
  if ("code" in expected) {
    expect(outcome.body).toMatchObject({
      success: false,
      error: { code: expected.code, details: expected.details ?? {} },
    });
    expect(outcome.status).toBe(ERROR_STATUS[expected.code]);
  } else {
    expect(outcome.body).toMatchObject({ success: true, file_name: expected.fileName });
    expect(outcome.begins.slice(0, expected.begins.length)).toBe(expected.begins);
  }
}

/** A page with a client, for the tests of one group; the client has the service for its base when there is one. */
function pageFor(way: WayOfPage, serviceUrl?: () => string, apiKey?: string) {
  let server: StrictServer;
  let page: Page;
  beforeAll(async () => {
    const remote = serviceUrl?.();
    const options = remote === undefined ? {} : { baseUrl: remote, apiKey };
    const forServiceWorker = `
      await navigator.serviceWorker.register("/sw.js", { type: "module" });
      await client.answerServiceWorker();`;
    server = await serveStrictly(
      {
        "/vendor/": { folder: `${ROOT}dist` },
        "/index.html": {
          text: '<!doctype html><title>…</title><script type="module" src="/app.js"></script>',
        },
        "/app.js": {
          text: `import { createClient } from "/vendor/index.js";
            globalThis.client = createClient(${JSON.stringify(options)});
            ${way === "service worker" ? forServiceWorker : ""}
            document.title = "ready";`,
        },
        "/sw.js": { text: 'import { serve } from "/vendor/service-worker.js"; serve();' },
      },
      remote === undefined ? [] : [remote],
    );
    const context = await browser.newContext();
    page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.port}/`);
    await page.waitForFunction(() => document.title === "ready");
  });
  afterAll(async () => {
    await page.context().close();
    await server.close();
  });
  return {
    page: () => page,
    // What a service worker answers is under its own origin, and so is what a client without a base answers.
    baseUrl: () => (way === "service worker" ? "" : (serviceUrl?.() ?? "")),
  };
}
