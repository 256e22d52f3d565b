// The service worker of the built demo. It stores files of the app, and no others, so that the page works without a
// network. The build makes the list of files (scripts/offline.mjs). It also passes on the files that other apps share.
import { clientsClaim, type WorkboxPlugin } from "workbox-core";
import { PrecacheController, type PrecacheEntry, PrecacheRoute, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { takeSharedFiles } from "./shared-files.ts";
import type { FontMessage } from "./state/fonts.ts";

declare const self: ServiceWorkerGlobalScope;

const files = self.__WB_MANIFEST;

/** WebAssembly and the smaller fonts: 13 of 14 MB. The page can ask for all of them. */
const ENGINES = /\.(wasm|ttf)$/;

/** The fonts for Chinese, Japanese and Korean have 47 MB more, and few documents need one. */
const LARGE_FONTS = /\.otf$/;

/** Query parameters do not select another file. */
const ROUTE = { ignoreURLParametersMatching: [/./], cleanURLs: false };

// Stored at the first visit: what the page opens with, and the code for PDFs.
precacheAndRoute(
  files.filter((file) => !ENGINES.test(urlOf(file)) && !LARGE_FONTS.test(urlOf(file))),
  ROUTE,
);

takeSharedFiles();

const engines = storeWhenUsed("engines", ENGINES);
storeWhenUsed("large", LARGE_FONTS, tellWhileLoading());

// There is a cache of this name when the user wants all engines (demo/state/offline.ts). A newer build then brings its own.
const wish = `keep-${self.registration.scope}`;
self.addEventListener("install", (event) => {
  event.waitUntil(caches.has(wish).then((isWished) => (isWished ? engines.install(event) : undefined)));
});

// The page that registered the service worker works offline without a reload.
clientsClaim();

// There is no skipWaiting(). A newer build takes over when no window shows the older one, so that no page requests files
// that are gone. With a reload of the only window, Chromium waited up to 30 seconds (the older worker must be idle), and
// would have changed the build under a page in use.

function urlOf(file: PrecacheEntry | string): string {
  return typeof file === "string" ? file : file.url;
}

/** Stores each of some files when the page first uses it. */
function storeWhenUsed(name: string, which: RegExp, ...plugins: WorkboxPlugin[]): PrecacheController {
  const controller = new PrecacheController({ cacheName: `${name}-${self.registration.scope}`, plugins });
  controller.addToCacheList(files.filter((file) => which.test(urlOf(file))));
  registerRoute(new PrecacheRoute(controller, ROUTE));
  self.addEventListener("activate", controller.activate);
  return controller;
}

/** Tells the windows while a file comes from the network, for demo/state/fonts.ts. */
function tellWhileLoading(): WorkboxPlugin {
  const tell = async (message: FontMessage) => {
    for (const client of await self.clients.matchAll()) client.postMessage(message);
  };
  return {
    requestWillFetch: async ({ request }) => {
      await tell({ url: request.url, isLoading: true });
      return request;
    },
    handlerDidComplete: ({ request }) => tell({ url: request.url, isLoading: false }),
  };
}
