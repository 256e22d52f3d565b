// Makes the built demo an app: a manifest, so that browsers offer to install it, and a service worker
// (demo/service-worker.ts) with the list of files that it keeps on the device.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { VitePWA } from "vite-plugin-pwa";
import { de } from "../demo/messages/de.ts";
import { en } from "../demo/messages/en.ts";
import { TASKS } from "../demo/state/task-list.ts";

const GERMAN_MANIFEST = "manifest.de.webmanifest";

/** docs/decisions/installed-app.md says how the PNGs were drawn. */
/** @type {import("vite-plugin-pwa").ManifestOptions["icons"]} */
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
};

/**
 * The forms of the share sheets of phones. The service worker takes them (demo/shared-files.ts). Whoever hosts the app chooses
 * this, because the files go to the host when the browser has removed the service worker (docs/decisions/installed-app.md).
 */
const SHARE_TARGET = process.env.STAYPUT_SHARE_TARGET
  ? {
      /** @type {import("vite-plugin-pwa").ManifestOptions["share_target"]} */
      share_target: {
        action: "./shared",
        method: "POST",
        enctype: "multipart/form-data",
        params: { files: [{ name: "file", accept: Object.entries(OPENED_TYPES).flat(2) }] },
      },
    }
  : {};

/**
 * Returns Vite plugins that build both, and list the engines for demo/state/offline.ts. The page registers the service
 * worker itself, because its policy forbids inline scripts.
 *
 * @returns {import("vite").PluginOption}
 */
export function asOfflineApp() {
  return [listEngines(), addGermanManifest(), manifestAndServiceWorker()];
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
 * Adds the manifest for a page in German. The page in English has that of {@link manifestAndServiceWorker}.
 *
 * @returns {import("vite").Plugin}
 */
function addGermanManifest() {
  return {
    name: "stayput-german-manifest",
    apply: "build",
    generateBundle() {
      const source = JSON.stringify(manifestOf("de", de));
      this.emitFile({ type: "asset", fileName: GERMAN_MANIFEST, source });
    },
  };
}

/**
 * @param {string} lang
 * @param {import("../demo/messages/message.ts").Messages} messages
 * @returns {Partial<import("vite-plugin-pwa").ManifestOptions>}
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
    // demo/state/launch.ts takes the files and the task into the open window, which may have unsaved results.
    file_handlers: [{ action: "./", accept: OPENED_TYPES }],
    launch_handler: { client_mode: "focus-existing" },
    ...SHARE_TARGET,
  };
}

function manifestAndServiceWorker() {
  let outDir = "";
  return VitePWA({
    strategies: "injectManifest",
    srcDir: ".",
    filename: "service-worker.ts",
    injectRegister: false,
    includeManifestIcons: false,
    manifest: manifestOf("en", en),
    injectManifest: {
      globPatterns: ["**/*.{html,css,js,json,svg,wasm,ttf,otf}", GERMAN_MANIFEST],
      // No limit here: the service worker decides which files it stores at the first visit.
      maximumFileSizeToCacheInBytes: Number.MAX_SAFE_INTEGER,
      // The browser checks the hash of each file, so files of two builds never mix, even during a deployment.
      manifestTransforms: [
        (entries) => ({
          manifest: entries.map((entry) => ({ ...entry, integrity: integrityOf(join(outDir, entry.url)) })),
        }),
      ],
    },
    integration: {
      configureOptions: ({ root, build }) => {
        outDir = resolve(root, build.outDir);
      },
    },
  });
}

/** @param {string} path */
function integrityOf(path) {
  return `sha256-${createHash("sha256").update(readFileSync(path)).digest("base64")}`;
}
