import type { PageSpan } from "./grid-layout.ts";
import type { TrayFile } from "./tray.ts";

/** The pages of one file that a split by chapters makes. */
export interface Chapter extends PageSpan {
  /** Its title in the outline, which may be empty. Undefined for the pages before the first chapter. */
  readonly title: string | undefined;
}

/** `client.inspect` returns no more entries of an outline. With so many, the chapters may not be complete. */
const MOST_ENTRIES = 10_000;

/**
 * Returns the chapters of a document, in the order of its pages. Empty until its outline is read. As in `splitPdf`, chapters
 * that begin on the same page have that page each.
 */
export function chaptersOf({ inspection }: TrayFile): readonly Chapter[] {
  const { outline = [], pages = 0 } = inspection.value ?? {};
  if (outline.length >= MOST_ENTRIES) return [];
  const entries = outline.filter(({ level }) => level === 1).sort((one, other) => one.page - other.page);
  const chapters = entries.map(({ title, page }, index): Chapter => {
    const next = entries[index + 1]?.page ?? pages + 1;
    return { title, first: page, last: Math.max(page, next - 1) };
  });
  const first = chapters[0]?.first ?? 1;
  return first === 1 ? chapters : [{ title: undefined, first: 1, last: first - 1 }, ...chapters];
}
