import type { Random } from "../../random.ts";
import type { Mutation } from "../../target.ts";
import { addObject, type Model, type ModelObject, placeOfValue, withEntry } from "../model.ts";
import { LINKS } from "./keys.ts";
import { shown } from "./objects.ts";
import { reference, repeated } from "./values.ts";

/** Lists with no list in them, and what stands in them. */
const LISTS = /\[([^[\]]{1,20000})\]/g;
const ENTRIES = /\d+\s+\d+\s+R|<<[^<>]*>>|\([^()]*\)|\/?[^\s/()<>]+/g;
const MOST_OWNERS = 3000;
const MOST_ENTRIES = 30_000;

/** Changes that make much work of few bytes: long lists, and lists that many objects refer to. */
export const SHARING_MUTATIONS: readonly Mutation<Model>[] = [
  shareList,
  shareList,
  repeatEntry,
  repeatEntry,
  multiply,
];

/** Makes several objects refer to one list, the list of one of them where it has one. */
function shareList(model: Model, random: Random): string | undefined {
  const key = random.pick(LINKS);
  const holders = model.objects.filter(({ text }) => text.length < 200_000 && placeOfValue(text, key));
  const owners =
    holders.length > 1 && random.chance(0.7)
      ? holders
      : model.objects.filter(() => random.chance(random.pick([0.1, 0.5, 1])));
  const example = random.pickAny(holders);
  const list = addObject(model, listLike(model, random, example, key), undefined, random.chance(0.7));
  for (const owner of owners) owner.text = withEntry(owner.text, key, `${list} 0 R`);
  return `${owners.length} objects share /${key} ${list} 0 R`;
}

/** A longer list of the kind that an object has. */
function listLike(model: Model, random: Random, example: ModelObject | undefined, key: string): string {
  const place = example && placeOfValue(example.text, key);
  const value = example && place ? example.text.slice(place.start, place.end) : "";
  const items = /^\[[^[\]]*\]$/.test(value) ? `${value.slice(1, -1)} ` : `${reference(model, random)} `;
  return `[${repeated(items, Math.max(1, random.size(MOST_ENTRIES)))}]`;
}

/** Repeats an entry of a list. */
function repeatEntry(model: Model, random: Random): string | undefined {
  const found = entryIn(model, random);
  if (!found) return undefined;
  const { object, start, entry } = found;
  const times = Math.max(2, random.size(MOST_ENTRIES));
  object.text = object.text.slice(0, start) + repeated(`${entry} `, times) + object.text.slice(start);
  return `object ${object.num}: ${shown(entry)} repeated ${times} times`;
}

/** Lists many copies of an object in place of the one, all of which refer to what it refers to. */
function multiply(model: Model, random: Random): string | undefined {
  const found = entryIn(model, random);
  const num = Number(/^(\d+)\s+\d+\s+R$/.exec(found?.entry ?? "")?.[1]);
  const original = model.objects.find((object) => object.num === num);
  if (!found || !original || original.data || original.text.length > 2000) return undefined;
  const { object, start } = found;
  const count = Math.max(2, random.size(MOST_OWNERS));
  const first = addObject(model, original.text, undefined, true);
  for (let copy = 1; copy < count; copy++)
    model.objects.push({ ...original, num: first + copy, packed: true });
  const references = Array.from({ length: count }, (_, copy) => `${first + copy} 0 R `).join("");
  object.text = object.text.slice(0, start) + references + object.text.slice(start);
  return `object ${object.num}: ${count} copies of ${num}`;
}

/** An entry of a list, and where in its object's text it stands. */
function entryIn(
  model: Model,
  random: Random,
): { readonly object: ModelObject; readonly start: number; readonly entry: string } | undefined {
  const holders = model.objects.filter(({ text }) => text.length < 200_000 && text.includes("["));
  const object = random.pickAny(holders);
  const list = object && random.pickAny([...object.text.matchAll(LISTS)]);
  const entry = list && random.pickAny([...(list[1] ?? "").matchAll(ENTRIES)]);
  if (!object || !entry) return undefined;
  return { object, start: list.index + 1 + entry.index, entry: entry[0] };
}
