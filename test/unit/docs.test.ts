import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { commandScript, ROOT } from "../../scripts/dependencies.mjs";
import { ERROR_STATUS } from "../../src/shared/errors.ts";

const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  ...pagesIn("docs"),
  ...pagesIn("workers"),
];

/** What the examples use without defining it. */
const CONTEXT = `
import type { Client, createClient as create } from "stayput";
declare global {
  const createClient: typeof create;
  const file: File, heic: File, form: FormData & { action: string }, link: HTMLAnchorElement;
  const headers: Record<string, string>, password: string, session: { key(): Promise<string> };
  const client: Client, policy: { createScriptURL(url: string): { toJSON(): string } };
  const axios: { create(options: object): unknown }, ky: { create(options: object): unknown };
  const width: number, height: number, pixels: Uint8ClampedArray;
  const luma: Uint8Array<ArrayBuffer>, cb: Uint8Array<ArrayBuffer>, cr: Uint8Array<ArrayBuffer>;
  const nalUnits: readonly Uint8Array<ArrayBuffer>[];
  function showMessage(code: string, message: string): void;
  function askAgain(): void;
}
`;

const folder = mkdtempSync(join(tmpdir(), "stayput-docs-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the README has at most 200 lines", () => {
  expect(read("README.md").split("\n").length).toBeLessThanOrEqual(201);
});

describe.each(PAGES)("%s", (page) => {
  test("has links that lead to a file and a heading", () => {
    expect(linksOf(page).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });

  test("names files and folders that exist", () => {
    expect(pathsOf(page).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

test("docs/errors.md lists every code with its status", () => {
  const rows = [...read("docs/errors.md").matchAll(/^\| `(\w+)` +\| (\d+) /gm)];
  expect(Object.fromEntries(rows.map(([, code, status]) => [code, Number(status)]))).toEqual(ERROR_STATUS);
});

test("examples in TypeScript pass the type check", () => {
  for (const page of PAGES) {
    const examples = [...read(page).matchAll(/^```ts\n([\s\S]*?)^```/gm)];
    for (const [index, [, example = ""]] of examples.entries()) {
      const code = example.replaceAll('from "./', `from "${join(ROOT, dirname(page))}/`);
      writeFileSync(
        join(folder, `${page.replaceAll(/[/.]/g, "-")}-${index + 1}.ts`),
        `${code}\nexport {};\n`,
      );
    }
  }
  writeFileSync(join(folder, "context.d.ts"), CONTEXT);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      types: [],
      typeRoots: [],
      noUnusedLocals: false,
      paths: {
        stayput: [join(ROOT, "src/index.ts")],
        "stayput/service-worker": [join(ROOT, "src/service-worker.ts")],
        "stayput/uppy": [join(ROOT, "src/uppy.ts")],
        "stayput/filepond": [join(ROOT, "src/filepond.ts")],
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

function pagesIn(directory: string): string[] {
  const found = readdirSync(join(ROOT, directory), { recursive: true, encoding: "utf8" });
  return found
    .filter((path) => path.endsWith(".md"))
    .map((path) => join(directory, path))
    .filter((path) => !/node_modules|\.vitepress|^docs\/reference\/api\//.test(path));
}

function read(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

function linksOf(page: string): string[] {
  const text = read(page).replaceAll(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? "");
}

/** Returns the paths of this repository in a page. `tiff` is the example of a format that is to be added. */
function pathsOf(page: string): string[] {
  const paths = read(page).matchAll(/`((?:src|workers|test|demo|docs|scripts)\/[\w./-]*)`/g);
  return [...paths].map(([, path]) => path ?? "").filter((path) => !path.includes("/tiff/"));
}

function leadsSomewhere(page: string, link: string): boolean {
  if (/^https?:/.test(link)) return true;
  const [path = "", heading] = link.split("#");
  const target = path === "" ? page : relative(ROOT, resolve(ROOT, dirname(page), path));
  if (!existsSync(join(ROOT, target))) return false;
  return heading === undefined || headingsOf(target).includes(heading);
}

/** The anchors of a page's headings, as GitHub makes them. */
function headingsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
