import { entryName } from "./entry-name.ts";
import { ServiceError } from "./errors.ts";

/** The position of an item in its selection. */
interface Place {
  readonly selection: string;
  /** Zero-based UTF-16 index into the selection. */
  readonly position: number;
}

/** A page number and its position. */
interface PageNumber extends Place {
  readonly number: number;
}

type Word = "last" | "odd" | "even" | "all" | "primary";

/** Some pages: `7`, `3-5`, `5-`, `9-7`, `last`, `odd`, `even`, `all` or, for images, `primary`. */
type NamedPages =
  | { readonly kind: "page"; readonly page: PageNumber }
  | { readonly kind: "range"; readonly first: PageNumber; readonly last: PageNumber | "end" }
  | { readonly kind: "word"; readonly word: Word; readonly place: Place };

/** One item of a page selection, with the pages that `x` excludes from it: `1-10,x3-4`. */
export interface PageItem {
  readonly named: NamedPages;
  readonly excluded: readonly NamedPages[];
}

/** Some pages of a document with a known page count, and what they are called in file names. */
export interface ResolvedItem {
  /** For an item of a selection, its page numbers resolved and zero-padded: `03`, `05-12`, `09-07`, `odd`, `05-12-x07`. */
  readonly label: string;
  /** One-based page numbers, in the order of the output. */
  readonly pages: readonly number[];
}

/** A longer selection, in items or in pages, would exhaust memory before it ran. */
const MOST_PAGES = 1_000_000;
/** A longer label, in UTF-16 code units, does not list the excluded pages. A file name has at most 255 bytes. */
const LONGEST_LABEL = 60;

const BLANKS = /[ \t]*/y;
const DIGITS = /\d+/y;
const LETTERS = /[a-z]+/iy;
const EXCLUDES = /x/iy;
const WORDS: readonly string[] = ["last", "odd", "even", "all", "primary"] satisfies readonly Word[];

/**
 * Parses a page selection such as `1,3-5,last`. {@link resolvePageSelection} checks it against a document.
 *
 * @param start where the selection begins in a longer text
 * @param end where it ends
 * @throws {ServiceError} `invalid_page_selection` with `details.position` in the text
 */
export function parsePageSelection(
  selection: string,
  start = 0,
  end = selection.length,
): readonly PageItem[] {
  const items: { readonly named: NamedPages; readonly excluded: NamedPages[] }[] = [];
  let position = start;
  let count = 0;

  const take = (pattern: RegExp): string => {
    pattern.lastIndex = position;
    const taken = pattern.exec(selection)?.[0] ?? "";
    position += taken.length;
    return taken;
  };

  const takeNumber = (): PageNumber | undefined => {
    const start = position;
    const digits = take(DIGITS);
    if (digits === "") return undefined;
    const page = { selection, position: start, number: Number(digits) };
    if (page.number === 0) throw invalid("pages are numbered from 1", page);
    return page;
  };

  const takePages = (): NamedPages => {
    const place = { selection, position };
    const letters = take(LETTERS);
    if (letters !== "") {
      const word = letters.toLowerCase();
      if (isWord(word)) return { kind: "word", word, place };
      throw invalid("use the words last, odd, even and all, and for images primary", place);
    }
    const first = takeNumber();
    if (first === undefined) throw invalid("write a page, a range or a word here, as in 1,3-5,last", place);
    if (selection[position] !== "-") return { kind: "page", page: first };
    position++;
    const last = takeNumber() ?? "end";
    const after = { selection, position };
    if (take(LETTERS) !== "")
      throw invalid("end a range with a number, or with nothing for the last page", after);
    return { kind: "range", first, last };
  };

  const takeItem = (): void => {
    const place = { selection, position };
    if (take(EXCLUDES) === "") {
      items.push({ named: takePages(), excluded: [] });
      return;
    }
    const before = items.at(-1);
    if (before === undefined)
      throw invalid("an x excludes pages from the item before it, as in all,x2", place);
    before.excluded.push(takePages());
  };

  for (;;) {
    take(BLANKS);
    if (count++ === MOST_PAGES) throw tooMany({ selection, position });
    takeItem();
    take(BLANKS);
    if (position === end) return items;
    if (selection[position] !== ",")
      throw invalid("write a comma or nothing here, and no spaces inside an item", { selection, position });
    position++;
  }
}

/**
 * Returns the pages of each item in a document of `pageCount` pages. `all` becomes one item for each page.
 *
 * @param primary the number of the primary image, for a file of images
 * @throws {ServiceError} `invalid_page_selection` with `details.position` and `details.page_count` if an item names a
 *   page that does not exist, selects no page, or excludes a page that it does not have
 */
export function resolvePageSelection(
  items: readonly PageItem[],
  pageCount: number,
  primary?: number,
): readonly ResolvedItem[] {
  const resolved: ResolvedItem[] = [];
  let total = 0;
  for (const { named, excluded } of items) {
    for (const item of withoutExcluded(named, excluded, { pageCount, primary })) {
      total += item.pages.length;
      if (total > MOST_PAGES) throw tooMany(placeOf(named), pageCount);
      resolved.push(item);
    }
  }
  return resolved;
}

/** The pages of a document, or the images of a file. */
interface Numbered {
  readonly pageCount: number;
  /** The number of the primary image, for a file of images. */
  readonly primary: number | undefined;
}

