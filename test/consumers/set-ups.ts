import { STRICT_POLICY } from "../support/browsers/strict-server.ts";
import { examplesIn } from "../support/docs.ts";
import type { ExampleName } from "./examples.ts";

/** One way to use the package in an app. It does what docs/recipes/ says, and nothing else. */
export type SetUp = PageSetUp | TestSetUp | ExampleSetUp;

interface AppSetUp {
  readonly name: string;
  /** The folder in `apps/`, or from here for an example. Set-ups of the same app share one installation. */
  readonly app: string;
}

/** An app that is built and served. Its page runs the jobs. */
export interface PageSetUp extends AppSetUp {
  /** The commands that build it, as a developer types them. */
  readonly build?: readonly string[];
  /** A server of the tool, or a folder of the app for a static server. */
  readonly serve: { readonly command: string } | StaticFiles;
  /** The folder of Stayput's files on the server, if the page runs sealed. It may contain `{other}`. */
  readonly sealed?: string;
}

/** An app with tests of its own, outside a browser. */
export interface TestSetUp extends AppSetUp {
  /** The command that runs the tests. */
  readonly test: string;
  /** The page of the docs whose examples are the files of the app. */
  readonly page?: string;
}

/** An app of `examples/`, built and served with the commands of its README. */
export interface ExampleSetUp extends AppSetUp {
  readonly example: ExampleName;
  readonly build?: readonly string[];
  readonly serve: { readonly command: string };
}

/** Commands may contain `{port}`, the port of the page, and `{other}`, the other origin. */
export const PLACEHOLDERS = /\{(port|other)\}/g;

/** Files on a static server. */
export interface StaticFiles {
  readonly folder: string;
  /** The Content-Security-Policy of the page. */
  readonly policy: string;
  /** A folder that another origin serves. */
  readonly otherOrigin?: string;
}

/** For pages with inline scripts, which the strict policy forbids. */
const NO_POLICY = "";

/** The policy of the page in docs/recipes/cdn.md. */
const OTHER_ORIGIN_POLICY = policyIn("docs/recipes/cdn.md").replaceAll("https://files.example", "{other}");
/** The same for a page with an import map, which is an inline script. */
const IMPORT_MAP_POLICY = OTHER_ORIGIN_POLICY.replace(
  "script-src 'self'",
  "script-src 'self' 'unsafe-inline'",
);

/** What docs/recipes/sealed.md says. The page runs no WebAssembly and starts no worker. */
const SEALED_POLICY =
  "default-src 'none'; script-src 'self'; frame-src 'self'; connect-src 'self' blob:; img-src blob:";
const SEALED_OTHER_ORIGIN_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline' {other}; frame-src {other}; connect-src 'self' blob: {other}; img-src blob:";

/** Puts the worker and its files into a folder that the app serves. */
const COPY = "npx stayput copy public/stayput";

