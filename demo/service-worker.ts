// The built demo's service worker: keeps the app's own files, and nothing else, so that the page opens and works
// without a network. The list of them comes from the build (scripts/offline.mjs).
import { clientsClaim } from "workbox-core";
import { PrecacheController, type PrecacheEntry, PrecacheRoute, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { TAKE_OVER } from "./take-over.ts";

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

// A newer build waits until no window shows the older one, whose files go when it takes over. A window that is being
// loaded asks, since reloading the only one does not end the waiting.
self.addEventListener("message", (event) => {
  if (event.data === TAKE_OVER) event.waitUntil(takeOverFromOne());
});

async function takeOverFromOne(): Promise<void> {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const ours = windows.filter(({ url }) => url.startsWith(self.registration.scope));
  if (ours.length <= 1) await self.skipWaiting();
}
