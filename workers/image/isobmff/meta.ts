import { boxesIn, fullBox } from "./boxes.ts";
import { type Cursor, damagedHeif } from "./cursor.ts";
import { type Property, readProperty } from "./properties.ts";

/** An item: a coded image, a derived image, metadata. */
export interface Item {
  readonly id: number;
  /** Four characters: `hvc1`, `grid`, `Exif`, … */
  readonly type: string;
  readonly hidden: boolean;
}

/** "Item `from` is a thumbnail, a part, a description … of items `to`." */
export interface Reference {
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

/** Where the data of an item is: in extents of the file or of the `idat` box. */
export interface ItemLocation {
  readonly within: "file" | "idat" | "item";
  readonly extents: readonly { readonly offset: number; readonly length: number }[];
}

/** Returns the length of an item in bytes, as its extents state it. */
export function lengthOfItem(location: ItemLocation | undefined): number {
  return (location?.extents ?? []).reduce((sum, { length }) => sum + length, 0);
}

/** Where the file associates an item with a property (box `ipma`). Zeros there remove the association. */
export interface PropertyAssociation {
  readonly at: number;
  readonly bytes: 1 | 2;
}

/** The contents of a `meta` box (ISO/IEC 14496-12, 8.11). */
export interface Meta {
  readonly primary: number | undefined;
  /** In file order. */
  readonly items: ReadonlyMap<number, Item>;
  readonly references: readonly Reference[];
  /** Derived images, and the items that they are made of. */
  readonly parts: ReadonlyMap<number, readonly number[]>;
  /** Items with an alpha image. */
  readonly withAlpha: ReadonlySet<number>;
  readonly locations: ReadonlyMap<number, ItemLocation>;
  /** The properties of each item, in the order of their association. */
  readonly properties: ReadonlyMap<number, readonly Property[]>;
  /** Items with a broken property, or with an essential property that is unknown here. */
  readonly withUnknownEssential: ReadonlySet<number>;
  /** The associations with properties that rotate, mirror or crop. */
  readonly transformAssociations: readonly PropertyAssociation[];
  /** Groups of items of which a viewer shows one: versions of one picture. */
  readonly alternatives: readonly (readonly number[])[];
  readonly itemData: Uint8Array<ArrayBuffer>;
}

/** The types of alpha images: that of HEVC, which some writers use for AV1, too, and that of all codecs. */
const ALPHA = ["urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"];

/** The limit for counts in tables. No camera comes near. */
const MAX_ENTRIES = 200_000;

/** Reads the body of a `meta` box. */
export function readMeta(body: Cursor): Meta {
  fullBox(body);
  let primary: number | undefined;
  let items: ReadonlyMap<number, Item> = new Map();
  let references: readonly Reference[] = [];
  let locations: ReadonlyMap<number, ItemLocation> = new Map();
  let described: ItemProperties = {
    properties: new Map(),
    withUnknownEssential: new Set(),
    transformAssociations: [],
  };
  let alternatives: readonly (readonly number[])[] = [];
  let itemData = new Uint8Array();
  for (const box of boxesIn(body)) {
    if (box.type === "pitm") primary = fullBox(box.body).version === 0 ? box.body.u16() : box.body.u32();
    else if (box.type === "iinf") items = readItems(box.body);
    else if (box.type === "iref") references = readReferences(box.body);
    else if (box.type === "iloc") locations = readLocations(box.body);
    else if (box.type === "iprp") described = readItemProperties(box.body);
    else if (box.type === "grpl") alternatives = readAlternatives(box.body);
    else if (box.type === "idat") itemData = box.body.bytes(box.body.left);
  }
  const parts = new Map<number, readonly number[]>();
  for (const { type, from, to } of references) if (type === "dimg" && !parts.has(from)) parts.set(from, to);
  const isAlpha = ({ type, from }: Reference) =>
    type === "auxl" &&
    described.properties.get(from)?.some((one) => one.kind === "auxiliary" && ALPHA.includes(one.type));
  const withAlpha = new Set(references.filter(isAlpha).flatMap(({ to }) => to));
  return { primary, items, references, parts, withAlpha, locations, ...described, alternatives, itemData };
}

function readItems(body: Cursor): Map<number, Item> {
  const { version } = fullBox(body);
  body.skip(version === 0 ? 2 : 4);
  const items = new Map<number, Item>();
  for (const box of boxesIn(body)) {
    if (box.type !== "infe") continue;
    const { version, flags } = fullBox(box.body);
    // Older versions have no item type, so they describe no image.
    if (version < 2) continue;
    const id = version === 2 ? box.body.u16() : box.body.u32();
    box.body.skip(2);
    if (items.has(id)) throw damagedHeif("two of its items have one number");
    items.set(id, { id, type: box.body.fourCC(), hidden: (flags & 1) === 1 });
  }
  return items;
}

function readReferences(body: Cursor): Reference[] {
  const { version } = fullBox(body);
  const references: Reference[] = [];
  let entries = 0;
  for (const box of boxesIn(body)) {
    const id = () => (version === 0 ? box.body.u16() : box.body.u32());
    const from = id();
    const count = box.body.u16();
    entries = bounded(entries + count);
    references.push({ type: box.type, from, to: Array.from({ length: count }, id) });
  }
  return references;
}

function readLocations(body: Cursor): Map<number, ItemLocation> {
  const { version } = fullBox(body);
  const sizes = body.u16();
  const offsetSize = sizes >> 12;
  const lengthSize = (sizes >> 8) & 15;
  const baseSize = (sizes >> 4) & 15;
  const indexSize = version === 0 ? 0 : sizes & 15;
  const count = bounded(version < 2 ? body.u16() : body.u32());
  const locations = new Map<number, ItemLocation>();
  let entries = 0;
  for (let entry = 0; entry < count; entry++) {
    const id = version < 2 ? body.u16() : body.u32();
    const method = version === 0 ? 0 : body.u16() & 15;
    body.skip(2);
    const base = body.sized(baseSize);
    const extentCount = body.u16();
    entries = bounded(entries + extentCount);
    const extents = Array.from({ length: extentCount }, () => {
      body.sized(indexSize);
      const offset = base + body.sized(offsetSize);
      return { offset, length: body.sized(lengthSize) };
    });
    locations.set(id, { within: method === 0 ? "file" : method === 1 ? "idat" : "item", extents });
  }
  return locations;
}

/** Properties that are known, but not read here: the bits of each channel and the pixel aspect ratio. */
const KNOWN = ["pixi", "pasp"];

type ItemProperties = Pick<Meta, "properties" | "withUnknownEssential" | "transformAssociations">;

function readItemProperties(body: Cursor): ItemProperties {
  const shared: Property[] = [];
  const properties = new Map<number, readonly Property[]>();
  const withUnknownEssential = new Set<number>();
  const transformAssociations: PropertyAssociation[] = [];
  let entries = 0;
  for (const box of boxesIn(body)) {
    if (box.type === "ipco") {
      for (const one of boxesIn(box.body)) shared.push(readProperty(one));
    } else if (box.type === "ipma") {
      const { version, flags } = fullBox(box.body);
      const count = bounded(box.body.u32());
      for (let entry = 0; entry < count; entry++) {
        const item = version === 0 ? box.body.u16() : box.body.u32();
        const associations = box.body.u8();
        entries = bounded(entries + associations);
        const associated: Property[] = [];
        for (let nth = 0; nth < associations; nth++) {
          const at = box.body.position;
          const isLong = (flags & 1) === 1;
          const association = isLong ? box.body.u16() : box.body.u8();
          // The top bit says that a reader must understand the property. Index 0 stands for no property.
          const essential = isLong ? 0x8000 : 0x80;
          const property = shared[(association & (essential - 1)) - 1];
          if (property === undefined) continue;
          associated.push(property);
          if (property.kind === "transform") transformAssociations.push({ at, bytes: isLong ? 2 : 1 });
          if (property.kind === "broken" || (association >= essential && isUnknown(property)))
            withUnknownEssential.add(item);
        }
        properties.set(item, associated);
      }
    }
  }
  return { properties, withUnknownEssential, transformAssociations };
}

function isUnknown(property: Property): boolean {
  return property.kind === "other" && !KNOWN.includes(property.type);
}

function readAlternatives(body: Cursor): number[][] {
  const groups: number[][] = [];
  let entries = 0;
  for (const { type, body: group } of boxesIn(body)) {
    // Skips version and flags, the number of the group, and the count. The count also follows from the length.
    if (type !== "altr" || group.left < 12) continue;
    group.skip(12);
    const count = Math.floor(group.left / 4);
    entries = bounded(entries + count);
    groups.push(Array.from({ length: count }, () => group.u32()));
  }
  return groups;
}

function bounded(entries: number): number {
  if (entries > MAX_ENTRIES) throw damagedHeif(`a table of it claims ${entries} entries`);
  return entries;
}
