import type { HeifImage } from "../../isobmff/images.ts";
import type { Hindrance, Reference } from "../../isobmff/meta.ts";
import type { Transform } from "../../isobmff/properties.ts";
import { madeOf } from "../../isobmff/relations.ts";
import { shownPart } from "../../isobmff/transforms.ts";

/** The name of a box that nobody reads. */
const SKIP = [0x73, 0x6b, 0x69, 0x70];

/**
 * The file with what libheif 1.23 refuses it for, and this picture can do without, made such as it takes. It is as long
 * as before, and the very same where nothing had to be changed.
 */
export function withoutObstacles(file: Uint8Array<ArrayBuffer>, image: HeifImage): Uint8Array<ArrayBuffer> {
  const { obstacles, transforms } = image;
  const hindrances = image.item === undefined ? [] : obstacles.hindrances;
  const isCropped = transforms.some(({ kind }) => kind === "crop");
  const single = obstacles.doubled.length === 0 ? file : withSingleReferences(file, obstacles.doubled);
  if (hindrances.length === 0 && !isCropped) return single;
  const bytes = single.slice();
  if (isCropped) fillCrops(bytes, image);
  const needed = image.item === undefined ? new Set<number>() : madeOf(image.item, obstacles.relations);
  for (const hindrance of hindrances) removeFromOthers(bytes, hindrance, needed);
  return bytes;
}

/** By what is doubled in a file: all of its pictures have that in common. */
const madeSingle = new WeakMap<readonly Reference[], Uint8Array<ArrayBuffer>>();

/** References that name an item twice name others instead, by a type that libheif does not know. */
function withSingleReferences(
  file: Uint8Array<ArrayBuffer>,
  doubled: readonly Reference[],
): Uint8Array<ArrayBuffer> {
  const known = madeSingle.get(doubled);
  if (known) return known;
  const bytes = file.slice();
  madeSingle.set(doubled, bytes);
  const view = new DataView(bytes.buffer);
  for (const { typeAt, toAt, to, numberBytes } of doubled) {
    bytes.set(SKIP, typeAt);
    const taken = new Set(to);
    const named = new Set<number>();
    let free = 0xffff;
    for (const [index, item] of to.entries()) {
      if (!named.has(item)) {
        named.add(item);
        continue;
      }
      while (taken.has(free)) free--;
      taken.add(free);
      const at = toAt + index * numberBytes;
      if (numberBytes === 2) view.setUint16(at, free);
      else view.setUint32(at, free);
    }
  }
  return bytes;
}

/**
 * Every crop of a picture becomes one of all of it. libheif 1.23 measures what a picture may take in memory by what its
 * crop leaves, and so refuses what is cropped much (strukturag/libheif#1856).
 */
function fillCrops(bytes: Uint8Array<ArrayBuffer>, { stored, transforms }: HeifImage): void {
  const before: Transform[] = [];
  for (const transform of transforms) {
    if (transform.kind !== "crop") {
      before.push(transform);
      continue;
    }
    const { width, height } = shownPart(stored, before);
    const view = new DataView(bytes.buffer, bytes.byteOffset + transform.at, 32);
    [width, 1, height, 1, 0, 1, 0, 1].forEach((value, index) => {
      view.setUint32(index * 4, value);
    });
  }
}

/** Items that the picture is not made of need the property no more, and where it needs it neither, nobody reads it. */
function removeFromOthers(
  bytes: Uint8Array<ArrayBuffer>,
  { typeAt, namedBy }: Hindrance,
  needed: ReadonlySet<number>,
): void {
  for (const { item, at } of namedBy) if (!needed.has(item)) bytes[at] = (bytes[at] ?? 0) & 0x7f;
  if (!namedBy.some(({ item }) => needed.has(item))) bytes.set(SKIP, typeAt);
}