export const SET_UPS: readonly SetUp[] = [
  {
    name: "vite-8-dev",
    app: "vite-8",
    serve: { command: "vite --port {port} --strictPort" },
  },
  {
    name: "vite-8-build",
    app: "vite-8",
    build: ["vite build"],
    serve: { folder: "dist", policy: STRICT_POLICY },
  },
  {
    name: "vite-8-base",
    app: "vite-8",
    build: ["vite build --base {other}/"],
    serve: { folder: "dist", otherOrigin: "dist", policy: OTHER_ORIGIN_POLICY },
  },
  {
    name: "vite-7-dev",
    app: "vite-7",
    serve: { command: "vite --port {port} --strictPort" },
  },
  {
    name: "webpack-5",
    app: "webpack-5",
    build: ["webpack"],
    serve: { folder: "public", policy: STRICT_POLICY },
  },
  {
    name: "next-16-turbopack",
    app: "next-16",
    build: ["next build"],
    serve: { command: "next start --port {port}" },
  },
  {
    name: "next-16-webpack",
    app: "next-16",
    build: ["next build --webpack"],
    serve: { command: "next start --port {port}" },
  },
  {
    name: "sveltekit-2",
    app: "sveltekit-2",
    build: ["vite build"],
    serve: { folder: "build", policy: NO_POLICY },
  },
  {
    name: "angular-21",
    app: "angular-21",
    build: ["ng build"],
    serve: { folder: "dist/app/browser", policy: NO_POLICY },
  },
  {
    name: "parcel-2",
    app: "parcel-2",
    build: ["parcel build index.html", "npx stayput copy dist/stayput"],
    serve: { folder: "dist", policy: NO_POLICY },
  },
  {
    name: "esbuild",
    app: "esbuild",
    build: ["esbuild app.js --bundle --format=esm --outdir=public", COPY],
    serve: { folder: "public", policy: STRICT_POLICY },
  },
  {
    name: "rollup-4",
    app: "rollup-4",
    build: ["rollup --config", COPY],
    serve: { folder: "public", policy: STRICT_POLICY },
  },
  {
    name: "import-map",
    app: "import-map",
    serve: { folder: ".", policy: NO_POLICY },
  },
  {
    name: "other-origin",
    app: "other-origin",
    build: ["sed 's|https://files.example|{other}|' page.html > index.html"],
    serve: { folder: ".", otherOrigin: "node_modules/stayput/dist", policy: IMPORT_MAP_POLICY },
  },
  {
    name: "sealed-vite-8-dev",
    app: "vite-8",
    build: [COPY],
    serve: { command: "vite --port {port} --strictPort" },
    sealed: "/stayput/",
  },
  {
    name: "sealed-vite-8-build",
    app: "vite-8",
    build: [COPY, "vite build"],
    serve: { folder: "dist", policy: SEALED_POLICY },
    sealed: "/stayput/",
  },
  {
    name: "sealed-webpack-5",
    app: "webpack-5",
    build: ["webpack", COPY],
    serve: { folder: "public", policy: SEALED_POLICY },
    sealed: "/stayput/",
  },
  {
    name: "sealed-next-16",
    app: "next-16",
    build: [COPY, "next build"],
    serve: { command: "next start --port {port}" },
    sealed: "/stayput/",
  },
  {
    name: "sealed-import-map",
    app: "import-map",
    serve: { folder: ".", policy: NO_POLICY },
    sealed: "/node_modules/stayput/dist/",
  },
  {
    name: "sealed-other-origin",
    app: "other-origin",
    build: ["sed 's|https://files.example|{other}|' page.html > index.html"],
    serve: {
      folder: ".",
      otherOrigin: "node_modules/stayput/dist",
      policy: SEALED_OTHER_ORIGIN_POLICY,
    },
    sealed: "{other}/",
  },
  { name: "jest-30-jsdom", app: "jest-30", test: "jest --env jsdom" },
  { name: "jest-30-node", app: "jest-30", test: "jest --env node" },
  { name: "vitest-4", app: "vitest-4", test: "vitest run", page: "docs/recipes/testing.md" },
  {
    name: "example-plain",
    app: "../../../examples/plain",
    example: "plain",
    serve: { command: "npm start -- --port {port}" },
  },
  {
    name: "example-react",
    app: "../../../examples/react",
    example: "react",
    serve: { command: "npm start -- --port {port} --strictPort" },
  },
  {
    name: "example-react-build",
    app: "../../../examples/react",
    example: "react",
    build: ["npm run build"],
    serve: { command: "vite preview --port {port} --strictPort" },
  },
  {
    name: "example-uppy",
    app: "../../../examples/uppy",
    example: "uppy",
    build: ["npm run build"],
    serve: { command: "npm start -- --port {port} --strictPort" },
  },
  {
    name: "example-offline",
    app: "../../../examples/offline",
    example: "offline",
    serve: { command: "npm start -- --port {port}" },
  },
];

/** Returns the first policy in a page of the docs. */
function policyIn(page: string): string {
  const policies = examplesIn(page).flatMap(
    ({ code }) => /^Content-Security-Policy: (.*)$/m.exec(code)?.[1] ?? [],
  );
  return policies[0] ?? "";
}
