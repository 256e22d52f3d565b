import type { PdfDocument } from "../file/document.ts";
import { PdfDict, type PdfObject, PdfRef } from "../syntax/objects.ts";

/** Layers may be listed this deep in groups. */
const DEPTH_LIMIT = 32;

/**
 * The catalog's `OCProperties` (ISO 32000-2, 8.11.4) for the layers that travel, so that what was hidden stays
 * hidden; undefined when none does. References are still the old file's.
 */
export function layerProperties(
  document: PdfDocument,
  travels: (layer: number) => boolean,
): PdfDict | undefined {
  const properties = document.dict(document.catalog?.get("OCProperties"));
  if (!properties) return undefined;
  const keeper = new LayerKeeper(document, travels);
  const layers = keeper.list(properties.get("OCGs"), 0);
  if (layers.length === 0) return undefined;
  const own = new PdfDict();
  own.set("OCGs", layers);
  const standard = document.dict(properties.get("D"));
  own.set("D", standard ? keeper.configuration(standard) : new PdfDict());
  const others = document.array(properties.get("Configs")).flatMap((config) => {
    const dict = document.dict(config);
    return dict ? [keeper.configuration(dict)] : [];
  });
  if (others.length > 0) own.set("Configs", others);
  return own;
}

class LayerKeeper {
  readonly #document: PdfDocument;
  readonly #travels: (layer: number) => boolean;

  constructor(document: PdfDocument, travels: (layer: number) => boolean) {
    this.#document = document;
    this.#travels = travels;
  }

  configuration(config: PdfDict): PdfDict {
    const own = config.clone();
    for (const key of ["ON", "OFF", "Order", "RBGroups", "Locked"]) {
      if (!config.has(key)) continue;
      const kept = this.list(config.get(key), 0);
      if (kept.length > 0) own.set(key, kept);
      else own.delete(key);
    }
    const usages = this.#document.array(config.get("AS")).flatMap((usage) => {
      const dict = this.#document.dict(usage)?.clone();
      dict?.set("OCGs", this.list(dict.get("OCGs"), 0));
      return dict ? [dict] : [];
    });
    if (usages.length > 0) own.set("AS", usages);
    else own.delete("AS");
    return own;
  }

  /** Layers that travel, with their groups; a group of none goes with its label. */
  list(object: PdfObject | undefined, depth: number): PdfObject[] {
    if (depth > DEPTH_LIMIT) return [];
    const kept: PdfObject[] = [];
    for (const item of this.#document.array(object)) {
      const inner = item instanceof PdfRef && this.#travels(item.num) ? item : this.#document.resolve(item);
      if (inner instanceof PdfRef) kept.push(inner);
      else if (Array.isArray(inner)) {
        const group = this.list(inner, depth + 1);
        if (group.some((member) => member instanceof PdfRef || Array.isArray(member))) kept.push(group);
      } else if (depth > 0 && !(inner instanceof PdfDict) && kept.length === 0 && inner !== null) {
        kept.push(inner);
      }
    }
    return kept;
  }
}
