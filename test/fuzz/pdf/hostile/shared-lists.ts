import type { Model } from "../model.ts";
import { writeModel } from "../write-model.ts";
import { CHAINS } from "./long-chains.ts";
import { PAGE_PLACES } from "./shared-page-lists.ts";
import { type Dress, modelOf, type Place, type Sizes } from "./shared-parts.ts";
import { TREE_PLACES } from "./shared-tree-lists.ts";

/** Every place of a document that can hold such a list, by name. */
export const PLACES: Readonly<Record<string, Place>> = { ...PAGE_PLACES, ...TREE_PLACES, ...CHAINS };

/** A document with such a list, taken apart. */
export function sharedListModel(place: string, sizes: Sizes, dress: Dress = {}): Model {
  const build = PLACES[place];
  if (!build) throw new Error(`there is no place "${place}"`);
  return modelOf(build(sizes), dress);
}

/** A document with such a list, as a file. */
export function sharedListFile(place: string, sizes: Sizes, dress: Dress = {}): Uint8Array {
  return writeModel(sharedListModel(place, sizes, dress));
}
