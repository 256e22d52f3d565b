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

/** One item of a page selection: `7`, `3-5`, `5-`, `9-7`, `last`, `odd`, `even`, `all` or, for images, `primary`. */
export type PageItem =
  | { readonly kind: "page"; readonly page: PageNumber }
  | { readonly kind: "range"; readonly first: PageNumber; readonly last: PageNumber | "end" }
  | { readonly kind: "word"; readonly word: Word; readonly place: Place };

/** Some pages of a document with a known page count, and what they are called in file names. */
export interface ResolvedItem {
  /** For an item of a selection, its page numbers resolved and zero-padded: `03`, `05-12`, `09-07`, `odd`. */
  readonly label: string;
  /** One-based page numbers, in the order of the output. */
  readonly pages: readonly number[];
}

/** A longer selection, in items or in pages, would exhaust memory before it ran. */
const MOST_PAGES = 1_000_000;

const BLANKS = /[ \t]*/y;
const DIGITS = /\d+/y;
const LETTERS = /[a-z]+/iy;
const WORDS: readonly string[] = ["last", "odd", "even", "all", "primary"] satisfies readonly Word[];

/**
 * Parses a page selection such as `1,3-5,last`. {@link resolvePageSelection} checks it against a document.
 *
 * @throws {ServiceError} `invalid_page_selection` with `details.position`
 */
export function parsePageSelection(selection: string): readonly PageItem[] {
  const items: PageItem[] = [];
  let position = 0;

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

  const takeItem = (): PageItem => {
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

  for (;;) {
    take(BLANKS);
    if (items.length === MOST_PAGES) throw tooMany({ selection, position });
    items.push(takeItem());
    take(BLANKS);
    if (position === selection.length) return items;
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
 *   page that does not exist, or selects no page
 */
export function resolvePageSelection(
  items: readonly PageItem[],
  pageCount: number,
  primary?: number,
): readonly ResolvedItem[] {
  const pad = (page: number) => padded(page, pageCount);
  const resolved: ResolvedItem[] = [];
  let total = 0;

  const count = (pages: number, place: Place): void => {
    if (pages === 0)
      throw invalid(`this selects nothing in a document of ${countOf(pageCount)}`, place, pageCount);
    total += pages;
    if (total > MOST_PAGES) throw tooMany(place, pageCount);
  };

  const inDocument = (page: PageNumber): number => {
    if (page.number <= pageCount) return page.number;
    throw invalid(`the document has ${countOf(pageCount)}`, page, pageCount);
  };

  const resolveWord = (word: Word, place: Place): void => {
    switch (word) {
      case "all":
        count(pageCount, place);
        for (let page = 1; page <= pageCount; page++) resolved.push({ label: pad(page), pages: [page] });
        return;
      case "last":
        count(Math.min(pageCount, 1), place);
        resolved.push({ label: pad(pageCount), pages: [pageCount] });
        return;
      case "primary":
        if (primary === undefined)
          throw invalid("only files of images have a primary one; write a page number", place, pageCount);
        count(1, place);
        resolved.push({ label: pad(primary), pages: [primary] });
        return;
      default: {
        const first = word === "odd" ? 1 : 2;
        count(Math.floor((pageCount + 2 - first) / 2), place);
        resolved.push({ label: word, pages: sequence(first, pageCount, 2) });
      }
    }
  };

  const resolveRange = (first: number, last: number, place: Place): void => {
    count(Math.abs(last - first) + 1, place);
    resolved.push(pageRange(first, last, pageCount));
  };

  for (const item of items) {
    if (item.kind === "word") resolveWord(item.word, item.place);
    else if (item.kind === "page") resolveRange(inDocument(item.page), item.page.number, item.page);
    else
      resolveRange(
        inDocument(item.first),
        item.last === "end" ? pageCount : inDocument(item.last),
        item.first,
      );
  }
  return resolved;
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
