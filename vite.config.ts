import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { assemble } from "./scripts/assemble.mjs";
import { withFonts } from "./scripts/fonts.mjs";
import { asOfflineApp } from "./scripts/offline.mjs";

await assemble();

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The demo: `npm start` serves it, `vite build` writes it to demo/dist, to be put under any path of any host. */
export default defineConfig({
  root: here("demo"),
  // Fonts for PDFs that name them and do not hold them.
  plugins: [withFonts("fonts/"), asOfflineApp()],
  base: "./",
  server: { fs: { allow: [here(".")] } },
  // The worker's packages too, or the page reloads when the first job meets them.
  optimizeDeps: { entries: [here("demo/index.html"), here("workers/worker.ts")] },
  // One file, as in the package: once it is there, no operation asks for another.
  worker: { format: "es", rolldownOptions: { output: { codeSplitting: false } } },
  build: {
    outDir: here("demo/dist"),
    emptyOutDir: true,
    target: "es2022",
    // No inline script and no `data:` URL: the page runs under the strict policy of docs/privacy.md.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
