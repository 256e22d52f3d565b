import { ServiceError } from "../../../../src/shared/errors.ts";
import { partOf } from "../../../io/file-bytes.ts";
import type { Color } from "../../color/color.ts";
import type { Meta, PropertyAssociation } from "../../isobmff/meta.ts";
import { colorOf, type Property } from "../../isobmff/properties.ts";
import { tablesOf } from "../../isobmff/read.ts";
import { orientationBy, type ShownPart, shownPart } from "../../isobmff/transforms.ts";
import type { Orientation } from "../../metadata/exif.ts";
import type { Size } from "../../picture/size.ts";
import { damagedImage } from "../image-errors.ts";

/**
 * The description of the primary image of an AVIF file (AV1 Image File Format 1.1). The size is as stored, before any
 * rotation.
 */
export interface Avif extends Size {
  /** Whether any pixel may be transparent. */
  readonly hasAlpha: boolean;
  /** The color space: by an ICC profile, if there is one. */
  readonly color: Color | undefined;
  /** Absent when the picture is shown as stored. Absent for sequences, too, which browsers show by other tables. */
  readonly transformed: Transformed | undefined;
}

/** How a picture is transformed before it is shown. */
export interface Transformed {
  /** How it is rotated and mirrored. */
  readonly orientation: Orientation;
  readonly shown: ShownPart;
  /** The associations with these properties, in file order. */
  readonly associations: readonly PropertyAssociation[];
}

/**
 * Reads the tables, not the picture.
 *
 * @throws {ServiceError} `damaged_file`
 */
export async function readAvif(file: Blob): Promise<Avif> {
  try {
    return await primaryImage(file);
  } catch (thrown) {
    // The errors of the table reader name HEIC, which has the same tables.
    throw thrown instanceof ServiceError ? damaged("its tables are cut off or make no sense") : thrown;
  }
}

async function primaryImage(file: Blob): Promise<Avif> {
  const { brand, meta } = await tablesOf(file);
  if (meta === undefined) throw damaged("it holds no still picture");
  const [first] = meta.items.keys();
  const primary = meta.primary ?? first ?? 0;
  const properties = meta.properties.get(primary) ?? [];
  const size = properties.find((property) => property.kind === "size");
  if (size === undefined) throw damaged("the header states no size");
  const hasAlpha = meta.withAlpha.has(primary);
  const color = colorOf(properties);
  const transformed = brand === "avis" ? undefined : transformedBy(properties, size, meta);
  return { width: size.width, height: size.height, hasAlpha, color, transformed };
}

function transformedBy(properties: readonly Property[], size: Size, meta: Meta): Transformed | undefined {
  // A broken crop must not show hidden pixels. The browser judges other broken properties.
  for (const one of properties) if (one.kind === "broken" && one.type === "clap") throw one.failure;
  const transforms = properties.flatMap((one) => (one.kind === "transform" ? [one.transform] : []));
  if (transforms.length === 0) return undefined;
  const { transformAssociations: associations } = meta;
  return { orientation: orientationBy(transforms), shown: shownPart(size, transforms), associations };
}

/**
 * Returns the file without the properties that rotate, mirror or crop its picture, because browsers disagree on them:
 * WebKit without Apple's libraries ignores rotation, Firefox refuses a crop, and the others ignore it.
 */
export async function plainAvif(file: Blob, { associations }: Transformed): Promise<Blob> {
  const [first, last] = [associations[0], associations.at(-1)];
  if (first === undefined || last === undefined) return file;
  const [start, end] = [first.at, last.at + last.bytes];
  const tables = await partOf(file, start, end);
  for (const { at, bytes } of associations) tables.fill(0, at - start, at - start + bytes);
  return new Blob([file.slice(0, start), tables, file.slice(end)]);
}

const damaged = (reason: string) => damagedImage("AVIF", reason);