/** Returns the pages of an item, without those that are excluded from it. */
function withoutExcluded(
  named: NamedPages,
  excluded: readonly NamedPages[],
  document: Numbered,
): readonly ResolvedItem[] {
  const items = resolveNamed(named, document);
  const last = excluded.at(-1);
  if (last === undefined) return items;
  const { pageCount } = document;
  const left = new Set(flattenPages(items));
  let suffix = "";
  for (const each of excluded) {
    for (const { label, pages } of resolveNamed(each, document)) {
      const missing = pages.find((page) => !left.delete(page));
      if (missing !== undefined)
        throw invalid(`page ${missing} is not in the item, or already excluded`, placeOf(each), pageCount);
      suffix += `-x${label}`;
    }
  }
  if (left.size === 0) throw invalid("this excludes all pages of the item", placeOf(last), pageCount);
  return items.flatMap(({ label, pages }) => {
    const kept = pages.filter((page) => left.has(page));
    if (kept.length === 0) return [];
    if (kept.length === pages.length) return [{ label, pages }];
    const whole = label + suffix;
    return [{ label: whole.length > LONGEST_LABEL ? `${label}-x` : whole, pages: kept }];
  });
}

function resolveNamed(named: NamedPages, { pageCount, primary }: Numbered): readonly ResolvedItem[] {
  const numbered = (page: number) => ({ label: padded(page, pageCount), pages: [page] });
  const inDocument = (page: PageNumber): number => {
    if (page.number <= pageCount) return page.number;
    throw invalid(`the document has ${countOf(pageCount)}`, page, pageCount);
  };
  if (named.kind === "page") return [numbered(inDocument(named.page))];
  if (named.kind === "range") {
    const { first, last } = named;
    return [pageRange(inDocument(first), last === "end" ? pageCount : inDocument(last), pageCount)];
  }
  const { word, place } = named;
  if (word === "primary" && primary === undefined)
    throw invalid("only files of images have a primary one; write a page number", place, pageCount);
  if (pageCount === 0 || (word === "even" && pageCount === 1))
    throw invalid(`this selects nothing in a document of ${countOf(pageCount)}`, place, pageCount);
  switch (word) {
    case "all":
      return sequence(1, pageCount, 1).map(numbered);
    case "last":
      return [numbered(pageCount)];
    case "primary":
      return [numbered(primary ?? 1)];
    case "odd":
    case "even":
      return [{ label: word, pages: sequence(word === "odd" ? 1 : 2, pageCount, 2) }];
  }
}

/** Returns the position of the first page number, or of the word. */
function placeOf(named: NamedPages): Place {
  if (named.kind === "page") return named.page;
  return named.kind === "range" ? named.first : named.place;
}

/** Returns the pages from `first` to `last`, both included, as an item: `03`, `05-12`, `09-07`. */
export function pageRange(first: number, last: number, pageCount: number): ResolvedItem {
  const ends = first === last ? [first] : [first, last];
  return {
    label: ends.map((page) => padded(page, pageCount)).join("-"),
    pages: sequence(first, last, 1),
  };
}

/** Returns the pages of all items in order. A page that occurs several times counts once, at its first place. */
export function flattenPages(items: readonly ResolvedItem[]): readonly number[] {
  const pages = new Set<number>();
  for (const item of items) for (const page of item.pages) pages.add(page);
  return [...pages];
}

/**
 * Returns a function that names the files of an archive in order: `<name>-<label>.<extension>`. Names that are equal,
 * ignoring case, get ` (2)`, ` (3)`. A long name is shortened as by {@link entryName}.
 */
export function archiveNamer(name: string, extension: string): (item: ResolvedItem) => string {
  const taken = new Set<string>();
  const lastNumber = new Map<string, number>();
  return ({ label }) => {
    const key = label.toLowerCase();
    let number = lastNumber.get(key) ?? 0;
    let file: string;
    do {
      number++;
      const suffix = number === 1 ? "" : ` (${number})`;
      file = entryName(name, `-${label}${suffix}.${extension}`);
    } while (taken.has(file.toLowerCase()));
    lastNumber.set(key, number);
    taken.add(file.toLowerCase());
    return file;
  };
}

function isWord(text: string): text is Word {
  return WORDS.includes(text);
}

/** Returns a number with zeros in front, so that it has as many digits as `highest`. */
export function padded(number: number, highest: number): string {
  return String(number).padStart(String(highest).length, "0");
}

/** Returns the numbers from `first` to `last`, both included, upwards or downwards. */
function sequence(first: number, last: number, step: number): number[] {
  const direction = first <= last ? step : -step;
  const length = Math.floor(Math.abs(last - first) / step) + 1;
  return Array.from({ length }, (_, index) => first + index * direction);
}

function countOf(count: number): string {
  return count === 1 ? "1 page" : `${count} pages`;
}

function tooMany(place: Place, pageCount?: number): ServiceError {
  return invalid(`these are more than ${MOST_PAGES} pages; select fewer`, place, pageCount);
}

/** Returns the error. Its message marks the position with an arrow. */
function invalid(reason: string, { selection, position }: Place, pageCount?: number): ServiceError {
  const from = Math.max(0, position - 20);
  const to = position + 20;
  const before = (from > 0 ? "…" : "") + selection.slice(from, position);
  const after = selection.slice(position, to) + (to < selection.length ? "…" : "");
  return new ServiceError(
    "invalid_page_selection",
    `The page selection is wrong at the arrow in "${before}→${after}": ${reason}.`.replace(
      /\p{Cc}/gu,
      "\u{fffd}",
    ),
    pageCount === undefined ? { position } : { position, page_count: pageCount },
  );
}
