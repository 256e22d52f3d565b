import { ISSUE_CASES } from "../fuzz/hostile/issue-cases.ts";
import { PLACES, sharedListModel } from "../fuzz/hostile/shared-lists.ts";
import type { Dress, Sizes } from "../fuzz/hostile/shared-parts.ts";
import type { Model } from "../fuzz/model.ts";
import { writeModel } from "../fuzz/write-model.ts";
import type { AttackOperation } from "./attacked-tab.ts";

/** A hostile document, which is written anew for each operation. */
export interface AttackCase {
  readonly name: string;
  model(dress?: Dress): Model;
}

/** Owners that are pages: each is an output of its own. */
const PAGES: Sizes = { owners: 2000, entries: 20_000 };
const USUAL: Sizes = { owners: 20_000, entries: 20_000 };
/** A list of one owner. */
const SINGLE: Sizes = { owners: 200_000, entries: 200_000 };
/** Sections and packed data: the work is in the product, the file grows with the owners. */
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

/** Other proportions of places in which every owner is read whatever the operation. */
const PROPORTIONS: readonly (readonly [place: string, sizes: Sizes])[] = [
  ["tags: elements share K of elements", { owners: 200_000, entries: 200_000 }],
  ["tags: elements share K of elements", { owners: 1000, entries: 200_000 }],
  ["tags: pages share a value of ParentTree", { owners: 20_000, entries: 200_000 }],
  ["form: fields share Kids that are fields", { owners: 200_000, entries: 1000 }],
  ["form: fields share Kids", { owners: 200_000, entries: 200_000 }],
  ["pages: Annots", { owners: 20_000, entries: 200_000 }],
  ["pages: Resources", { owners: 20_000, entries: 200_000 }],
  ["pages: Contents", { owners: 200_000, entries: 1000 }],
  ["pages: nodes share Kids", { owners: 1000, entries: 200_000 }],
  ["annotations: AP", { owners: 200_000, entries: 200_000 }],
  ["names: Dests", { owners: 200_000, entries: 200_000 }],
  ["layers: RBGroups", { owners: 200_000, entries: 200_000 }],
  ["outline: items share a destination", { owners: 200_000, entries: 200_000 }],
];

const inWords = ({ owners, entries }: Sizes) =>
  `${owners.toLocaleString("en")} × ${entries.toLocaleString("en")}`;

const placeCase = (place: string, sizes: Sizes): AttackCase => ({
  name: `${place}, ${inWords(sizes)}`,
  model: (dress) => sharedListModel(place, sizes, dress),
});

/** The attacks that were found first, then every place at its usual size, then some at others. */
export const ATTACK_CASES: readonly AttackCase[] = [
  ...ISSUE_CASES,
  ...Object.keys(PLACES).map((place) => placeCase(place, sizesOf(place))),
  ...PROPORTIONS.map(([place, sizes]) => placeCase(place, sizes)),
];

/** The operations on a PDF, and how the document is written for each. */
export const PDF_OPERATIONS: readonly (readonly [operation: AttackOperation, dress: Dress])[] = [
  ["protect", {}],
  ["split", {}],
  ["split all", { packed: true }],
  ["pdf", { packed: true }],
  ["unlock", { packed: true, encrypted: true }],
];

/** The files of a case for each operation that is wanted. Files of one dress are written once. */
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
