import type { DefaultTheme, SiteData } from "vitepress";

/**
 * Returns the data of the site with the order of search results. It is a function, so it is added here: VitePress would
 * send it as text and evaluate it, which the policy of the site forbids.
 */
export function withRanking(site: SiteData<DefaultTheme.Config>): SiteData<DefaultTheme.Config> {
  const search = {
    provider: "local",
    options: { miniSearch: { searchOptions: { boostDocument } } },
  } as const;
  return { ...site, themeConfig: { ...site.themeConfig, search } };
}

/**
 * Guides come before the pages that mention a word in passing. The page of what is not done has each word once, in a long table.
 * With 6 it leads for "redact" and "sign", and stays behind the guides for "delete a page".
 */
function boostDocument(id: string): number {
  if (/(?<!reference)\/limits\.html/.test(id)) return 6;
  if (id.includes("/guides/")) return 4;
  if (id.includes("/recipes/")) return 3;
  return /\/(api|decisions|internals)\/|changelog|contributing|dependencies/.test(id) ? 0.5 : 2;
}
