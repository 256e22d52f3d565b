import type { Meta, Reference } from "./meta.ts";

/** Of which other items an item is made. */
export interface Relations {
  /** By an item made of others: which. */
  readonly parts: ReadonlyMap<number, Reference>;
  /** By an item with transparency: where that is. */
  readonly alphas: ReadonlyMap<number, readonly number[]>;
}

/** By HEVC's own name, which some write for AV1, too, and by that of all codecs. */
const ALPHA = ["urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"];

/** Goes through the references of a file once, however many pictures it has. */
export function readRelations({ references, properties }: Meta): Relations {
  const parts = new Map<number, Reference>();
  const alphas = new Map<number, number[]>();
  const isAlpha = (item: number) =>
    properties.get(item)?.some((one) => one.kind === "auxiliary" && ALPHA.includes(one.type)) === true;
  for (const reference of references) {
    const { type, from, to } = reference;
    if (type === "dimg" && !parts.has(from)) parts.set(from, reference);
    if (type !== "auxl" || !isAlpha(from)) continue;
    for (const item of to) {
      const known = alphas.get(item);
      if (known === undefined) alphas.set(item, [from]);
      else known.push(from);
    }
  }
  return { parts, alphas };
}

/** An item and all that it is made of. */
export function madeOf(item: number, { parts, alphas }: Relations): ReadonlySet<number> {
  const all = new Set([item]);
  // What is added on the way is visited, too.
  for (const one of all) {
    for (const part of parts.get(one)?.to ?? []) all.add(part);
    for (const alpha of alphas.get(one) ?? []) all.add(alpha);
  }
  return all;
}
