// The pages of the site in their order, for the sidebar and llms.txt. Titles and descriptions are read from the pages:
// the first heading and the first paragraph.
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Group {
  readonly title: string;
  /** Paths in the repository. */
  readonly pages: readonly string[];
  /** Whether only the first page is in the sidebar. It links to the others. */
  readonly isLong?: boolean;
}

export const PLAYGROUND = "docs/playground.md";

export const GROUPS: readonly Group[] = [
  { title: "Start", pages: [...guides("getting-started"), PLAYGROUND, ...guides("switch-an-app", "app")] },
  {
    title: "Examples",
    pages: [
      "examples/README.md",
      ...["plain", "react", "uppy", "offline"].map((name) => `examples/${name}/README.md`),
    ],
  },
  {
    title: "PDFs",
    pages: [
      ...guides("protect", "unlock", "split", "merge", "rotate", "compress", "clean", "repair", "inspect"),
      ...guides("pdf-to-images", "pdf-to-text"),
      ...recipes("pdf-viewer"),
    ],
  },
  { title: "Images", pages: guides("photos", "images", "images-to-pdf") },
  { title: "Servers and scripts", pages: guides("host-the-service", "command-line") },
  { title: "Office files", pages: [...guides("office"), ...recipes("office-engine", "gotenberg")] },
  {
    title: "Your app",
    pages: recipes(
      "react",
      "next",
      "vue",
      "svelte",
      "angular",
      "uppy",
      "filepond",
      "progress",
      "messages",
      "testing",
    ),
  },
  {
    title: "Your set-up",
    pages: recipes("bundlers", "no-bundler", "cdn", "csp", "sealed", "trusted-types", "fonts", "offline"),
  },
  {
    title: "From another library",
    pages: pagesIn("docs/migration", [
      "pdf-lib",
      "pdf-merger-js",
      "pdfjs",
      "heic2any",
      "heic-convert",
      "browser-image-compression",
      "compressorjs",
      "http-service",
    ]),
  },
  {
    title: "Reference",
    pages: [
      ...pagesIn("docs/reference", [
        "client",
        "fields",
        "formats",
        "errors",
        "limits",
        "downloads",
        "browsers",
        "service-worker",
      ]),
      ...pagesIn("docs/reference/api", [
        "stayput",
        "stayput/service-worker",
        "stayput/uppy",
        "stayput/filepond",
        "stayput/testing",
      ]),
    ],
  },
  {
    title: "Trust",
    pages: [
      "docs/limits.md",
      "docs/privacy.md",
      "SECURITY.md",
      "docs/performance.md",
      "docs/measure.md",
      "docs/licenses.md",
      "docs/dependencies.md",
    ],
  },
  {
    title: "Contribute",
    pages: [
      "CONTRIBUTING.md",
      "docs/architecture.md",
      "docs/style.md",
      "workers/parallel/README.md",
      "workers/pdf/content/README.md",
      "workers/pdf/features/README.md",
      "workers/pdf/clean/README.md",
      "workers/codecs/hevc/README.md",
      "workers/codecs/jpeg/README.md",
      "CHANGELOG.md",
    ],
  },
  {
    title: "Decisions",
    isLong: true,
    pages: ["docs/decisions/README.md", ...linkedPages("docs/decisions/README.md")],
  },
];

/** Whether TypeDoc makes the page when the site is built. */
export function isGenerated(path: string): boolean {
  return path.startsWith("docs/reference/api/");
}

/** The home page, which is in no group. */
export const HOME = "docs/README.md";

/**
 * Returns the path of a page on the site.
 *
 * @param path its path in the repository
 */
export function sitePath(path: string): string {
  return path
    .replace(/^docs\//, "")
    .replace(/^workers\/(?:codecs\/)?(\w+)\/README\.md$/, "internals/$1.md")
    .replace(/(^|\/)README\.md$/, "$1index.md")
    .replace(/^[A-Z]+\.md$/, (name) => name.toLowerCase());
}

/**
 * Returns a link of a page as the site needs it: relative links lead from file to file of the repository, so that they
 * also work on GitHub.
 *
 * @param link the link as it is written
 * @param page the page that has it, as a path in the repository
 */
export function siteLink(link: string, page: string): string {
  if (/^([a-z]+:|#|\/)/.test(link)) return link;
  const [path = "", heading] = link.split("#");
  const target = relative(ROOT, resolve(ROOT, dirname(page), path))
    .split(sep)
    .join("/");
  return `/${sitePath(target)}${heading === undefined ? "" : `#${heading}`}`;
}

/** Returns the text of a page, as it is in the repository. */
export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Returns the first heading and the first paragraph of a page, without markup. */
export function summaryOf(text: string): { title: string; description: string } {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, "");
  const title = /^# (.*)$/m.exec(prose)?.[1] ?? "";
  const paragraph = prose.split(/\n{2,}/).find((block) => /^[*\w`"“]/.test(block.trim())) ?? "";
  return { title: plain(title), description: plain(paragraph) };
}

function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*`]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function guides(...names: string[]): string[] {
  return pagesIn("docs/guides", names);
}

function recipes(...names: string[]): string[] {
  return pagesIn("docs/recipes", names);
}

function pagesIn(folder: string, names: readonly string[]): string[] {
  return names.map((name) => join(folder, `${name}.md`).split(sep).join("/"));
}

/** Returns the pages that a page links to. */
function linkedPages(path: string): string[] {
  const links = readPage(path).matchAll(/\]\(([\w-]+\.md)\)/g);
  return [...links].map(([, name = ""]) => `${dirname(path)}/${name}`);
}

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
