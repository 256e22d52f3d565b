// Makes the built demo an app: a manifest, so that browsers offer to install it, and a service worker
// (demo/service-worker.ts) with the list of files that it keeps on the device.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { build } from "rolldown";
import { de } from "../demo/messages/de.ts";
import { en } from "../demo/messages/en.ts";
import { TASKS } from "../demo/state/task-list.ts";
import { ROOT } from "./dependencies.mjs";

const MANIFESTS = /** @type {const} */ ([
  ["manifest.webmanifest", "en", en],
  ["manifest.de.webmanifest", "de", de],
]);

const SERVICE_WORKER = "service-worker.js";

/** What the service worker stores. The system loads the PNGs when it installs the app. */
const STORED = /\.(html|css|js|json|svg|wasm|ttf|otf|woff2|webmanifest)$/;

/** docs/decisions/installed-app.md says how the PNGs were drawn. */
const ICONS = [
  { src: "icon.svg", sizes: "any", type: "image/svg+xml" },
  { src: "icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
  { src: "icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
  { src: "icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
];

/** The files that the system offers to open with the installed app. */
const OPENED_TYPES = {
  "application/pdf": [".pdf"],
  "image/jpeg": [".jpg", ".jpeg"],
  "image/png": [".png"],
  "image/webp": [".webp"],
  "image/avif": [".avif"],
  "image/heic": [".heic", ".heif"],
  "image/gif": [".gif"],
  "image/bmp": [".bmp"],
  "image/tiff": [".tif", ".tiff"],
  "image/jxl": [".jxl"],
};

/**
 * The forms of the share sheets of phones. The service worker takes them (demo/shared-files.ts). Whoever hosts the app chooses
 * this, because the files go to the host when the browser has removed the service worker (docs/decisions/installed-app.md).
 */
const SHARE_TARGET = process.env.STAYPUT_SHARE_TARGET
  ? {
      share_target: {
        action: "./shared",
        method: "POST",
        enctype: "multipart/form-data",
        params: { files: [{ name: "file", accept: Object.entries(OPENED_TYPES).flat(2) }] },
      },
    }
  : {};

/**
 * Returns Vite plugins that build both, and that list the engines for demo/state/offline.ts. The page registers the service
 * worker itself, because its policy forbids inline scripts.
 *
 * @returns {import("vite").PluginOption}
 */
export function asOfflineApp() {
  return [listEngines(), addManifests(), addServiceWorker()];
}

/**
 * Adds `engines.json`: the files that the page does not need, but tasks do, and that are kept when the user wants it.
 *
 * @returns {import("vite").Plugin}
 */
function listEngines() {
  return {
    name: "stayput-engines",
    apply: "build",
    generateBundle: {
      // After the plugins that add such files.
      order: "post",
      handler(_, bundle) {
        const engines = Object.values(bundle).flatMap((file) =>
          file.type === "asset" && /\.(wasm|ttf)$/.test(file.fileName)
            ? [{ path: file.fileName, bytes: Buffer.byteLength(file.source) }]
            : [],
        );
        this.emitFile({ type: "asset", fileName: "engines.json", source: JSON.stringify(engines) });
      },
    },
  };
}

/**
 * Adds the manifests, and links the one in English. The page changes the link when it shows another language.
 *
 * @returns {import("vite").Plugin}
 */
function addManifests() {
  return {
    name: "stayput-manifests",
    apply: "build",
    generateBundle() {
      for (const [fileName, lang, messages] of MANIFESTS) {
        const source = JSON.stringify(manifestOf(lang, messages));
        this.emitFile({ type: "asset", fileName, source });
      }
    },
    transformIndexHtml: () => [
      { tag: "link", attrs: { rel: "manifest", href: `./${MANIFESTS[0][0]}` }, injectTo: "head" },
    ],
  };
}

/**
 * Returns a web application manifest.
 *
 * @param {string} lang
 * @param {import("../demo/messages/message.ts").Messages} messages
 */
function manifestOf(lang, messages) {
  /** @param {keyof typeof en} key */
  const text = (key) => String(messages[key]);
  return {
    name: text("app.title"),
    short_name: "Stayput",
    description: text("app.description"),
    lang,
    start_url: "./",
    scope: "./",
    display: "standalone",
    // The values of --accent and --ground in demo/styles/base.css.
    theme_color: "#0b6b5d",
    background_color: "#f7f7f5",
    icons: ICONS,
    // What the system offers at the icon of the installed app. The addresses are those of the page.
    shortcuts: TASKS.map((task) => ({
      name: text(`task.${task}`),
      description: text(`tile.${task}`),
      url: `./#${task}`,
    })),
    // demo/browser/launch.ts takes the files and the task into the open window, which may have unsaved results.
    file_handlers: [{ action: "./", accept: OPENED_TYPES }],
    launch_handler: { client_mode: "focus-existing" },
    ...SHARE_TARGET,
  };
}

/**
 * Adds the service worker, in one file: a classic script, because not all browsers take modules.
 *
 * @returns {import("vite").Plugin}
 */
function addServiceWorker() {
  return {
    name: "stayput-service-worker",
    apply: "build",
    // All other files are written now, those of demo/public, too.
    async writeBundle({ dir }) {
      if (dir === undefined) this.error("the build has no folder");
      await build({
        input: join(ROOT, "demo", "service-worker.ts"),
        platform: "browser",
        transform: {
          target: "es2022",
          define: {
            "process.env.NODE_ENV": '"production"',
            // The name that Workbox declares.
            "self.__WB_MANIFEST": JSON.stringify(storedFiles(dir)),
          },
        },
        output: { file: join(dir, SERVICE_WORKER), format: "iife", minify: true },
      });
    },
  };
}

/**
 * Lists the files that the service worker stores.
 *
 * @param {string} folder
 */
function storedFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll(sep, "/"))
    .filter((path) => STORED.test(path) && path !== SERVICE_WORKER)
    .sort()
    .map((url) => {
      const bytes = readFileSync(join(folder, url));
      return {
        // The browser checks it, so files of two builds never mix, even during a deployment.
        integrity: `sha256-${createHash("sha256").update(bytes).digest("base64")}`,
        // The names in this folder have a hash.
        revision: url.startsWith("assets/") ? null : createHash("md5").update(bytes).digest("hex"),
        url,
      };
    });
}
