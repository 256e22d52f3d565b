import { inflateSync } from "node:zlib";
import type { Random } from "../../random.ts";
import type { Mutation } from "../../target.ts";
import { ENCODERS } from "../encoders.ts";
import { addObject, type Model, type ModelObject, placeOfValue, withEntry, withoutEntry } from "../model.ts";
import { bomb } from "./bombs.ts";
import { anyValue, numberText, reference } from "./values.ts";

const FILTERS = Object.keys(ENCODERS);
const OTHER_FILTERS = ["DCTDecode", "JPXDecode", "Crypt", "Fl", "A85", "Unknown"];

/** Changes to streams: their data, filters, parameters and lengths. */
export const STREAM_MUTATIONS: readonly Mutation<Model>[] = [
  chained,
  chained,
  wrongFilter,
  predictor,
  lyingLength,
  damagedData,
  otherContent,
  otherContent,
  bombed,
  cryptFilter,
];

const streamOf = (model: Model, random: Random): (ModelObject & { data: Uint8Array }) | undefined =>
  random.pickAny(
    model.objects.filter((object): object is ModelObject & { data: Uint8Array } => object.data !== undefined),
  );

/** The data of a stream before its filters, where that is quickly had. */
export function plainData({ text, data }: { text: string; data: Uint8Array }): Uint8Array {
  if (!text.includes("/Filter")) return data;
  try {
    return inflateSync(data, { maxOutputLength: 200_000 });
  } catch {
    return data.subarray(0, 200_000);
  }
}

function withFilters(object: ModelObject, filters: readonly string[], data: Uint8Array, twist = ""): void {
  object.text = withEntry(
    withoutEntry(object.text, "DecodeParms"),
    "Filter",
    `[${filters.join("")}]${twist}`,
  );
  object.data = data;
}

/** The true content behind several filters. */
function chained(model: Model, random: Random): string | undefined {
  const object = streamOf(model, random);
  if (!object) return undefined;
  const filters = Array.from({ length: random.pick([1, 1, 2, 3, 16, 20]) }, () => random.pick(FILTERS));
  let data = plainData(object).subarray(0, filters.length > 3 ? 200 : 200_000);
  for (const filter of filters.toReversed()) {
    data = ENCODERS[filter]?.(data) ?? data;
    if (data.length > 2_000_000) data = data.subarray(0, 1000);
  }
  withFilters(
    object,
    filters.map((filter) => `/${filter}`),
    data,
  );
  return `stream ${object.num}: ${filters.join(" ")}`;
}

function wrongFilter(model: Model, random: Random): string | undefined {
  const object = streamOf(model, random);
  if (!object) return undefined;
  const names = Array.from(
    { length: random.between(1, 3) },
    () => `/${random.pick([...FILTERS, ...OTHER_FILTERS])}`,
  );
  const filters = random.chance(0.2) ? [reference(model, random)] : names;
  withFilters(object, filters, object.data);
  return `stream ${object.num}: not really ${filters.join(" ")}`;
}

function predictor(model: Model, random: Random): string | undefined {
  const object = streamOf(model, random);
  if (!object) return undefined;
  const number = () =>
    random.chance(0.5) ? String(random.pick([1, 2, 8, 10, 12, 15, 16, 32])) : numberText(random);
  const keys = ["Predictor", "Colors", "BitsPerComponent", "Columns", "EarlyChange"];
  const entries = keys.filter(() => random.chance(0.7)).map((key) => `/${key} ${number()}`);
  const parameters = `<<${entries.join("")}>>`;
  const value = random.pick([
    parameters,
    `[${parameters}]`,
    `[null ${parameters}]`,
    reference(model, random),
  ]);
  object.text = withEntry(object.text, "DecodeParms", value);
  if (random.chance(0.3)) withFilters(object, ["/FlateDecode"], object.data, `/DecodeParms ${value}`);
  return `stream ${object.num}: ${value}`;
}

function lyingLength(model: Model, random: Random): string | undefined {
  const object = streamOf(model, random);
  if (!object) return undefined;
  const { length } = object.data;
  object.declaredLength = random.pick([
    String(Math.max(0, length + random.pick([-1, 1, -9, 9, -1000, 1000]))),
    numberText(random),
    `${object.num} 0 R`,
    reference(model, random),
    `${addObject(model, String(length), undefined, random.chance(0.5))} 0 R`,
    anyValue(model, random, object.num),
  ]);
  return `stream ${object.num}: Length ${object.declaredLength.slice(0, 40)} of ${length}`;
}

