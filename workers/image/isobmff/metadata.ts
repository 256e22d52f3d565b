import { partOf } from "../../io/file-bytes.ts";
import type { Metadata } from "../metadata/metadata.ts";
import { boxesOf } from "./boxes.ts";
import type { Meta } from "./meta.ts";
import { LARGEST_TABLES, metaAt } from "./read.ts";

/** Longer than that of any camera. */
const LARGEST_ITEM = 16 * 2 ** 20;
const MOST_EXTENTS = 1000;

/**
 * Reads the metadata of an image: the items that describe it (ISO/IEC 23008-12, A.2). Damaged metadata counts as
 * absent.
 *
 * @param item the image. The primary image by default.
 */
export async function heifMetadata(file: Blob, item?: number): Promise<Metadata> {
  for await (const place of boxesOf(file)) {
    const { type, start, end } = place;
    if (type !== "meta" || end - start > LARGEST_TABLES) continue;
    const meta = await metaAt(file, place);
    const image = item ?? meta.primary ?? 0;
    const describing = meta.references
      .filter((reference) => reference.type === "cdsc" && reference.to.includes(image))
      .map(({ from }) => from);
    const contents = async (kind: string) => {
      const found = describing.filter((id) => meta.items.get(id)?.type === kind);
      return Promise.all(found.map((id) => contentOf(file, meta, id)));
    };
    const [exif] = (await contents("Exif")).map(tiffOf);
    const xmp = (await contents("mime")).find(isXmp);
    return { exif, xmp };
  }
  return {};
}

async function contentOf(file: Blob, meta: Meta, item: number): Promise<Uint8Array<ArrayBuffer>> {
  const location = meta.locations.get(item);
  const length = location?.extents.reduce((sum, extent) => sum + extent.length, 0) ?? 0;
  if (location === undefined || location.within === "item" || length > LARGEST_ITEM) return new Uint8Array();
  if (location.extents.length > MOST_EXTENTS) return new Uint8Array();
  const parts = await Promise.all(
    location.extents.map(({ offset, length }) =>
      location.within === "idat"
        ? meta.itemData.subarray(offset, offset + length)
        : partOf(file, offset, offset + length),
    ),
  );
  return new Uint8Array(await new Blob(parts).arrayBuffer());
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
