import { ListOwners } from "../file/list-owners.ts";
import { latin1, latin1Bytes } from "../syntax/characters.ts";
import {
  dictOf,
  integerOf,
  PdfDict,
  type PdfObject,
  PdfRef,
  PdfString,
  stringOf,
} from "../syntax/objects.ts";

const DEPTH_LIMIT = 32;
const ENTRY_LIMIT = 2_000_000;

/**
 * Generates the entries of a name tree (ISO 32000-2, 7.9.6). Keys have one character for each byte. Skips damaged
 * entries.
 */
export function* nameTreeEntries(root: PdfObject | undefined): Generator<[string, PdfObject]> {
  for (const [key, value] of leafPairs(root, "Names")) {
    const name = stringOf(key);
    if (name) yield [latin1(name.bytes), value];
  }
}

/** Generates the entries of a number tree (ISO 32000-2, 7.9.7). Skips damaged entries. */
export function* numberTreeEntries(root: PdfObject | undefined): Generator<[number, PdfObject]> {
  for (const [key, value] of leafPairs(root, "Nums")) {
    const number = integerOf(key);
    if (number !== undefined) yield [number, value];
  }
}

function* leafPairs(
  root: PdfObject | undefined,
  leaves: "Names" | "Nums",
): Generator<[PdfObject, PdfObject]> {
  const seen = new Set<number>();
  const lists = new ListOwners();
  const stack = root === undefined ? [] : [{ node: root, depth: 0 }];
  let count = 0;
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { node, depth } = top;
    if (node instanceof PdfRef) {
      if (seen.has(node.num)) continue;
      seen.add(node.num);
    }
    const dict = dictOf(node);
    if (!dict || depth > DEPTH_LIMIT) continue;
    const kids = lists.claim(dict.get("Kids")) ? dict.array("Kids") : [];
    for (let index = kids.length - 1; index >= 0; index--) {
      stack.push({ node: kids[index] ?? null, depth: depth + 1 });
    }
    const pairs = lists.claim(dict.get(leaves)) ? dict.array(leaves) : [];
    for (let index = 0; index + 1 < pairs.length; index += 2) {
      if (++count > ENTRY_LIMIT) return;
      yield [pairs[index] ?? null, pairs[index + 1] ?? null];
    }
  }
}

/** Returns a name tree with one sorted node. */
export function nameTree(entries: Iterable<readonly [string, PdfObject]>): PdfDict {
  const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  const pairs = sorted.flatMap(([key, value]) => [new PdfString(latin1Bytes(key)), value]);
  return PdfDict.from([["Names", pairs]]);
}

/** Returns a number tree with one sorted node. */
export function numberTree(entries: Iterable<readonly [number, PdfObject]>): PdfDict {
  const sorted = [...entries].sort(([one], [other]) => one - other);
  return PdfDict.from([["Nums", sorted.flat()]]);
}
