import type { Metadata } from "../metadata/metadata.ts";
import { contentOfItem, tablesOf } from "./read.ts";

/** Longer than that of any camera. */
const LONGEST_ITEM = 16 * 2 ** 20;

/**
 * Reads the metadata of an image: the items that describe it (ISO/IEC 23008-12, A.2). Damaged metadata counts as
 * absent.
 *
 * @param item the image. The primary image by default.
 */
export async function heifMetadata(file: Blob, item?: number): Promise<Metadata> {
  const { meta } = await tablesOf(file);
  if (meta === undefined) return {};
  const { references, items, locations, itemData } = meta;
  const image = item ?? meta.primary ?? 0;
  const describing = references
    .filter(({ type, to }) => type === "cdsc" && to.includes(image))
    .map(({ from }) => from);
  const contents = (kind: string) =>
    Promise.all(
      describing
        .filter((id) => items.get(id)?.type === kind)
        .map((id) => contentOfItem(file, locations.get(id), itemData, LONGEST_ITEM)),
    );
  const [exif] = (await contents("Exif")).map(tiffOf);
  const xmp = (await contents("mime")).find(isXmp);
  return { exif, xmp };
}

/** The item begins with the offset of its TIFF header, counted from the end of that number. */
function tiffOf(content: Uint8Array<ArrayBuffer>): Uint8Array | undefined {
  if (content.length < 4) return undefined;
  const start = 4 + new DataView(content.buffer, content.byteOffset).getUint32(0);
  const tiff = content.subarray(start);
  return tiff.length > 8 ? tiff : undefined;
}

function isXmp(content: Uint8Array): boolean {
  return new TextDecoder().decode(content.subarray(0, 256)).includes("<x:xmpmeta");
}
