import { invalidParameter } from "./failure.ts";

/** Which keys are refused, and what messages call them. */
export interface KeyPolicy {
  readonly noun: "field" | "option";
  /**
   * What happens to a key that is like no known one. A form also has fields that are not for the operation, such as tokens
   * and the names of buttons. They are ignored.
   */
  readonly others: "refused" | "ignored";
  /** Returns what else takes a key, such as other operations. Such a key is refused. Default: nothing. */
  readonly ownersOf?: (key: string) => readonly string[];
}

/** The policy for the fields of a call. */
export const CALL_FIELDS: KeyPolicy = { noun: "field", others: "refused" };
/** The policy for the options of a client, of a call, of a service worker and of a plugin. */
export const OPTIONS: KeyPolicy = { noun: "option", others: "refused" };

/** Shorter names are never taken for a misspelling of each other. */
const SHORTEST_NAME = 4;
/** Two edits are a misspelling of a name that has at least this length. */
const LONG_NAME = 8;
/** Longer keys are cut in messages. */
const LONGEST_KEY = 80;

/**
 * Returns the values of the known keys of an object. It is the one place that decides what happens to all other keys. Only
 * own, enumerable text keys count, and a key with the value undefined is absent.
 *
 * @param known all keys that the object may have
 * @throws {ServiceError} `invalid_parameter` for the first key that `policy` refuses. The message names the known key that
 *   was probably meant, and never quotes a value
 */
export function knownValues(
  given: object | undefined,
  known: readonly string[],
  { noun, others, ownersOf = () => [] }: KeyPolicy,
): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [key, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue;
    if (known.includes(key)) {
      values.set(key, value);
      continue;
    }
    const owners = ownersOf(key);
    const meant = misspelled(key, known);
    if (others === "ignored" && owners.length === 0 && meant === undefined) continue;
    const name = key.slice(0, LONGEST_KEY);
    const likely = meant ?? known.find((each) => each.toLowerCase() === key.toLowerCase());
    const sentences =
      owners.length > 0
        ? `belongs to ${listed(owners)}. Leave it out.`
        : `is not known. ${likely === undefined ? "Leave it out." : `Did you mean "${likely}"?`}`;
    throw invalidParameter(name, `The ${noun} "${name}" ${sentences}`);
  }
  return values;
}

/** Returns the known name that is most like a key, if the key may be a misspelling of it. */
export function misspelled(key: string, known: readonly string[]): string | undefined {
  const candidates = known.filter((name) => Math.min(name.length, key.length) >= SHORTEST_NAME);
  return (
    candidates.find((name) => isWithin(1, key, name)) ??
    candidates.find((name) => name.length >= LONG_NAME && isWithin(2, key, name))
  );
}

/**
 * Returns whether a few edits make one text from another. An edit inserts, deletes or replaces a letter, or swaps two that
 * are side by side, which is a common slip.
 */
function isWithin(edits: number, one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const [a, b] = [one.slice(same), other.slice(same)];
  if (a === b) return true;
  if (edits === 0 || Math.abs(a.length - b.length) > edits) return false;
  const left = edits - 1;
  return (
    isWithin(left, a.slice(1), b) ||
    isWithin(left, a, b.slice(1)) ||
    isWithin(left, a.slice(1), b.slice(1)) ||
    (a[0] === b[1] && a[1] === b[0] && isWithin(left, a.slice(2), b.slice(2)))
  );
}

/** Returns names as a list in a sentence: `a`, `a and b`, `a, b and c`. */
function listed(names: readonly string[]): string {
  return names.join(", ").replace(/, ([^,]*)$/, " and $1");
}
