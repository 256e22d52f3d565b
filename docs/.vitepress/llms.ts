// Writes llms.txt and the pages as Markdown, for programs that read documentation (llmstxt.org).
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SiteConfig } from "vitepress";
import { GROUPS, HOME, readPage, siteLink, sitePath, summaryOf } from "./pages.ts";

/** Runs at the end of a build. */
export function writeForMachines({ outDir, site: { base } }: SiteConfig): void {
  const home = summaryOf(readPage(HOME));
  const sections = GROUPS.map(({ title, pages }) =>
    [`## ${title}`, pages.map(entry).join("\n")].join("\n\n"),
  );
  const index = [`# ${home.title}`, `> ${home.description}`, ...sections].join("\n\n");
  writeFileSync(join(outDir, "llms.txt"), `${index}\n`);

  for (const path of [HOME, ...GROUPS.flatMap(({ pages }) => pages)]) {
    const target = join(outDir, sitePath(path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, withSiteLinks(path));
  }

  function entry(path: string): string {
    const { title, description } = summaryOf(readPage(path));
    return `- [${title}](${base}${sitePath(path)}): ${description}`;
  }

  function withSiteLinks(path: string): string {
    return readPage(path).replaceAll(/\]\(([^)\s]+)\)/g, (_, link: string) => {
      const target = siteLink(link, path);
      return `](${target.startsWith("/") ? base + target.slice(1) : target})`;
    });
  }
}
