// Stores the page and the files that protect a PDF, and answers from there. A new version of Stayput needs a new name.
const CACHE = "stayput-0.1.0";
const NAMES = ["index", "core", "calls", "pool", "load-failure", "version", "worker"];
const FILES = NAMES.map((name) => `/stayput/${name}.js`);

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(["/", ...FILES])));
});
addEventListener("fetch", (event) => {
  event.respondWith(caches.match(event.request).then((stored) => stored ?? fetch(event.request)));
});
