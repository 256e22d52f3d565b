import { ISSUE_CASES } from "../fuzz/pdf/hostile/issue-cases.ts";
import { PLACES, sharedListModel } from "../fuzz/pdf/hostile/shared-lists.ts";
import type { Dress, Sizes } from "../fuzz/pdf/hostile/shared-parts.ts";
import type { Model } from "../fuzz/pdf/model.ts";
import { writeModel } from "../fuzz/pdf/write-model.ts";
import type { AttackOperation } from "./attacked-tab.ts";

/** When an attack is tried: by `npm test`, also by `npm run test:all`, or also with `ALL_ATTACKS=1`. */
export type Occasion = "always" | "in CI" | "before a release";

/** A hostile document. It is written again for each operation. */
export interface AttackCase {
  readonly name: string;
  readonly runs: Occasion;
  model(dress?: Dress): Model;
}

/** The sizes for owners that are pages: each page is an output of its own. */
const PAGES: Sizes = { owners: 2000, entries: 20_000 };
const USUAL: Sizes = { owners: 20_000, entries: 20_000 };
/** The sizes for a list that has one owner. */
const SINGLE: Sizes = { owners: 200_000, entries: 200_000 };
/**
 * The sizes for sections and packed data: the work is the product of both numbers, and the file grows with
 * the owners.
 */
const PACKED: Sizes = { owners: 500, entries: 200_000 };

const SINGLE_LISTS =
  /listed again and again|filters of one|^catalog: (?!files|lists)|^form: (Fields$|CO|XFA)|K of the root|outline: First|Nums$|layers: (OCGs$|Locked)|(below|after).* other|below elements|nodes of a name|forms within/;

const sizesOf = (place: string): Sizes => {
  if (SINGLE_LISTS.test(place)) return SINGLE;
  if (/^(pages:|tags: pages|chain: (page|nodes above))/.test(place)) return PAGES;
  if (/^sections: Prev$/.test(place)) return { owners: 5000, entries: 1 };
  if (/^(sections|object streams|bombs)/.test(place)) return PACKED;
  return USUAL;
};

/** One place of each kind of list, for CI. The other places run through the same code. */
const CHOSEN_PLACES = [
  ...["pages: one page, listed again and again", "pages: nodes share Kids", "pages: XObject"],
  ...["annotations: AP", "annotations: A", "forms: Resources", "form: fields share DR"],
  ...["tags: elements share K of marked content", "tags: elements share Ref", "tags: ParentTree's values"],
  ...["tags: pages share a value of ParentTree", "names: Dests", "outline: items share First"],
  ...["layers: Order", "layers: configurations share ON", "chain: fields above widgets"],
  ...["chain: elements above elements", "chain: page-tree nodes", "sections: Prev of many rows"],
  ...["object streams: Extends", "bombs: filter within filter"],
];

/** Places with other sizes. These files would be large without object streams. */
const PROPORTIONS: readonly (readonly [place: string, sizes: Sizes, runs: Occasion])[] = [
  ["tags: elements share K of elements", { owners: 200_000, entries: 200_000 }, "in CI"],
  ["tags: elements share K of elements", { owners: 1000, entries: 200_000 }, "before a release"],
  ["tags: pages share a value of ParentTree", { owners: 20_000, entries: 200_000 }, "before a release"],
  ["form: fields share Kids that are fields", { owners: 200_000, entries: 1000 }, "before a release"],
  ["form: fields share Kids", { owners: 200_000, entries: 200_000 }, "in CI"],
  ["pages: Annots", { owners: 20_000, entries: 200_000 }, "in CI"],
  ["pages: Resources", { owners: 20_000, entries: 200_000 }, "before a release"],
  ["pages: Contents", { owners: 200_000, entries: 1000 }, "before a release"],
  ["pages: nodes share Kids", { owners: 1000, entries: 200_000 }, "before a release"],
  ["annotations: AP", { owners: 200_000, entries: 200_000 }, "before a release"],
  ["names: Dests", { owners: 200_000, entries: 200_000 }, "before a release"],
  ["layers: RBGroups", { owners: 200_000, entries: 200_000 }, "before a release"],
  ["outline: items share a destination", { owners: 200_000, entries: 200_000 }, "before a release"],
];

const inWords = ({ owners, entries }: Sizes) =>
  `${owners.toLocaleString("en")} × ${entries.toLocaleString("en")}`;

/** The first known attacks, then every place at its usual size, then some places at other sizes. */
export const ATTACK_CASES: readonly AttackCase[] = [
  ...ISSUE_CASES.map(({ name, model }) => ({ name, runs: "always" as const, model })),
  ...Object.keys(PLACES).map((place) => ({
    name: `${place}, ${inWords(sizesOf(place))}`,
    runs: CHOSEN_PLACES.includes(place) ? ("in CI" as const) : ("before a release" as const),
    model: (dress?: Dress) => sharedListModel(place, sizesOf(place), dress),
  })),
  ...PROPORTIONS.map(([place, sizes, runs]) => ({
    name: `${place}, ${inWords(sizes)}`,
    runs,
    model: (dress?: Dress) => sharedListModel(place, sizes, { ...dress, packed: true }),
  })),
];

/** The operations that are tried but before a release: every object, a file for each page, and decryption. */
export const USUAL_OPERATIONS: readonly AttackOperation[] = ["protect", "split all", "unlock"];

/** The operations on a PDF, and how the document is written for each. */
export const PDF_OPERATIONS: readonly (readonly [operation: AttackOperation, dress: Dress])[] = [
  ["protect", {}],
  ["split", {}],
  ["split 1-", { packed: true }],
  ["split all", { packed: true }],
  ["pdf", { packed: true }],
  ["unlock", { packed: true, encrypted: true }],
];

/**
 * Generates the files of a case for each wanted operation. Writes a file once for all operations with the
 * same dress.
 */
export function* attackFiles(
  { model }: AttackCase,
  isWanted: (operation: AttackOperation) => boolean = () => true,
): Generator<{ readonly operation: AttackOperation; readonly input: Uint8Array }> {
  const written = new Map<string, Uint8Array>();
  for (const [operation, dress] of PDF_OPERATIONS.filter(([one]) => isWanted(one))) {
    const key = JSON.stringify(dress);
    const input = written.get(key) ?? writeModel(model(dress));
    written.set(key, input);
    yield { operation, input };
  }
}
