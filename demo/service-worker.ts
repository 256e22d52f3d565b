// The service worker of the built demo. It stores the files of the app, and no others, so that the page works without a
// network. The build makes the list of files (scripts/offline.mjs).
import { clientsClaim } from "workbox-core";
import { PrecacheController, type PrecacheEntry, PrecacheRoute, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";

declare const self: ServiceWorkerGlobalScope;

const files = self.__WB_MANIFEST;

/** The fonts for Chinese, Japanese and Korean have 47 of 60 MB, and few documents need one. */
const isLarge = (file: PrecacheEntry | string) =>
  (typeof file === "string" ? file : file.url).endsWith(".otf");

/** Query parameters do not select another file. */
const ROUTE = { ignoreURLParametersMatching: [/./], cleanURLs: false };

// Stored at the first visit.
precacheAndRoute(
  files.filter((file) => !isLarge(file)),
  ROUTE,
);

// Stored when first used.
const large = new PrecacheController({ cacheName: `large-${self.registration.scope}` });
large.addToCacheList(files.filter(isLarge));
registerRoute(new PrecacheRoute(large, ROUTE));
self.addEventListener("activate", large.activate);

// The page that registered the service worker works offline without a reload.
clientsClaim();

// There is no skipWaiting(). A newer build takes over when no window shows the older one, so that no page requests files
// that are gone. With a reload of the only window, Chromium waited up to 30 seconds (the older worker must be idle), and
// would have changed the build under a page in use.
