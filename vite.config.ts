import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { withFonts } from "./scripts/fonts.mjs";
import { makeWasm } from "./scripts/make-wasm.mjs";
import { asOfflineApp } from "./scripts/offline.mjs";
import { withoutNode } from "./scripts/without-node.mjs";
import { withWorkerFolder } from "./scripts/worker-folder.mjs";

await makeWasm();

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The demo. `npm start` serves it. `vite build` writes it to demo/dist, which works under any path of any host. */
export default defineConfig({
  root: here("demo"),
  // Fonts for PDFs that do not contain theirs.
  plugins: [withFonts("fonts/"), withWorkerFolder("stayput/"), asOfflineApp(), withoutNode()],
  base: "./",
  server: { fs: { allow: [here(".")] } },
  // Also the packages of the worker. Otherwise Vite reloads the page during the first job.
  optimizeDeps: { entries: [here("demo/index.html"), here("workers/worker.ts")] },
  // One file, so that no operation loads another one later.
  worker: {
    format: "es",
    plugins: () => [withoutNode()],
    rolldownOptions: { output: { codeSplitting: false }, checks: { bundlerTimings: false } },
  },
  build: {
    outDir: here("demo/dist"),
    emptyOutDir: true,
    target: "es2022",
    // No inline script and no `data:` URL: the page runs under the strict policy of docs/privacy.md.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One file for all that the first screen needs: it compresses better than many, and takes one request.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] } },
      // On a busy machine, slow plugins would cause a warning.
      checks: { bundlerTimings: false },
    },
  },
});
