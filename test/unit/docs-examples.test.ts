import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commandScript, ROOT } from "../../scripts/dependencies.mjs";
import { type Example, examplesIn, PAGES, scriptsIn } from "../support/docs.ts";

const EXAMPLES = PAGES.flatMap(examplesIn);

/** The languages of blocks that hold no code of ours. */
const UNCHECKED = ["", "css", "http", "diff"];

/** What the examples use without defining it. */
const CONTEXT = `
import type { Client, createClient as create, ServiceResult } from "stayput";
declare global {
  const createClient: typeof create;
  const file: File, heic: File, report: File, photo: File, appendix: File, photos: File[], form: FormData & { action: string };
  const link: HTMLAnchorElement, image: HTMLImageElement, cancelButton: HTMLButtonElement;
  const headers: Record<string, string>, password: string, session: { key(): Promise<string> };
  const client: Client, result: ServiceResult;
  const trustedTypes: {
    createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): { toJSON(): string } };
  };
  const jest: { mock(module: string, make: () => object): void };
  function require(module: "stayput/testing"): typeof import("stayput/testing");
  const width: number, height: number, pixels: Uint8ClampedArray;
  const luma: Uint8Array<ArrayBuffer>, cb: Uint8Array<ArrayBuffer>, cr: Uint8Array<ArrayBuffer>;
  const nalUnits: readonly Uint8Array<ArrayBuffer>[];
  function showMessage(...text: string[]): void;
  function askAgain(): void;
  function loadEngine(): Promise<{ convert(file: File, to: string, signal: AbortSignal): Promise<Blob> }>;

  // Of a service worker.
  function addEventListener(type: "install", listen: (event: { waitUntil(work: Promise<unknown>): void }) => void): void;
  function addEventListener(
    type: "fetch",
    listen: (event: { request: Request; respondWith(answer: Promise<Response>): void }) => void,
  ): void;

  // Svelte's runes.
  const $state: (<T>(value?: T) => T) & { raw<T>(): T | undefined };
}
`;

/** What the examples use of packages that are not installed here. */
const PACKAGES = `
declare module "svelte" {
  export function onDestroy(run: () => void): void;
}
declare module "vite-plugin-pwa" {
  interface WorkboxOptions { globPatterns: string[]; maximumFileSizeToCacheInBytes: number }
  export function VitePWA(options: { workbox: WorkboxOptions }): import("vite").Plugin[];
}
declare module "@matbee/libreoffice-converter/browser" {
  interface Paths { sofficeJs: string; sofficeWasm: string; sofficeData: string; sofficeWorkerJs: string }
  export function createWasmPaths(baseUrl: string): Paths;
  export class WorkerBrowserConverter {
    constructor(options: Paths & { browserWorkerJs: string });
    initialize(): Promise<void>;
    convert(input: ArrayBuffer, options: { outputFormat: "pdf" }, name: string): Promise<{ data: Uint8Array }>;
  }
}
declare module "pdf-merger-js/browser" {
  export default class PDFMerger {
    add(input: Blob, pages?: string | number | number[]): Promise<void>;
    setMetadata(metadata: { title?: string; author?: string }): Promise<void>;
    saveAsBlob(): Promise<Blob>;
  }
}
declare module "compressorjs" {
  interface Options {
    quality?: number;
    maxWidth?: number;
    maxHeight?: number;
    mimeType?: string;
    success?(result: File | Blob): void;
    error?(error: Error): void;
  }
  export default class Compressor {
    constructor(file: File | Blob, options: Options);
  }
}
declare module "heic-convert/browser" {
  export default function convert(options: {
    buffer: Uint8Array;
    format: "JPEG" | "PNG";
    quality?: number;
  }): Promise<Uint8Array<ArrayBuffer>>;
}
declare module "heic2any" {
  export default function heic2any(options: object): Promise<Blob | Blob[]>;
}
declare module "browser-image-compression" {
  export default function imageCompression(file: File, options: object): Promise<File>;
}
declare module "@testing-library/react" {
  export function render(ui: import("react").ReactNode): void;
  export function cleanup(): void;
  export const fireEvent: { change(element: HTMLElement, init: object): void; click(element: HTMLElement): void };
  export const screen: {
    getByLabelText(text: string): HTMLElement;
    getByText(text: string): HTMLElement;
    findByText(text: string): Promise<HTMLElement>;
  };
}
declare module "@angular/core" {
  interface Signal<T> { (): T; set(value: T): void }
  export function signal<T>(value: T): Signal<T>;
  export function inject<T>(service: new () => T): T;
  export function Injectable(options: object): (target: unknown, context: unknown) => void;
  export function Component(options: object): (target: unknown, context: unknown) => void;
}
`;

