// The files of the built package that workers load, for the app: it runs sealed, and the frame gets its workers from one folder.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildPackageOnce } from "./built.mjs";
import { ROOT } from "./dependencies.mjs";

const DIST = join(ROOT, "dist");
const FRAME = "sealed.html";

/**
 * Returns a Vite plugin that builds the package and adds these files to the build. The bundler then makes no worker of its own: the
 * one in the folder is for sealed and other clients. The development server has no such folder, and starts workers from the sources.
 *
 * @param {string} folder for example `stayput/`
 * @returns {import("vite").Plugin}
 */
export function withWorkerFolder(folder) {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return {
    name: "stayput-worker-folder",
    apply: "build",
    // The page and the workers compare their versions.
    config: () => ({ define: { __STAYPUT_VERSION__: JSON.stringify(version) } }),
    buildStart: () => buildPackageOnce(),
    load: (id) =>
      /[\\/]default-worker\.ts$/.test(id)
        ? 'export function createDefaultWorker() { throw new Error("assetUrl is missing"); }'
        : null,
    generateBundle() {
      const frame = readFileSync(join(DIST, FRAME), "utf8");
      const [, files = "[]"] = /id="files">(\[.*?\])</.exec(frame) ?? [];
      for (const name of [FRAME, ...JSON.parse(files)])
        this.emitFile({ type: "asset", fileName: folder + name, source: readFileSync(join(DIST, name)) });
    },
  };
}
