// The fonts that replace those that PDFs name and do not contain: two faces of each package @embedpdf/fonts-….
// An app serves the files from one folder of its own, see docs/recipes/fonts.md.
import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./dependencies.mjs";

const PACKAGES = join(ROOT, "node_modules/@embedpdf");
const USED = /-(?:Regular|Bold)\.(?:otf|ttf)$/;

/**
 * Returns the paths of the installed font files, by file name.
 *
 * @returns {Map<string, string>}
 */
export function fontFiles() {
  const folders = existsSync(PACKAGES) ? readdirSync(PACKAGES) : [];
  const files = folders
    .map((name) => join(PACKAGES, name, "fonts"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder).map((name) => /** @type {const} */ ([name, join(folder, name)])),
    );
  return new Map(files.filter(([name]) => USED.test(name)));
}

/**
 * Returns a Vite plugin that serves the fonts under a folder and adds them to the build.
 *
 * @param {string} folder for example `fonts/`
 * @returns {import("vite").Plugin}
 */
export function withFonts(folder) {
  const files = fontFiles();
  return {
    name: "stayput-fonts",
    configureServer({ middlewares }) {
      middlewares.use(`/${folder}`, (request, response) => {
        const path = files.get((request.url ?? "").replace("/", ""));
        if (path === undefined) response.writeHead(404).end();
        else createReadStream(path).pipe(response);
      });
    },
    generateBundle() {
      for (const [name, path] of files) {
        this.emitFile({ type: "asset", fileName: folder + name, source: readFileSync(path) });
      }
    },
  };
}