function damagedData(model: Model, random: Random): string | undefined {
  const object = streamOf(model, random);
  if (!object || object.data.length === 0) return undefined;
  const data = Uint8Array.from(object.data);
  if (random.chance(0.4)) {
    object.data = data.subarray(0, random.below(data.length));
    return `stream ${object.num}: cut off`;
  }
  for (let flip = random.between(1, 9); flip > 0; flip--) data[random.below(data.length)] = random.below(256);
  const keyword = random.pick(["endstream", "endobj", "\nendstream\nendobj\n9 0 obj\n", "trailer<<>>"]);
  const tail = random.chance(0.3) ? Buffer.from(keyword) : Buffer.alloc(0);
  object.data = Buffer.concat([data, tail, random.bytes(random.below(20))]);
  return `stream ${object.num}: data damaged`;
}

/** A page's or form's content that is hard to read. */
function otherContent(model: Model, random: Random): string | undefined {
  const contents = model.objects.filter(
    ({ text, data }) => data && !/\/(Width|Length1|Type\s*\/X)/.test(text),
  );
  const object = random.pickAny(contents);
  if (!object?.data) return undefined;
  const known = [
    ...Buffer.from(plainData({ text: object.text, data: object.data }))
      .toString("latin1")
      .matchAll(/\/\w+/g),
  ];
  const name = () => known[random.below(known.length || 1)]?.[0].slice(0, 60) ?? "/F1";
  const times = random.size(100_000);
  const piece = random.pick([
    `${name()} Do `,
    `BI /W 1 /H 1 /CS /G /BPC 8 ID ${"\x00E\xffI".repeat(times)}\nEI Q `,
    "BI ID EI ",
    `BI /W ${numberText(random)} ID `,
    `(${"(".repeat(times)}`,
    `(${"s".repeat(times)}) Tj `,
    `<${"0".repeat(times)}> Tj `,
    `/${"N".repeat(times)} gs `,
    `${"[".repeat(times)} TJ `,
    `${"<<".repeat(times)} BDC `,
    `${name()} ${name()} x `.repeat(times),
    Array.from({ length: Math.min(times, 20_000) }, (_, index) => `/n${index} x `).join(""),
    `${"q ".repeat(times)}${name()} Do `,
    `${name()} ${numberText(random)} Tf ) > ]`,
    `%${"c".repeat(times)}`,
    `/OC ${name()} BDC ${name()} sh EMC `,
  ]);
  object.data = Buffer.from(random.chance(0.5) ? `${piece}${name()} Do ` : `${name()} Do ${piece}`, "latin1");
  object.text = withoutEntry(withoutEntry(object.text, "Filter"), "DecodeParms");
  return `stream ${object.num}: content ${JSON.stringify(piece.slice(0, 30))} ${piece.length}`;
}

/** Data that unpacks to a great deal more, shared by several who want to read it. */
function bombed(model: Model, random: Random): string | undefined {
  const object = streamOf(model, random);
  if (!object || random.chance(0.4)) return undefined;
  const { filters, data, description } = bomb(random);
  withFilters(object, filters, data);
  if (random.chance(0.5)) {
    const pages = model.objects.filter(({ text }) => /\/Type\s*\/Page\b/.test(text));
    for (const page of pages) page.text = withEntry(page.text, "Contents", `${object.num} 0 R`);
  }
  return `stream ${object.num}: ${description}`;
}

function cryptFilter(model: Model, random: Random): string | undefined {
  const object = streamOf(model, random);
  if (!object) return undefined;
  const place = placeOfValue(object.text, "Filter");
  const old = place ? object.text.slice(place.start, place.end).replace(/^\[|\]$/g, "") : "";
  const name = random.pick(["Identity", "StdCF", "Unknown", ""]);
  object.text = withEntry(object.text, "Filter", `[/Crypt ${old}]`);
  object.text = withEntry(object.text, "DecodeParms", `[<</Type/CryptFilterDecodeParms/Name/${name}>>]`);
  return `stream ${object.num}: crypt filter ${name}`;
}
