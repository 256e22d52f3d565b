import type { Meta, Reference } from "./meta.ts";

/** How items depend on others. */
export interface Relations {
  /** Derived images, and the items that they are made of. */
  readonly parts: ReadonlyMap<number, Reference>;
  /** Items with transparency, and their alpha images. */
  readonly alphas: ReadonlyMap<number, readonly number[]>;
}

/** The types of alpha images: that of HEVC, which some writers use for AV1, too, and that of all codecs. */
const ALPHA = ["urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"];

/** Reads the references of a file in one pass, however many pictures it has. */
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

/** Returns an item and all items that it is made of. */
export function madeOf(item: number, { parts, alphas }: Relations): ReadonlySet<number> {
  const all = new Set([item]);
  // The loop also visits the items that it adds.
  for (const one of all) {
    for (const part of parts.get(one)?.to ?? []) all.add(part);
    for (const alpha of alphas.get(one) ?? []) all.add(alpha);
  }
  return all;
}
