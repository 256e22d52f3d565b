import { deflateSync } from "node:zlib";
import { type Model, plainLayout } from "../model.ts";
import { encryptionOpenToAll, OPEN_IDENTIFIER } from "./encrypted.ts";

/** How many objects share a list, and how many entries the list has. */
export interface Sizes {
  readonly owners: number;
  readonly entries: number;
}

/** An object of a hostile document. It stands in an object stream when the document has object streams. */
export interface Part {
  readonly num: number;
  readonly text: string;
  readonly data?: Uint8Array | undefined;
}

/** What a place adds to the smallest document: a catalog, a page tree and one page. */
export interface Parts {
  /** Entries of the catalog. */
  readonly catalog?: string;
  /** The page tree's `Kids`, without brackets. Default: the one page. */
  readonly kids?: string;
  /** Entries of the one page. */
  readonly page?: string;
  readonly objects: readonly Part[];
  /** What stands before the first object. */
  readonly header?: string;
  /** Changes how the file is laid out. */
  readonly layout?: Partial<Model["layout"]>;
}

/**
 * A small hostile PDF in which many objects refer to one long list. A program that goes through the list for each of
 * its owners takes owners × entries steps, while the file has only owners + entries parts.
 */
export type Place = (sizes: Sizes) => Parts;

/** A reference to the one page. */
export const PAGE = "3 0 R";
/** The list that all owners refer to. */
export const LIST = "5 0 R";
/** The object that every entry of the list refers to, where the entries are all the same. */
export const ENTRY = "6 0 R";
/** A stream that names all entries of a dictionary that {@link named} makes. */
export const CONTENT = "7 0 R";
/** The number of the first owner. */
export const OWNER = 20;

const ENCRYPTION_DICTIONARY = 8;

export const deflate = (text: string): Uint8Array => deflateSync(Buffer.from(text, "latin1"));

/** A text for each of many, one behind the other. */
export const each = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join("");

/** References to as many objects as there are owners. */
export const references = (count: number, first = OWNER): string =>
  each(count, (index) => `${first + index} 0 R `);

/** Dictionary entries n0, n1 and so on. */
export const named = (count: number, value = ENTRY): string => each(count, (index) => `/n${index} ${value}`);

export const listPart = (items: string): Part => ({ num: 5, text: `[${items}]` });
export const dictPart = (entries: string): Part => ({ num: 5, text: `<<${entries}>>` });
export const entryPart = (text: string): Part => ({ num: 6, text });
export const contentPart = (content: string, entries = ""): Part => ({
  num: 7,
  text: `<<${entries}/Filter/FlateDecode>>`,
  data: deflate(content),
});

/** The owners: objects from {@link OWNER} on. */
export const ownerParts = (count: number, text: (index: number) => string, first = OWNER): Part[] =>
  Array.from({ length: count }, (_, index) => ({ num: first + index, text: text(index) }));

/** Owners that are pages. */
export const pageParts = (count: number, entries: (index: number) => string): Part[] =>
  ownerParts(count, (index) => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]${entries(index)}>>`);

/** How a document is written. */
export interface Dress {
  /** Whether its objects stand in object streams. */
  readonly packed?: boolean;
  /** Whether it is encrypted, so that the empty password opens it. */
  readonly encrypted?: boolean;
}

/** Puts the parts of a hostile document together. */
export function modelOf(parts: Parts, dress: Dress): Model {
  const { catalog = "", kids = PAGE, page = "", objects, header = "%PDF-1.7\n", layout } = parts;
  const { packed = false, encrypted = false } = dress;
  const all: Part[] = [
    { num: 1, text: `<</Type/Catalog/Pages 2 0 R${catalog}>>` },
    { num: 2, text: `<</Type/Pages/Count 1/Kids[${kids}]>>` },
    { num: 3, text: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]${page}>>` },
    ...objects,
  ];
  const encryption: Part = { num: ENCRYPTION_DICTIONARY, text: encryptionOpenToAll() };
  return {
    header,
    objects: [
      ...all.map(({ num, text, data }) => ({ num, gen: 0, text, data, packed: packed && !data })),
      ...(encrypted ? [{ ...encryption, gen: 0, data: undefined, packed: false }] : []),
    ],
    trailer: `/Root 1 0 R${encrypted ? `/Encrypt ${ENCRYPTION_DICTIONARY} 0 R${OPEN_IDENTIFIER}` : ""}`,
    layout: { ...plainLayout(packed ? "stream" : "table"), ...layout },
  };
}
