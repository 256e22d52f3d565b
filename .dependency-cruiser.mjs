// The import rules of this repository, checked by `npm run check`. docs/architecture.md explains them.

import swc from "@swc/core";

// dependency-cruiser 17 tells swc that every file is TypeScript without JSX.
const { parseFileSync } = swc;
swc.parseFileSync = (path, options) => parseFileSync(path, { ...options, tsx: path.endsWith(".tsx") });

/** Any source of ours. Packages, and Node's own modules, are not. */
const OURS = "^(src|workers|service|demo|test|scripts)/";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "shared-imports-nothing-else",
      comment: "src/shared is used by the page and by the workers, so it may depend on neither.",
      severity: "error",
      from: { path: "^src/shared/" },
      to: { path: OURS, pathNot: "^src/shared/" },
    },
    {
      name: "page-without-workers",
      comment: "The page stays small: it reaches the workers through messages only.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^workers/" },
    },
    {
      name: "plugins-are-thin",
      comment: "What the plugins for uploaders share is in src/upload. The app passes the client to them.",
      severity: "error",
      from: { path: "^src/(uppy|filepond)\\.ts$" },
      to: { path: "^src/", pathNot: "^src/upload/" },
    },
    {
      name: "client-without-plugins",
      comment: "A page that uploads nothing loads no code for it.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(upload/|(uppy|filepond)\\.ts$)" },
      to: { path: "^src/(upload/|(uppy|filepond)\\.ts$)" },
    },
    {
      name: "client-without-mock",
      comment: "The client for tests is an entry of its own.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/testing" },
      to: { path: "^src/testing" },
    },
    {
      name: "workers-use-shared-only",
      comment: "Workers share src/shared with the page, and nothing else of it.",
      severity: "error",
      from: { path: "^workers/" },
      to: { path: "^src/", pathNot: "^src/shared/" },
    },
    {
      name: "base-without-engines",
      comment: "io, wasm, parallel, archive and codecs serve every engine, so they know none.",
      severity: "error",
      from: { path: "^workers/(io|wasm|parallel|archive|codecs)/" },
      to: { path: "^workers/(pdf|image|render)/" },
    },
    {
      name: "pdf-without-images",
      comment: "A page that only protects, unlocks or splits loads no image code.",
      severity: "error",
      from: { path: "^workers/pdf/" },
      to: { path: "^workers/(image|render)/" },
    },
    {
      name: "formats-are-independent",
      comment: "A format is one folder. What two formats need belongs beside them.",
      severity: "error",
      from: { path: "^workers/image/formats/([^/]+)/" },
      to: { path: "^workers/image/formats/([^/]+)/", pathNot: "^workers/image/formats/$1/" },
    },
    {
      name: "codecs-are-sealed",
      comment: "index.ts is the only way into a codec. Its WebAssembly file is an asset, named by its URL.",
      severity: "error",
      from: { path: OURS, pathNot: "^(workers/codecs|test)/" },
      to: { path: "^workers/codecs/", pathNot: "^workers/codecs/[^/]+/(index\\.ts|[\\w-]+\\.wasm)$" },
    },
    {
      name: "codecs-stand-alone",
      comment: "A codec imports nothing outside its folder.",
      severity: "error",
      from: { path: "^workers/codecs/([^/]+)/" },
      to: { path: OURS, pathNot: "^workers/codecs/$1/" },
    },
    {
      name: "product-without-tests",
      comment: "The product imports neither tests nor scripts.",
      severity: "error",
      from: { path: "^(src|workers)/" },
      to: { path: "^(test|scripts|demo)/" },
    },
    {
      name: "service-without-engines",
      comment: "The service runs the engines of the built package, in threads.",
      severity: "error",
      from: { path: "^service/" },
      to: { path: OURS, pathNot: "^(service|src)/" },
    },
    {
      name: "package-without-service",
      comment: "The package stays without dependencies.",
      severity: "error",
      from: { path: "^(src|workers|demo)/" },
      to: { path: "^service/" },
    },
    {
      name: "app-uses-the-public-api",
      comment: "What the app needs and cannot do is a missing feature of the package.",
      severity: "error",
      from: { path: "^demo/" },
      to: { path: OURS, pathNot: "^(demo/|src/index\\.ts$)" },
    },
    {
      name: "app-state-without-views",
      comment: "State is tested in Node.",
      severity: "error",
      from: { path: "^demo/(state|messages)/" },
      to: { path: "^demo/(views|browser)/" },
    },
    {
      name: "no-circles-of-files",
      severity: "error",
      from: { path: "^(src|workers|service|demo)/" },
      to: { circular: true },
    },
    {
      name: "no-circles-of-folders",
      severity: "error",
      scope: "folder",
      from: { path: "^(src|workers|service|demo)" },
      to: { circular: true },
    },
  ],
  options: {
    // TypeScript 7 has no API for other tools, so swc parses the sources.
    parser: "swc",
    // Imports of types count as well.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(demo|service)/dist" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".mjs", ".js"] },
  },
};
