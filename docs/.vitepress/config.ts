import { join, relative, sep } from "node:path";
import { defineConfig } from "vitepress";
import { writeForMachines } from "./llms.ts";
import {
  anchorOf,
  GROUPS,
  HOME,
  isGenerated,
  PLAYGROUND,
  ROOT,
  readPage,
  siteLink,
  sitePath,
  summaryOf,
} from "./pages.ts";
import { withPolicy } from "./policy.ts";

const BASE = process.env.DOCS_BASE ?? "/";
const PACKAGE: { version: string; repository: { url: string } } = JSON.parse(readPage("package.json"));
const REPOSITORY = PACKAGE.repository.url.replace(/^git\+|\.git$/g, "");

export default defineConfig({
  title: "Stayput",
  description:
    "Protects, unlocks, splits, merges and converts PDFs and images in the browser tab, without uploading them.",
  lang: "en-US",
  // The repository, because some pages are not in docs/. Links lead from file to file, as on GitHub.
  srcDir: "..",
  srcExclude: ["README.md", "{demo,dist,scripts,src,test,test-results}/**"],
  rewrites: sitePath,
  base: BASE,
  lastUpdated: false,
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${BASE}icon.svg` }],
    ["meta", { name: "theme-color", content: "#0b6b5d" }],
  ],
  metaChunk: true,
  markdown: {
    anchor: { slugify: anchorOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config(md) {
      md.core.ruler.push("links-between-files", ({ tokens, env }) => {
        const page = relative(ROOT, env.realPath ?? env.path)
          .split(sep)
          .join("/");
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const link = token.type === "link_open" ? token.attrGet("href") : null;
          if (link !== null) token.attrSet("href", siteLink(link, page));
        }
      });
    },
  },
  vite: {
    // Not that of the demo.
    configFile: false,
    publicDir: join(ROOT, "docs/public"),
    // The app of the playground is the built package. Vite must not look for more in the repository.
    optimizeDeps: { entries: [] },
  },
  transformPageData(page) {
    const { title, description } = summaryOf(readPage(page.filePath));
    page.title = title;
    page.description = description;
    if (page.filePath === HOME) page.frontmatter = { layout: "home" };
    if (page.filePath === PLAYGROUND) page.frontmatter = { sidebar: false, aside: false, pageClass: "wide" };
    if (isGenerated(page.filePath)) page.frontmatter = { editLink: false };
  },
  // The first text of a page has its typeface.
  transformHead({ assets }) {
    return assets
      .filter((asset) => asset.endsWith(".woff2"))
      .map((href) => ["link", { rel: "preload", href, as: "font", type: "font/woff2", crossorigin: "" }]);
  },
  transformHtml: withPolicy,
  buildEnd: writeForMachines,
  themeConfig: {
    logo: { src: "/icon.svg", alt: "" },
    nav: [
      { text: "Guides", link: "/guides/getting-started", activeMatch: "^/guides/" },
      { text: "Recipes", link: "/recipes/react", activeMatch: "^/recipes/" },
      { text: "Reference", link: "/reference/client", activeMatch: "^/reference/" },
      { text: "Playground", link: "/playground" },
      { text: PACKAGE.version, link: "/changelog" },
      { text: "Repository", link: REPOSITORY },
    ],
    sidebar: GROUPS.map(({ title, pages, isLong }) => ({
      text: title,
      items: pages.slice(0, isLong ? 1 : undefined).map((path) => ({
        text: `${isGenerated(path) ? "API: " : ""}${summaryOf(readPage(path)).title}`,
        link: `/${sitePath(path)}`,
      })),
    })),
    outline: { level: [2, 3], label: "On this page" },
    // The order of the results: theme/ranking.ts.
    search: { provider: "local" },
    editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: "Edit this page" },
    externalLinkIcon: true,
    docFooter: { prev: "Previous", next: "Next" },
  },
});
