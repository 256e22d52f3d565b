import { createServer } from "node:http";
import { ROOT } from "../../scripts/dependencies.mjs";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { listenOnLoopback } from "../support/loopback.ts";

/** A form with a file, and the way in which a page sends it. */
export interface FormPlan {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly content: readonly number[];
  /** `noreferrer` hides the sending page. Browsers may ignore it when the form opens in the same tab. */
  readonly rel?: "noreferrer";
  /** Whether a sandboxed frame with an opaque origin sends the form instead of the page. */
  readonly isSandboxed?: boolean;
}

/** A script that sends a form, which navigates the page. The form belongs to the page or to a frame in it. */
const SEND = `function send({ action, fields, content, rel }, target) {
  const form = document.createElement("form");
  Object.assign(form, { action, target, method: "post", enctype: "multipart/form-data", rel: rel ?? "" });
  const chosen = new DataTransfer();
  chosen.items.add(new File([new Uint8Array(content)], "of-the-attacker"));
  const file = Object.assign(document.createElement("input"), { type: "file", name: "file", files: chosen.files });
  form.append(file);
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement("input"), { name, value }));
  document.body.append(form);
  form.submit();
}
window.navigate = async (plan) => {
  if (!plan.isSandboxed) {
    setTimeout(() => send(plan, "_self"));
    return;
  }
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts allow-forms allow-top-navigation";
  frame.srcdoc = "<body><script>" + send + ";send(" + JSON.stringify(plan) + ', "_top")<' + "/script>";
  document.body.append(frame);
};
window.go = async (url) => void setTimeout(() => location.assign(url));`;

const APP = `import { createClient } from "/vendor/stayput/index.js";
  let tasks = 0;
  navigator.serviceWorker.addEventListener("message", () => tasks++);
  await navigator.serviceWorker.register("/sw.js", { type: "module" });
  const { baseUrl } = await (await fetch("/config.json")).json();
  const client = createClient({ baseUrl, apiKey: "key-of-the-app" });
  await client.answerServiceWorker();

  window.tasks = async () => tasks;
  window.formToken = () => client.formToken();
  window.clearDownloads = () => client.clearDownloads();
  window.splitHere = async (content) => {
    const file = new File([new Uint8Array(content)], "own.pdf");
    return (await client.splitPdf({ file, pages: "1" })).download_url;
  };
  window.signOut = async () => {
    const { port1, port2 } = new MessageChannel();
    const done = new Promise((resolve) => (port1.onmessage = resolve));
    navigator.serviceWorker.controller.postMessage("signed out", [port2]);
    await done;
  };
  window.registrations = async () => (await navigator.serviceWorker.getRegistrations()).length;
  window.signOutByServer = async () => void (await fetch("/sign-out"));
  // Creates no cache, unlike a reader that opens one which may be deleted meanwhile.
  window.hasCache = () => caches.has("stayput-downloads");
  window.stored = async () => {
    if (!(await caches.has("stayput-downloads"))) return undefined;
    const keys = await (await caches.open("stayput-downloads")).keys();
    return keys.map(({ url }) => url);
  };
  window.split = async (content) => {
    const form = new FormData();
    form.append("file", new File([new Uint8Array(content)], "own.pdf"));
    form.append("pages", "1");
    const response = await fetch("/api/split-pdf", { method: "POST", body: form });
    return { status: response.status, ...(await response.json()) };
  };
  window.clearWhileSplitting = async (content) => {
    // The service worker has the request when it hands its task to the page.
    const asked = new Promise((resolve) =>
      navigator.serviceWorker.addEventListener("message", resolve, { once: true }),
    );
    const answer = window.split(content);
    await asked;
    await client.clearDownloads();
    return answer;
  };
  window.statusOf = async (url) => (await fetch(url)).status;
  document.title = "ready";`;

const SERVICE_WORKER = `import { clearDownloads, serve } from "/vendor/stayput/service-worker.js";
  serve();
  addEventListener("message", (event) => {
    if (event.data !== "signed out") return;
    event.waitUntil(clearDownloads().then(() => event.ports[0].postMessage("erased")));
  });`;

export interface TwoSites {
  /** The origin of the app with the service worker. */
  readonly app: string;
  /** The origin of another site. */
  readonly evil: string;
  /** The requests that reached the app's server. */
  readonly appLog: readonly string[];
  /** The requests that reached the remote service. The app's client calls it with its key. */
  readonly remoteLog: readonly string[];
  close(): Promise<void>;
}

/** Serves an app, another site, and a remote service for the app, all on the loopback. */
export async function serveTwoSites(): Promise<TwoSites> {
  const remoteLog: string[] = [];
  const remote = createServer((request, response) => {
    remoteLog.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`);
    request.resume();
    const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
    response.writeHead(request.method === "OPTIONS" ? 204 : 500, cors).end();
  });
  const remoteUrl = `http://127.0.0.1:${await listenOnLoopback(remote)}`;
  const page = (script: string, head = "") =>
    `<!doctype html><meta charset="utf-8">${head}<title>…</title><body><script src="/send.js"></script>${script}`;
  const app: StrictServer = await serveStrictly(
    {
      "/vendor/stayput/": { folder: `${ROOT}dist` },
      "/index.html": { text: page('<script type="module" src="/app.js"></script>') },
      "/quiet.html": {
        text: page(
          '<script type="module" src="/app.js"></script>',
          '<meta name="referrer" content="no-referrer">',
        ),
      },
      "/config.json": { text: JSON.stringify({ baseUrl: remoteUrl }) },
      "/app.js": { text: APP },
      "/send.js": { text: SEND },
      "/sw.js": { text: SERVICE_WORKER },
      "/sign-out": { text: "Signed out", headers: { "Clear-Site-Data": '"cache", "storage"' } },
    },
    [remoteUrl],
  );
  const appUrl = `http://127.0.0.1:${app.port}`;
  const other = createServer((request, response) => {
    request.resume();
    if (request.url === "/through") {
      // Status 307 keeps the method and the form.
      response.writeHead(307, { location: `${appUrl}/api/convert` }).end();
      return;
    }
    const quiet = request.url === "/quiet.html" ? '<meta name="referrer" content="no-referrer">' : "";
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      `<!doctype html><meta charset="utf-8">${quiet}<title>ready</title><body><script>${SEND.replaceAll("</", "<\\/")}</script>`,
    );
  });
  const evil = `http://localhost:${await listenOnLoopback(other)}`;
  return {
    ...{ app: appUrl, evil, appLog: app.log, remoteLog },
    close: async () => {
      await app.close();
      for (const server of [remote, other]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}
