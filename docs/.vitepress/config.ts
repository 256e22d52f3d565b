import { join, relative, sep } from "node:path";
import { defineConfig } from "vitepress";
import { home } from "./home.ts";
import { writeForMachines } from "./llms.ts";
import { anchorOf, GROUPS, HOME, ROOT, readPage, siteLink, sitePath, summaryOf } from "./pages.ts";

export default defineConfig({
  title: "Stayput",
  description:
    "Protects, unlocks, splits, merges and converts PDFs and images in the browser tab, without uploading them.",
  lang: "en-US",
  // The repository, because some pages are not in docs/. Links lead from file to file, as on GitHub.
  srcDir: "..",
  srcExclude: ["README.md", "{demo,dist,scripts,src,test,test-results}/**"],
  rewrites: sitePath,
  base: process.env.DOCS_BASE ?? "/",
  lastUpdated: false,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${process.env.DOCS_BASE ?? "/"}icon.svg` }]],
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
    if (page.filePath === HOME) page.frontmatter = { layout: "home", ...home(description) };
  },
  buildEnd: writeForMachines,
  themeConfig: {
    logo: { src: "/icon.svg", alt: "" },
    nav: [
      { text: "Guides", link: "/guides/getting-started", activeMatch: "^/guides/" },
      { text: "Recipes", link: "/recipes/react", activeMatch: "^/recipes/" },
      { text: "Reference", link: "/reference/client", activeMatch: "^/reference/" },
      { text: "Playground", link: "/playground" },
    ],
    sidebar: GROUPS.map(({ title, pages, isLong }) => ({
      text: title,
      items: pages.slice(0, isLong ? 1 : undefined).map((path) => ({
        text: `${path.includes("/api/") ? "API: " : ""}${summaryOf(readPage(path)).title}`,
        link: `/${sitePath(path)}`,
      })),
    })),
    outline: { level: [2, 3], label: "On this page" },
    search: {
      provider: "local",
      options: {
        miniSearch: {
          searchOptions: {
            // Guides come before the pages that mention a word in passing.
            boostDocument(id: string) {
              if (/\/(guides|recipes)\//.test(id)) return 4;
              return /\/(api|decisions|internals)\/|changelog|contributing|dependencies/.test(id) ? 0.5 : 2;
            },
          },
        },
      },
    },
    externalLinkIcon: true,
    docFooter: { prev: "Before", next: "Next" },
  },
});
