import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/dependencies.mjs";

/** Folders of docs/ that hold no pages of ours: packages, the built site, and what TypeDoc makes. */
const NOT_OURS = /node_modules|\.vitepress|^docs\/reference\/api\//;

/** All Markdown pages, as paths in the repository. */
export const PAGES: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  ...pagesIn("docs"),
  ...pagesIn("examples"),
  ...pagesIn("workers"),
];

/** A block of code in a page. */
export interface Example {
  readonly page: string;
  /** The number of the block in its page, from 1. */
  readonly number: number;
  readonly language: string;
  /** The rest of the info string. `unchecked` marks a block that no test checks. */
  readonly note: string;
  readonly code: string;
}

/** Returns the text of a page. */
export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

/** Returns the blocks of code of a page. */
export function examplesIn(page: string): Example[] {
  const blocks = readPage(page).matchAll(/^( *)```(\w*)([^\n]*)\n([\s\S]*?)^\1```$/gm);
  return [...blocks].map(([, , language = "", note = "", code = ""], index) => ({
    page,
    number: index + 1,
    language,
    note: note.trim(),
    code,
  }));
}

/** Returns the scripts of a block of HTML, Vue or Svelte. */
export function scriptsIn(code: string, attribute: string): string[] {
  const scripts = code.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g);
  return [...scripts]
    .filter(([, attributes = ""]) => attributes.includes(attribute))
    .map(([, , script = ""]) => script);
}

function pagesIn(directory: string): string[] {
  const found = readdirSync(join(ROOT, directory), { recursive: true, encoding: "utf8" });
  return found
    .map((path) => join(directory, path))
    .filter((path) => path.endsWith(".md") && !NOT_OURS.test(path));
}
