import { ServiceError } from "../../../../src/shared/errors.ts";
import type { Color } from "../../color/color.ts";
import { printable } from "../../isobmff/boxes.ts";
import { damagedHeif } from "../../isobmff/cursor.ts";
import type { Item, Meta } from "../../isobmff/meta.ts";
import { colorOf, type Transform } from "../../isobmff/properties.ts";
import { type ShownPart, shownPart } from "../../isobmff/transforms.ts";
import type { Size } from "../../picture/size.ts";
import { codingOf, type PictureCoding } from "./coding.ts";

/** A picture of a HEIF file. */
export type ListedImage = HeifImage | UnreadableImage;

interface Listing {
  /** Whether the file names it as its primary picture (ISO/IEC 14496-12, 8.11.4). */
  readonly isPrimary: boolean;
}

/** A picture that cannot be decoded, but keeps its place among the others. */
interface UnreadableImage extends Listing {
  readonly kind: "unreadable";
  readonly item: number;
  /** The size that the file states, or that of a small picture when it states none. */
  readonly stored: Size;
  readonly failure: ServiceError;
}

/** A picture of a HEIF file, as its tables describe it. */
export interface HeifImage extends Listing {
  readonly kind: "readable";
  /** The item to decode. Absent for a sequence, of which the first frame is decoded. */
  readonly item: number | undefined;
  /** As stored, before any transform. */
  readonly stored: Size;
  /** As shown: cropped, rotated and mirrored. */
  readonly shown: ShownPart;
  readonly transforms: readonly Transform[];
  readonly hasAlpha: boolean;
  /** Absent when the file states none, which means sRGB. */
  readonly color: Color | undefined;
  /** How it is coded, if it consists of HEVC images of the same kind. */
  readonly coding: PictureCoding | undefined;
}

/** The item types that libheif decodes as it is built for browsers: HEVC, and derived images. */
const CODED = "hvc1";
const DERIVED = ["grid", "iden", "iovl"];
/** A base picture and its gain map. It is shown as the base picture here (ISO/IEC 23008-12, tone map derivation). */
const TONE_MAPPED = "tmap";
/** Item types of pictures in other codecs. `mski`, a mask, is not a picture of its own. */
const OTHER_PICTURES = ["av01", "avc1", "hvt1", "j2k1", "jpeg", "lhv1", "tili", "unci", "vvc1"];

/** Each picture is opened on its own. A file of a few hundred kilobytes could make that take hours. */
const MOST_IMAGES = 5_000;

/** The longest chain of identity images. No writer chains them. */
const MOST_IDENTITIES = 16;

/** The size of the page that reports a picture of unknown size. */
const UNKNOWN_SIZE: Size = { width: 640, height: 480 };

/**
 * Returns the pictures that a viewer shows, in file order. Leaves out hidden pictures, thumbnails, auxiliary images
 * such as alpha or depth, gain maps and tiles. A picture that is described wrongly is listed as unreadable. A
 * picture in another codec is listed as unreadable, too, unless the file has a readable version of it.
 *
 * @throws {ServiceError} `damaged_file` when none can be read, `unsupported_input` when all are in other codecs,
 *   `input_too_large` when there are thousands
 */
export function listImages(meta: Meta): readonly ListedImage[] {
  // A writer may hide everything. The primary item is then the picture.
  const primary = primaryOf(meta);
  const shown = shownItems(meta);
  const listed = shown.some(isDecoded) ? shown.filter(isListed(shown, meta)) : primary ? [primary] : [];
  if (!listed.some(isDecoded)) throw noImage(meta);
  if (listed.length > MOST_IMAGES) throw tooManyImages(listed.length);
  const images = listed.map((item) => describe(item, item === primary, meta));
  const [first] = images;
  if (first?.kind === "unreadable" && images.every(({ kind }) => kind === "unreadable")) throw first.failure;
  return images;
}

function primaryOf({ primary, items, parts }: Meta): Item | undefined {
  const item = items.get(primary ?? 0);
  return item?.type === TONE_MAPPED ? items.get(parts.get(item.id)?.[0] ?? 0) : item;
}

/** Returns the items that are not hidden and serve no others. A tone-mapped picture shows its base, even a hidden one. */
function shownItems(meta: Meta): readonly Item[] {
  const inner = innerItems(meta);
  const items = [...meta.items.values()];
  const toneMapped = items.filter(({ type, hidden }) => type === TONE_MAPPED && !hidden);
  const bases = new Set(toneMapped.map(({ id }) => meta.parts.get(id)?.[0]));
  return items.filter(({ id, hidden }) => !inner.has(id) && (!hidden || bases.has(id)));
}

