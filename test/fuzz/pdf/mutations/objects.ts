import type { Random } from "../../random.ts";
import type { Mutation } from "../../target.ts";
import { addObject, type Model, type ModelObject } from "../model.ts";
import { anyValue, nameText, nested, numberText, reference } from "./values.ts";

const REFERENCE = /\b\d+\s+\d+\s+R\b/g;
const NUMBER = /(?<![\w.#+-])[+-]?\d+(?:\.\d+)?(?![\w.]|\s+\d+\s+R)/g;
const NAME = /\/[A-Za-z][A-Za-z0-9]*/g;
const DELIMITER = /<<|>>|\[|\]|\(|\)/g;

/** Changes to one object's text that leave the file around it whole. */
export const OBJECT_MUTATIONS: readonly Mutation<Model>[] = [
  (model, random) => replaceMatch(model, random, REFERENCE, () => reference(model, random)),
  (model, random) => replaceMatch(model, random, REFERENCE, ({ num }) => `${num} 0 R`),
  (model, random) => replaceMatch(model, random, REFERENCE, ({ num }) => anyValue(model, random, num)),
  (model, random) => replaceMatch(model, random, NUMBER, () => numberText(random)),
  (model, random) => replaceMatch(model, random, NUMBER, ({ num }) => anyValue(model, random, num)),
  (model, random) => replaceMatch(model, random, NAME, () => nameText(random)),
  (model, random) => replaceMatch(model, random, NAME, () => nested(random)),
  (model, random) => replaceMatch(model, random, DELIMITER, () => ""),
  (model, random) =>
    replaceMatch(model, random, DELIMITER, (_, match) => match.repeat(random.pick([2, 3, 300]))),
  (model, random) => replaceMatch(model, random, REFERENCE, throughChain(model, random)),
  repeatContent,
  exchange,
  overwrite,
  twice,
  drop,
  renumber,
];

function replaceMatch(
  model: Model,
  random: Random,
  pattern: RegExp,
  replacement: (object: ModelObject, match: string) => string,
): string | undefined {
  const object = random.pickAny(model.objects);
  const match = object && random.pickAny([...object.text.slice(0, 100_000).matchAll(pattern)]);
  if (!object || !match) return undefined;
  const text = replacement(object, match[0]);
  object.text = `${object.text.slice(0, match.index)} ${text} ${object.text.slice(match.index + match[0].length)}`;
  return `object ${object.num}: ${match[0]} -> ${shown(text)}`;
}

/** A reference by way of others, which may lead round in a circle. */
function throughChain(model: Model, random: Random): (object: ModelObject, match: string) => string {
  return (_, match) => {
    const last = addObject(model, match, undefined, random.chance(0.5));
    const first = addObject(model, `${last} 0 R`, undefined, random.chance(0.5));
    const end = model.objects.find(({ num }) => num === last);
    if (end && random.chance(0.3)) end.text = `${first} 0 R`;
    return `${first} 0 R`;
  };
}

/** What stands in an array, many times. */
function repeatContent(model: Model, random: Random): string | undefined {
  const object = random.pickAny(model.objects);
  const match =
    object && random.pickAny([...object.text.slice(0, 100_000).matchAll(/\[([^[\]]{1,2000})\]/g)]);
  if (!object || !match?.[1]) return undefined;
  const times = Math.ceil(random.size(400_000) / match[1].length);
  const repeated = `[${`${match[1]} `.repeat(times)}]`;
  object.text =
    object.text.slice(0, match.index) + repeated + object.text.slice(match.index + match[0].length);
  return `object ${object.num}: array repeated ${times} times`;
}

function exchange(model: Model, random: Random): string | undefined {
  const [one, other] = [random.pickAny(model.objects), random.pickAny(model.objects)];
  if (!one || !other || one === other) return undefined;
  [one.text, other.text] = [other.text, one.text];
  [one.data, other.data] = [other.data, one.data];
  return `objects ${one.num} and ${other.num} exchanged`;
}

function overwrite(model: Model, random: Random): string | undefined {
  const [one, other] = [random.pickAny(model.objects), random.pickAny(model.objects)];
  if (!one || !other || one === other) return undefined;
  one.text = other.text;
  one.data = other.data;
  return `object ${one.num} is a copy of ${other.num}`;
}

function twice(model: Model, random: Random): string | undefined {
  const object = random.pickAny(model.objects);
  if (!object) return undefined;
  model.objects.push({ ...object, text: anyValue(model, random, object.num), data: undefined });
  return `object ${object.num} written again`;
}

function drop(model: Model, random: Random): string | undefined {
  if (model.objects.length < 2) return undefined;
  const [dropped] = model.objects.splice(random.below(model.objects.length), 1);
  return `object ${dropped?.num} dropped`;
}

function renumber(model: Model, random: Random): string | undefined {
  const object = random.pickAny(model.objects);
  if (!object) return undefined;
  const { num, gen } = object;
  if (random.chance(0.5)) object.gen = random.pick([1, 7, 65535, 65536, 99999]);
  else object.num = random.pick([8388606, 8388607, 8388608, 1_000_000, 0, num + 1]);
  return `object ${num} ${gen} is ${object.num} ${object.gen}`;
}

/** A text short enough to be told. */
export const shown = (text: string): string =>
  text.length > 80 ? `${text.slice(0, 80)}… (${text.length})` : text;
