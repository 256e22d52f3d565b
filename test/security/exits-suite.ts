import { createHash } from "node:crypto";
import { createSocket } from "node:dgram";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { announceBrowser, type BrowserName, startBrowser } from "../support/browsers/browser-session.ts";
import type { DrivenBrowser, DrivenPage } from "../support/browsers/driven-browser.ts";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { listenOnLoopback } from "../support/loopback.ts";
import { HOSTILE_FRAME, HOSTILE_WORKER } from "./hostile-exits.ts";

// The promise of `sealed: true`: no code in a worker of Stayput can send anything. A hostile worker tries; a server listens.

const APP = `import { createClient } from "/vendor/stayput/index.js";
  const heard = [];
  new BroadcastChannel("app").onmessage = ({ data }) => heard.push(data);
  const databases = async () => (await indexedDB.databases?.() ?? []).map(({ name }) => name);
  window.run = async ({ sealed }) => {
    heard.length = 0;
    const client = createClient({ assetUrl: "/hostile/", sealed });
    const file = new File(["%PDF-1.7\\n"], "a.pdf");
    const error = await client.unlockPdf({ file, password: "x" }).catch((thrown) => thrown);
    client.close();
    if (error.code !== "internal_error" || !error.message.startsWith("{")) throw new Error(error.code + " " + error.message + JSON.stringify(error.details));
    return { answers: JSON.parse(error.message), heard, databases: await databases() };
  };
  /** Opens the hostile frame as Stayput opens its own. */
  window.open_frame = () => new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.hidden = true;
    frame.src = "/hostile/frame.html";
    addEventListener("message", ({ source, data }) => {
      // Navigations come last.
      if (source === frame.contentWindow) setTimeout(() => resolve(data.answers), 1500);
    });
    document.documentElement.append(frame);
  });
  document.title = "ready";`;

interface Tried {
  readonly answers: Readonly<Record<string, string>>;
  readonly heard: readonly string[];
  readonly databases: readonly string[];
}

/** Tests the promise in a browser. */
export function describeExits(name: BrowserName): void {
  describe.skipIf(!announceBrowser(name, "the exits of a sealed worker"))(`in ${name}`, () => {
    const arrived: string[] = [];
    const listener = createServer((request, response) => {
      arrived.push(request.url ?? "");
      response
        .writeHead(200, { "Access-Control-Allow-Origin": "*", "Content-Type": "text/javascript" })
        .end("");
    });
    listener.on("upgrade", (request, socket) => {
      arrived.push(request.url ?? "");
      socket.destroy();
    });
    // A request that never becomes one, such as that of WebTransport.
    let connections = 0;
    listener.on("connection", () => connections++);
    const udp = createSocket("udp4");
    udp.on("message", () => arrived.push("UDP"));
    let app: StrictServer;
    let browser: DrivenBrowser;
    let page: DrivenPage;

    beforeAll(async () => {
      await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
      const leak = `http://localhost:${await listenOnLoopback(listener)}`;
      const aimed = (script: string) =>
        script
          .replaceAll("{leak}", leak)
          .replaceAll("{udp}", String(udp.address().port))
          .replaceAll("{assets}", "/hostile/");
      const sealedPage = readFileSync(`${ROOT}dist/sealed.html`, "utf8");
      const html = (policy: string) => ({
        text: '<!doctype html><title>…</title><body><script type="module" src="/app.js"></script>',
        headers: { "Content-Security-Policy": policy },
      });
      const open = { "Content-Security-Policy": "" };
      app = await serveStrictly({
        "/vendor/stayput/": { folder: `${ROOT}dist` },
        "/hostile/sealed.html": { text: sealedPage },
        "/hostile/worker.js": { text: aimed(HOSTILE_WORKER), headers: open },
        "/hostile/frame.html": { text: withScript(sealedPage, aimed(HOSTILE_FRAME)), headers: open },
        "/index.html": html(""),
        "/strict.html": html("frame-src 'self'"),
        "/app.js": { text: APP },
      });
      browser = await startBrowser(name);
      page = await browser.open(`http://127.0.0.1:${app.port}/`);
    });
    afterAll(async () => {
      await page.close();
      await browser.close();
      await app.close();
      udp.close();
      listener.closeAllConnections();
      listener.close();
    });
    beforeEach(() => {
      arrived.length = 0;
      connections = 0;
    });

    test("an unsealed worker reaches the server", async () => {
      const { answers, heard, databases } = await page.call<Tried>("run", { sealed: false });
      expect(Object.keys(answers).length).toBeGreaterThanOrEqual(14);
      for (const path of ["/fetch?the-secret", "/xhr", "/ws", "/es", "/nested", "/import.js"])
        expect(arrived).toContain(path);
      expect(heard).toEqual(["the-secret"]);
      expect(databases).toContain("the-secret");
    });

    test("a sealed worker reaches nothing", async () => {
      const before = app.log.length;
      const { answers, heard } = await page.call<Tried>("run", { sealed: true });
      expect(Object.keys(answers).length).toBeGreaterThanOrEqual(14);
      expect(arrived).toEqual([]);
      expect(connections).toBe(0);
      expect(heard).toEqual([]);
      expect(answers["IndexedDB of the app"]).toMatch(/^blocked/);
      // The page requests the parts of the list, without a query.
      expect(app.log.slice(before).filter((line) => line.includes("secret"))).toEqual([]);
    });

    test("even a hostile frame, in which no engine runs, sends no request if the page has frame-src", async () => {
      const strict = await browser.open(`http://127.0.0.1:${app.port}/strict.html`);
      try {
        const answers = await strict.call<Record<string, string>>("open_frame", {});
        expect(Object.keys(answers).length).toBeGreaterThanOrEqual(14);
        expect([...new Set(arrived)]).toEqual(name === "chromium" ? ["UDP"] : []);
      } finally {
        await strict.close();
      }
    });
  });
}

/** Returns sealed.html with another script, which its policy allows. */
function withScript(page: string, script: string): string {
  const hash = createHash("sha256").update(script).digest("base64");
  const body = page.replace(/<script>[\s\S]*<\/script>/, () => `<body><script>${script}</script>`);
  return body.replace(/sha256-[^']*/, () => `sha256-${hash}`);
}
