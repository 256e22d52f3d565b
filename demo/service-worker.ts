// The built demo's service worker: keeps the app's own files, and nothing else, so that the page opens and works
// without a network. The list of them comes from the build (scripts/offline.mjs).
import { clientsClaim } from "workbox-core";
import { PrecacheController, type PrecacheEntry, PrecacheRoute, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";

declare const self: ServiceWorkerGlobalScope;

const files = self.__WB_MANIFEST;

/** Fonts of Chinese, Japanese and Korean: 47 of 60 MB, and few documents need one. */
const isLarge = (file: PrecacheEntry | string) =>
  (typeof file === "string" ? file : file.url).endsWith(".otf");

/** There is one page, whatever its address asks for. */
const ROUTE = { ignoreURLParametersMatching: [/./], cleanURLs: false };

// Kept before the first visit is over.
precacheAndRoute(
  files.filter((file) => !isLarge(file)),
  ROUTE,
);

// Kept from their first use on: no `install` fetches them.
const large = new PrecacheController({ cacheName: `large-${self.registration.scope}` });
large.addToCacheList(files.filter(isLarge));
registerRoute(new PrecacheRoute(large, ROUTE));
self.addEventListener("activate", large.activate);

// The page that brought the first service worker works offline as well, with no reload.
clientsClaim();

// Nothing here skips waiting: a newer build takes over when no window shows the older one, so that no page ever asks for
// files that went with it. Where the only window asked for it on a reload, Chromium let it wait for up to 30 seconds
// (the older worker has to be idle), and would have changed the build under a page that is in use.