// In the repository, so that the examples find the packages that they import.
mkdirSync(join(ROOT, ".cache"), { recursive: true });
const folder = mkdtempSync(join(ROOT, ".cache", "docs-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("examples in TypeScript, JavaScript, Vue and Svelte pass the type check", () => {
  for (const example of EXAMPLES) {
    for (const [name, code] of modulesOf(example)) {
      const file = join(folder, pageFolder(example.page), name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${code}\nexport {};\n`);
    }
  }
  writeFileSync(join(folder, "context.d.ts"), CONTEXT);
  writeFileSync(join(folder, "packages.d.ts"), PACKAGES);
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      jsx: "react-jsx",
      jsxImportSource: "react",
      types: [],
      noUnusedLocals: false,
      paths: {
        stayput: [join(ROOT, "src/index.ts")],
        "stayput/service-worker": [join(ROOT, "src/service-worker.ts")],
        "stayput/uppy": [join(ROOT, "src/uppy.ts")],
        "stayput/filepond": [join(ROOT, "src/filepond.ts")],
        "stayput/testing": [join(ROOT, "src/testing.ts")],
      },
    },
    include: [folder],
    exclude: [],
  };
  const configFile = join(folder, "tsconfig.json");
  writeFileSync(configFile, JSON.stringify(config));
  const tsc = commandScript("typescript", "tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", configFile], { encoding: "utf8" });
  expect(stdout).toBe("");
});

test("scripts of pages have no syntax errors", () => {
  const scripts = EXAMPLES.flatMap(({ language, code }) => {
    if (language === "html") return scriptsIn(code, "module").filter((script) => script !== "");
    return isPageScript(code) ? [code] : [];
  });
  expect(scripts.length).toBeGreaterThan(1);
  for (const script of scripts) {
    const args = ["--input-type=module", "--check", "-"];
    expect(spawnSync(process.execPath, args, { input: script, encoding: "utf8" }).stderr).toBe("");
  }
});

test("JSON can be parsed", () => {
  const scripts = EXAMPLES.filter(({ language }) => language === "json").map(({ code }) => code);
  const maps = EXAMPLES.flatMap(({ code }) => scriptsIn(code, "importmap"));
  for (const json of [...scripts, ...maps]) expect(() => JSON.parse(json)).not.toThrow();
});

test("commands of npm exist", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const commands = EXAMPLES.filter(({ language }) => language === "sh").flatMap(({ code }) =>
    [...code.matchAll(/^npm (?:run )?([\w:-]+)/gm)].map(([, name = ""]) => name),
  );
  const own = ["install", "test", "start"];
  expect(commands.filter((name) => !own.includes(name) && !(name in scripts))).toEqual([]);
});

test("few examples are not checked", () => {
  const unchecked = EXAMPLES.filter(({ note }) => note.includes("unchecked"));
  expect(unchecked.length).toBeLessThanOrEqual(5);
  const checked = ["ts", "tsx", "js", "vue", "svelte", "html", "json", "sh", ...UNCHECKED];
  const others = EXAMPLES.filter(({ language }) => !checked.includes(language));
  expect(others.filter((example) => !unchecked.includes(example))).toEqual([]);
});

/** Returns the modules of an example, by name. A first line `// name.ts` names the file. */
function modulesOf({ page, number, language, note, code }: Example): [string, string][] {
  if (note.includes("unchecked") || isPageScript(code)) return [];
  if (language === "vue" || language === "svelte") {
    return scriptsIn(code, 'lang="ts"').map((script) => [`${number}.ts`, script]);
  }
  if (!["ts", "tsx", "js"].includes(language)) return [];
  const [, name] = /^\/\/ ([\w./-]+\.[jt]sx?)$/m.exec(code.split("\n")[0] ?? "") ?? [];
  const extension = language === "tsx" ? "tsx" : "ts";
  const file = name?.replace(/\.[jt]sx?$/, `.${extension}`) ?? `${number}.${extension}`;
  // The examples of a codec import its sources. Those of a recipe import each other.
  const isOfSources = page.startsWith("workers/");
  return [[file, isOfSources ? code.replaceAll('from "./', `from "${join(ROOT, dirname(page))}/`) : code]];
}

/** Returns whether an example is a script of a page without a bundler, which test/e2e/ runs. */
function isPageScript(code: string): boolean {
  return /from "(https:\/)?\/.*stayput\//.test(code);
}

function pageFolder(page: string): string {
  return page.replaceAll(/[/.]/g, "-");
}
