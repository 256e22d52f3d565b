// Writes llms.txt, llms-full.txt and the pages as Markdown, for programs that read documentation (llmstxt.org).
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SiteConfig } from "vitepress";
import { GROUPS, HOME, readPage, siteLink, sitePath, summaryOf } from "./pages.ts";

/** What only people who change Stayput read. llms-full.txt has all other pages. */
const NOT_IN_FULL = ["Contribute", "Decisions"];

/** Runs at the end of a build. */
export function writeForMachines({ outDir, site: { base } }: SiteConfig): void {
  const home = summaryOf(readPage(HOME));
  const sections = GROUPS.map(({ title, pages }) =>
    [`## ${title}`, pages.map(entry).join("\n")].join("\n\n"),
  );
  const all = `[All pages for apps in one file](${base}llms-full.txt)`;
  const index = [`# ${home.title}`, `> ${home.description}`, all, ...sections].join("\n\n");
  writeFileSync(join(outDir, "llms.txt"), `${index}\n`);
  const full = [
    HOME,
    ...GROUPS.filter(({ title }) => !NOT_IN_FULL.includes(title)).flatMap(({ pages }) => pages),
  ];
  writeFileSync(join(outDir, "llms-full.txt"), `${full.map(withSiteLinks).join("\n\n")}\n`);

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
