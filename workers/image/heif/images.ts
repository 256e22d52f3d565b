import { ServiceError } from "../../../src/errors.ts";
import type { Size } from "../size.ts";
import { printable } from "./boxes.ts";
import { damagedHeif } from "./cursor.ts";
import type { Item, ItemLocation, Meta, Reference } from "./meta.ts";
import type { Colour, Property, Transform } from "./properties.ts";
import { type ShownPart, shownPart } from "./transforms.ts";

/** A picture of a HEIF file, as the file describes it. */
export interface HeifImage {
  /** The item to decode; a sequence, which has none, is decoded by its first frame. */
  readonly item: number | undefined;
  /** As stored, before any transform. */
  readonly stored: Size;
  /** As shown: cropped, turned and mirrored. */
  readonly shown: ShownPart;
  readonly transforms: readonly Transform[];
  readonly hasAlpha: boolean;
  /** Whether it is put together from tiles. */
  readonly isGrid: boolean;
  /** Absent where the file says nothing, which means sRGB. */
  readonly colour: Colour | undefined;
  /** References of the file that libheif does not take; see {@link Composition}. */
  readonly doubled: readonly Reference[];
  /** How the picture is put together, where libheif cannot do it. */
  readonly composition: Composition | undefined;
}

/**
 * A picture made of others, one of them more than once. libheif 1.23 takes no file with such a reference
 * ("'iref' has double references"), which the standard's own examples have.
 */
export interface Composition {
  readonly kind: "grid" | "iovl" | "iden";
  readonly parts: readonly number[];
  /** Where it is described how. */
  readonly location: ItemLocation | undefined;
  readonly itemData: Uint8Array<ArrayBuffer>;
}

/** What libheif decodes as it is built for browsers: HEVC, and pictures made of others. */
const CODED = "hvc1";
const DERIVED = ["grid", "iden", "iovl"] as const;
/** Item types that are pictures, but of codecs that are not here (or, `tmap`, stand beside one that is). */
const OTHER_PICTURES = ["av01", "avc1", "hvt1", "j2k1", "jpeg", "lhv1", "tili", "unci", "vvc1", "mski"];

const ALPHA = ["urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"];

/**
 * The pictures that a viewer shows, in file order: not hidden, no thumbnails, no auxiliary images such as alpha or
 * depth, no tiles of a grid.
 *
 * @throws {ServiceError} `damaged_file` when there is none, `unsupported_input` when all are coded otherwise
 */
export function listImages(meta: Meta): readonly HeifImage[] {
  const pictures = [...meta.items.values()].filter(({ type }) => type === CODED || isDerived(type));
  const inner = innerItems(meta);
  const shown = pictures.filter(({ id, hidden }) => !hidden && !inner.has(id));
  // A writer that hides or demotes everything still names the picture that it means.
  const primary = pictures.find(({ id }) => id === meta.primary);
  const listed = shown.length > 0 ? shown : primary ? [primary] : [];
  if (listed.length === 0) throw noImage(meta);
  const doubled = meta.references.filter(({ to }) => new Set(to).size < to.length);
  return listed.map((item) => describe(item, meta, doubled));
}

function isDerived(type: string): type is (typeof DERIVED)[number] {
  return DERIVED.some((one) => one === type);
}

/** Items that serve another one: thumbnails, auxiliary images, tiles. */
function innerItems(meta: Meta): ReadonlySet<number> {
  const inner = new Set<number>();
  for (const { type, from, to } of meta.references) {
    if (type === "thmb" || type === "auxl") inner.add(from);
    if (type === "dimg" && meta.items.get(from)?.type === "grid") for (const tile of to) inner.add(tile);
  }
  return inner;
}

function noImage(meta: Meta): ServiceError {
  const other = [...meta.items.values()].find(({ type }) => OTHER_PICTURES.includes(type));
  if (!other) return damagedHeif("it holds no picture");
  return new ServiceError(
    "unsupported_input",
    `The pictures in this HEIF file are coded as ${printable(other.type)}; Stayput reads those coded with HEVC.`,
    { coding: other.type },
  );
}

function describe(item: Item, meta: Meta, doubled: readonly Reference[]): HeifImage {
  const properties = meta.properties.get(item.id) ?? [];
  const stored = properties.find((property) => property.kind === "size");
  if (!stored) throw damagedHeif("a picture of it has no size");
  if (stored.width === 0 || stored.height === 0) throw damagedHeif("a picture of it is empty");
  const transforms = properties.flatMap((one) => (one.kind === "transform" ? [one.transform] : []));
  return {
    item: item.id,
    stored: { width: stored.width, height: stored.height },
    shown: shownPart(stored, transforms),
    transforms,
    hasAlpha: hasAlpha(item.id, meta),
    isGrid: item.type === "grid",
    colour: colourOf(properties) ?? colourOfParts(item, meta),
    doubled,
    composition: compositionOf(item, meta, doubled),
  };
}

function compositionOf(
  { id, type }: Item,
  { locations, itemData }: Meta,
  doubled: readonly Reference[],
): Composition | undefined {
  const reference = doubled.find((one) => one.type === "dimg" && one.from === id);
  if (!reference || !isDerived(type)) return undefined;
  return { kind: type, parts: reference.to, location: locations.get(id), itemData };
}

function hasAlpha(id: number, meta: Meta): boolean {
  return meta.references.some(
    ({ type, from, to }) =>
      type === "auxl" &&
      to.includes(id) &&
      meta.properties.get(from)?.some((one) => one.kind === "auxiliary" && ALPHA.includes(one.type)),
  );
}

/** An ICC profile says more than code points do: where both are, those describe the coding alone. */
function colourOf(properties: readonly Property[]): Colour | undefined {
  const colours = properties.flatMap((property) => (property.kind === "colour" ? [property.colour] : []));
  return colours.find(({ kind }) => kind === "icc") ?? colours[0];
}

/** Some writers give the colour to the tiles of a grid and not to the grid. */
function colourOfParts({ id, type }: Item, meta: Meta): Colour | undefined {
  if (!isDerived(type)) return undefined;
  const parts = meta.references.find((reference) => reference.type === "dimg" && reference.from === id);
  const first = parts?.to[0];
  return first === undefined ? undefined : colourOf(meta.properties.get(first) ?? []);
}
