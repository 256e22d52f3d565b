/**
 * Compares two texts page by page. A form feed ends a page.
 *
 * @returns for each page the share of words that both texts have, in any order, from 0 to 1
 */
export function wordShares(one: string, other: string): readonly number[] {
  const [pages, others] = [pagesOf(one), pagesOf(other)];
  return Array.from({ length: Math.max(pages.length, others.length) }, (_, index) =>
    wordShare(pages[index] ?? [], others[index] ?? []),
  );
}

function pagesOf(text: string): (readonly string[])[] {
  // pdftotext ends each page with a form feed, also the last one.
  const pages = text.replace(/\f$/, "").split("\f");
  return pages.map((page) =>
    page
      .replaceAll(/(?!\s)\p{Cc}/gu, "")
      // Programs write ligatures and wide forms differently.
      .normalize("NFKC")
      .split(/[\s\p{Cf}]+/u)
      .filter(Boolean),
  );
}

function wordShare(words: readonly string[], others: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const word of others) counts.set(word, (counts.get(word) ?? 0) + 1);
  let equal = 0;
  for (const word of words) {
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    counts.set(word, left - 1);
    equal++;
  }
  const most = Math.max(words.length, others.length);
  return most === 0 ? 1 : equal / most;
}
