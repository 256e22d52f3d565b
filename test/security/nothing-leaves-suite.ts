import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { announceBrowser, type BrowserName, startBrowser } from "../support/browsers/browser-session.ts";
import type { DrivenBrowser, DrivenPage } from "../support/browsers/driven-browser.ts";
import { STRICT_POLICY, type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { docx } from "../support/fixtures/office/documents.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { listenOnLoopback } from "../support/loopback.ts";

// The promise: under `remote: "never"`, no request with a file leaves the device by `client.fetch`, and a service worker
// with the `baseUrl` of another origin answers what pages send there. A server that listens shows what leaves.

/** A request that reached the listening server. */
interface Arrived {
  readonly line: string;
  readonly body: string;
  readonly referer: string | undefined;
}

/** The paths of the listening server to which the page sends. */
const PLACES = ["/api/split-pdf", "/API/split%2Dpdf/", "/v1/protect-pdf", "/upload"];

/** Bodies that may carry a file, and those that cannot. Each is the arguments of `fetch` for a URL. */
const BODIES = `
  const file = () => new File(["%PDF-1.7 the-secret"], "a.pdf", { type: "application/pdf" });
  const bytes = () => new TextEncoder().encode("%PDF-1.7 the-secret");
  const form = (...values) => {
    const made = new FormData();
    for (const value of values) made.append("field", value);
    return made;
  };
  const post = (body, more = {}) => ({ method: "POST", body, ...more });
  const WITH_FILE = {
    form: (url) => [url, post(form("text", file()))],
    blob: (url) => [url, post(new Blob([file()]))],
    "blob of another realm": (url) => {
      const { Blob, FormData } = document.querySelector("iframe").contentWindow;
      return [url, post(new Blob([file()]))];
    },
    "form of another realm": (url) => {
      const other = new (document.querySelector("iframe").contentWindow.FormData)();
      other.append("file", file());
      return [url, post(other)];
    },
    buffer: (url) => [url, post(bytes().buffer)],
    "typed array": (url) => [url, post(bytes())],
    stream: (url) => [url, post(file().stream(), { duplex: "half" })],
    "Request of a form": (url) => [new Request(url, post(form(file())))],
    "Request of a blob": (url) => [new Request(url, post(file()))],
    "Request with another body": (url) => [new Request(url, post("text")), { body: file() }],
    "Request with init": (url) => [new Request(url, post(file())), { cache: "no-store" }],
  };
  const WITHOUT_FILE = {
    nothing: (url) => [url],
    "nothing by POST": (url) => [url, { method: "POST" }],
    "Request of nothing": (url) => [new Request(url, { method: "POST" })],
    text: (url) => [url, post("text")],
    "URL-encoded form": (url) => [url, post(new URLSearchParams({ a: "b" }))],
    "form of texts": (url) => [url, post(form("a", "b"))],
    "text for a Request of a file": (url) => [new Request(url, post(file())), { body: "text" }],
  };`;

const NEVER_APP = `import { createClient } from "/vendor/stayput/index.js";
  ${BODIES}
  /** Sends all bodies to all URLs, and tells what came back. */
  window.sendAll = async ({ options, urls, hasFile }) => {
    const { fetch } = createClient(options);
    const answers = [];
    for (const url of urls) {
      for (const [kind, args] of Object.entries(hasFile ? WITH_FILE : WITHOUT_FILE)) {
        const answer = await fetch(...args(url)).then(
          async (response) => response.status === 501
            ? (await response.json()).error.code
            : response.headers.get("content-type") === "application/json" ? "answered" : response.status,
          (error) => error.name,
        );
        answers.push([new URL(url).pathname, kind, answer]);
      }
    }
    return answers;
  };
  document.title = "ready";`;

const WORKER_APP = `import { createClient } from "/vendor/stayput/index.js";
  import axios from "/vendor/axios.js";
  const { service } = await (await fetch("/config.json")).json();
  const formOf = (bytes, name, fields) => {
    const form = new FormData();
    form.append("file", new File([new Uint8Array(bytes)], name));
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    return form;
  };
  const url = service + "/api/split-pdf";
  const told = ({ success, file_name, download_url, error }) =>
    success ? { file_name, download_url } : error;
  const byXhr = ({ withCredentials, authorization, form, path = url }) => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.responseType = "json";
    request.withCredentials = withCredentials;
    if (authorization) request.setRequestHeader("Authorization", authorization);
    let progress = 0;
    request.upload.onprogress = () => progress++;
    request.onload = () => resolve({ ...told(request.response), progress });
    request.onerror = () => reject(new Error("no answer"));
    request.send(form);
  });
  window.split = async ({ way, bytes }) => {
    const form = formOf(bytes, "a.pdf", { pages: "1" });
    if (way === "fetch") return told(await (await fetch(url, { method: "POST", body: form })).json());
    if (way === "fetch without CORS")
      return (await fetch(url, { method: "POST", body: form, mode: "no-cors" })).json().then(told);
    if (way === "axios") {
      let progress = 0;
      const { data } = await axios.post(url, form, { onUploadProgress: () => progress++ });
      return { ...told(data), progress };
    }
    return byXhr({ form, withCredentials: way !== "XHR", authorization: way === "XHR with a key" && "Bearer key" });
  };
  window.office = async ({ bytes, authorization }) =>
    byXhr({ path: service + "/api/convert", authorization, form: formOf(bytes, "a.docx", { output_format: "pdf" }) });
  window.convert = async ({ bytes }) =>
    (await client.convert({ file: new File([new Uint8Array(bytes)], "a.docx"), output_format: "pdf" })).file_name;
  window.read = async (url) => (await (await fetch(url)).text()).slice(0, 4);
  window.blockedForm = (bytes) => new Promise((resolve) => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective));
    window.submit(bytes);
  });
  window.submit = async (bytes) => {
    const form = document.createElement("form");
    Object.assign(form, { action: url, method: "post", enctype: "multipart/form-data" });
    const chosen = new DataTransfer();
    chosen.items.add(new File([new Uint8Array(bytes)], "a.pdf"));
    form.append(Object.assign(document.createElement("input"), { type: "file", name: "file", files: chosen.files }));
    document.body.append(form);
    setTimeout(() => form.submit());
  };
  const client = createClient({ baseUrl: service });
  await navigator.serviceWorker.register("/app/sw.js", { type: "module" });
  await client.answerServiceWorker();
  document.title = "ready";`;

/** Tests the promise in a browser. */
export function describeNothingLeaves(name: BrowserName): void {
  describe.skipIf(!announceBrowser(name, "nothing leaves"))(`in ${name}`, () => {
    const arrived: Arrived[] = [];
    const listener = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method, url = "", headers } = request;
      const body = Buffer.concat(chunks).toString("latin1");
      arrived.push({ line: `${method} ${url}`, body, referer: headers.referer });
      const allowing = {
        "Access-Control-Allow-Origin": "*",
        // Nothing else, as a service that does not know Stayput.
        "Access-Control-Allow-Headers": "authorization, content-type",
      };
      const made = { success: true, download_url: `${service}/api/made/a.pdf`, file_name: "a.pdf" };
      const answer =
        url === "/api/convert" ? JSON.stringify(made) : url === "/api/made/a.pdf" ? "%PDF-1.7\n" : "";
      response.writeHead(200, { ...allowing, "Content-Type": "text/plain" }).end(answer);
    });
    let service: string;
    let app: StrictServer;
    let browser: DrivenBrowser;
    const withFile = () => arrived.filter(({ body }) => body.includes("the-secret") || body.includes("%PDF"));

    beforeAll(async () => {
      service = `http://localhost:${await listenOnLoopback(listener)}`;
      const page = (script: string) =>
        `<!doctype html><title>…</title><body><iframe></iframe><script type="module" src="${script}"></script>`;
      app = await serveStrictly(
        {
          "/vendor/stayput/": { folder: `${ROOT}dist` },
          "/vendor/axios.js": {
            text: readFileSync(`${ROOT}node_modules/axios/dist/esm/axios.min.js`, "utf8"),
          },
          "/config.json": { text: JSON.stringify({ service }) },
          "/never.html": { text: page("/never.js") },
          "/never.js": { text: NEVER_APP },
          "/app/index.html": { text: page("/app/app.js") },
          "/app/strict.html": {
            text: page("/app/app.js"),
            headers: { "Content-Security-Policy": `${STRICT_POLICY}; form-action 'self'` },
          },
          "/app/app.js": { text: WORKER_APP },
          "/app/sw.js": {
            text: `import { serve } from "/vendor/stayput/service-worker.js"; serve({ baseUrl: "${service}" });`,
          },
        },
        [service],
      );
      browser = await startBrowser(name);
    });
    afterAll(async () => {
      await browser.close();
      await app.close();
      listener.closeAllConnections();
      listener.close();
    });
    beforeEach(() => void arrived.splice(0));

    describe('client.fetch under remote: "never"', () => {
      let page: DrivenPage;
      beforeAll(async () => {
        page = await browser.open(`http://127.0.0.1:${app.port}/never.html`);
      });
      afterAll(() => page.close());
      const sendAll = (options: object, hasFile: boolean) =>
        page.call<[place: string, kind: string, answer: string | number][]>("sendAll", {
          options: { remote: "never", ...options },
          urls: PLACES.map((place) => service + place),
          hasFile,
        });

      test("sends no body that may be a file, without baseUrl", async () => {
        const answers = await sendAll({}, true);
        expect(answers).toHaveLength(11 * PLACES.length);
        for (const [place, kind, answer] of answers) {
          const isForm = /split/.test(place) && /form/.test(kind);
          expect([place, kind, answer]).toEqual([
            ...[place, kind],
            isForm ? "remote_not_configured" : "remote_refused",
          ]);
        }
        expect(arrived).toEqual([]);
      });

      test("sends no body that may be a file, with baseUrl", async () => {
        const answers = await sendAll({ baseUrl: service }, true);
        for (const [place, kind, answer] of answers.filter(([place]) => !/api/i.test(place)))
          expect([place, kind, answer]).toEqual([place, kind, "remote_refused"]);
        expect(arrived).toEqual([]);
        const elsewhere = await sendAll({ baseUrl: "https://service.example" }, true);
        expect(elsewhere.filter(([, , answer]) => answer !== "remote_refused")).toEqual([]);
        expect(arrived).toEqual([]);
      });

      test("sends bodies that are no file", async () => {
        const answers = await sendAll({}, false);
        expect(answers.filter(([, , answer]) => answer !== 200)).toEqual([]);
        expect(withFile()).toEqual([]);
        expect(arrived.filter(({ line }) => line.startsWith("POST"))).toHaveLength(6 * PLACES.length);
      });

      test("sends files to the origins that the app allows", async () => {
        const answers = await sendAll({ allowUploads: [service] }, true);
        // A stream needs HTTP/2, and is a text where it is not supported.
        const others = answers.filter(([, kind]) => kind !== "stream");
        expect(others.filter(([, , answer]) => answer !== 200)).toEqual([]);
        expect(withFile()).toHaveLength(others.length);
      });
    });

    describe("a service worker for the baseUrl of another origin", () => {
      const PDF = [...makePdf({ pages: 2 })];
      const DOCX = [...docx(["Of the app"])];
      let page: DrivenPage;
      beforeAll(async () => {
        page = await browser.open(`http://127.0.0.1:${app.port}/app/`);
      });
      afterAll(() => page.close());

      test.each(["fetch", "fetch without CORS", "XHR", "XHR with credentials", "XHR with a key", "axios"])(
        "answers %s, and the other server sees nothing",
        async (way) => {
          const answer = await page.call<{ download_url: string; progress?: number }>("split", {
            way,
            bytes: PDF,
          });
          expect(answer).toMatchObject({ file_name: "split-a.zip" });
          expect(answer.download_url).toContain(`http://127.0.0.1:${app.port}/app/download/here-`);
          expect(await page.call("read", answer.download_url)).toBe("PK\x03\x04");
          // The answer comes from the service worker, so nothing is uploaded that could progress.
          expect(answer.progress ?? 0).toBe(0);
          expect(arrived).toEqual([]);
        },
      );

      test("sends an office file once, without the page's URL and without a mark", async () => {
        const answer = await page.call<{ download_url: string }>("office", { bytes: DOCX });
        expect(answer).toMatchObject({ file_name: "a.pdf" });
        expect(await page.call("read", answer.download_url)).toBe("%PDF");
        expect(await page.call("convert", { bytes: DOCX })).toBe("a.pdf");
        const call = ["POST /api/convert", "GET /api/made/a.pdf"];
        expect(arrived.map(({ line }) => line)).toEqual([...call, ...call]);
        expect(arrived.map(({ referer }) => referer)).toEqual([undefined, undefined, undefined, undefined]);
      });

      test("passes on the key of the request", async () => {
        await page.call("office", { bytes: DOCX, authorization: "Bearer key" });
        expect(arrived.map(({ line }) => line).filter((line) => !line.startsWith("OPTIONS"))).toEqual([
          "POST /api/convert",
          "GET /api/made/a.pdf",
        ]);
      });

      test("gets no request that the policy of the page forbids, and form-action blocks an HTML form", async () => {
        const strict = await browser.open(`http://127.0.0.1:${app.port}/app/strict.html`);
        await expect(strict.call("split", { way: "fetch", bytes: PDF })).rejects.toThrow();
        expect(await strict.call("blockedForm", PDF)).toBe("form-action");
        expect(arrived).toEqual([]);
        await strict.close();
      });

      test("does not see an HTML form, as the guide says in bold", async () => {
        const leaving = await browser.open(`http://127.0.0.1:${app.port}/app/`);
        await leaving.call("submit", PDF);
        await expect.poll(() => withFile().length, { timeout: 60_000 }).toBe(1);
        await leaving.close();
      });
    });
  });
}
