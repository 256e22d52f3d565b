import { Random } from "../../random.ts";
import type { Model } from "../model.ts";
import { nestedBomb } from "./long-chains.ts";
import { sharedListModel } from "./shared-lists.ts";
import { CONTENT, type Dress, modelOf, PAGE, type Parts } from "./shared-parts.ts";

/** A document of which one attack is known, and the operation that it is for. */
export interface IssueCase {
  readonly name: string;
  readonly operation: "split" | "split 1-" | "split all";
  model(dress?: Dress): Model;
}

/** The attacks that were found first, with the sizes that they had. */
export const ISSUE_CASES: readonly IssueCase[] = [
  {
    name: "20,000 structure elements share K",
    operation: "split",
    model: (dress) =>
      sharedListModel("tags: elements share K of elements", { owners: 20_000, entries: 20_000 }, dress),
  },
  {
    name: "20,000 form fields share Kids",
    operation: "split",
    model: (dress) =>
      sharedListModel("form: fields share Kids that are fields", { owners: 20_000, entries: 20_000 }, dress),
  },
  {
    name: "2,000 pages share 20,000 Annots",
    operation: "split 1-",
    model: (dress) => sharedListModel("pages: Annots of many", { owners: 2000, entries: 20_000 }, dress),
  },
  {
    name: "one page listed 150,000 times",
    operation: "split all",
    model: (dress = {}) => modelOf(repeatedPage(150_000, 20_000), dress),
  },
  {
    name: "five Flate filters over a few hundred bytes",
    operation: "split",
    model: (dress = {}) => modelOf(fiveFilters(), dress),
  },
];

/** One page with a content that does not pack. */
function repeatedPage(times: number, bytes: number): Parts {
  const data = new Random(26).bytes(bytes);
  return {
    kids: `${PAGE} `.repeat(times),
    page: `/Contents ${CONTENT}/Resources<<>>`,
    objects: [{ num: 7, text: "<<>>", data }],
  };
}

function fiveFilters(): Parts {
  return {
    page: `/Contents ${CONTENT}/Resources<</XObject<</a ${PAGE}>>>>`,
    objects: [{ num: 7, text: `<</Filter[${"/FlateDecode".repeat(5)}]>>`, data: nestedBomb(10_000, 5) }],
  };
}