/** Returns whether an item that is shown is a picture, and not another version of one that can be decoded. */
function isListed(shown: readonly Item[], { alternatives }: Meta): (item: Item) => boolean {
  const decoded = new Set(shown.filter(isDecoded).map(({ id }) => id));
  const versions = alternatives.filter((group) => group.some((id) => decoded.has(id))).flat();
  const covered = new Set(versions);
  return (item) => decoded.has(item.id) || (OTHER_PICTURES.includes(item.type) && !covered.has(item.id));
}

function isDecoded({ type }: Item): boolean {
  return type === CODED || isDerived(type);
}

function isDerived(type: string): boolean {
  return DERIVED.includes(type);
}

/** Returns the items that serve others: thumbnails, auxiliary images, tiles, gain maps. */
function innerItems(meta: Meta): ReadonlySet<number> {
  const inner = new Set<number>();
  for (const { type, from, to } of meta.references) {
    if (type === "thmb" || type === "auxl") inner.add(from);
    if (type !== "dimg") continue;
    const derivation = meta.items.get(from)?.type;
    const [, ...gainMaps] = to;
    if (derivation === "grid") for (const tile of to) inner.add(tile);
    if (derivation === TONE_MAPPED) for (const gainMap of gainMaps) inner.add(gainMap);
  }
  return inner;
}

function tooManyImages(count: number): ServiceError {
  return new ServiceError(
    "input_too_large",
    `The HEIC file holds ${count} pictures, and Stayput reads up to ${MOST_IMAGES} of a file. Split it first.`,
    { page_count: count, most: MOST_IMAGES },
  );
}

function noImage(meta: Meta): ServiceError {
  const other = [...meta.items.values()].find(({ type }) => [...OTHER_PICTURES, "mski"].includes(type));
  return other
    ? codedOtherwise("The pictures in this HEIF file are", other.type)
    : damagedHeif("it holds no picture");
}

function codedOtherwise(subject: string, type: string): ServiceError {
  return new ServiceError(
    "unsupported_input",
    `${subject} coded as ${printable(type)}; Stayput reads those coded with HEVC.`,
    { coding: type },
  );
}

/** Describes an item. An item with an error becomes an unreadable image. */
function describe(item: Item, isPrimary: boolean, meta: Meta): ListedImage {
  const properties = meta.properties.get(item.id) ?? [];
  const stored = properties.find((property) => property.kind === "size");
  try {
    if (!isDecoded(item)) throw codedOtherwise("A picture of this HEIF file is", item.type);
    if (!stored) throw damagedHeif("a picture of it has no size");
    if (stored.width === 0 || stored.height === 0) throw damagedHeif("a picture of it is empty");
    for (const property of properties) if (property.kind === "broken") throw property.failure;
    return { ...readable(item, stored, meta), isPrimary };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    const { width, height } = stored && stored.width * stored.height > 0 ? stored : UNKNOWN_SIZE;
    return { kind: "unreadable", item: item.id, isPrimary, stored: { width, height }, failure: thrown };
  }
}

function readable(item: Item, { width, height }: Size, meta: Meta): Omit<HeifImage, "isPrimary"> {
  const { id } = item;
  const properties = meta.properties.get(id) ?? [];
  const transforms = properties.flatMap((one) => (one.kind === "transform" ? [one.transform] : []));
  return {
    kind: "readable",
    item: id,
    stored: { width, height },
    shown: shownPart({ width, height }, transforms),
    transforms,
    hasAlpha: hasAlpha(item, meta),
    color: colorOf(properties) ?? colorOfParts(item, meta),
    coding: codingOf(item, meta),
  };
}

/**
 * An identity image has the transparency of its source. Grids and overlays have none: libheif 1.23 ignores that of
 * their parts.
 */
function hasAlpha(item: Item, { items, withAlpha, parts }: Meta): boolean {
  let one: Item | undefined = item;
  for (let depth = 0; one && depth < MOST_IDENTITIES; depth++) {
    if (withAlpha.has(one.id)) return true;
    one = one.type === "iden" ? items.get(parts.get(one.id)?.[0] ?? 0) : undefined;
  }
  return false;
}

/** Some writers state the color space of the tiles instead of the grid. */
function colorOfParts({ id, type }: Item, { properties, parts }: Meta): Color | undefined {
  const [first] = isDerived(type) ? (parts.get(id) ?? []) : [];
  return first === undefined ? undefined : colorOf(properties.get(first) ?? []);
}
