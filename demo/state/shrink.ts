import { signal } from "@preact/signals";
import type { CompressParams, ConvertParams } from "../../src/index.ts";
import { numberIn, SIZE_UNITS } from "./options.ts";
import { fileKind } from "./task.ts";
import type { TrayFile } from "./tray.ts";

/** How small files become: by what they are for, or below a size. */
export type ShrinkWay = "mail" | "web" | "smallest" | "size";

/** The options of shrinking, as chosen and typed. */
export const shrink = {
  way: signal<ShrinkWay>("mail"),
  size: signal("2"),
};

/** The most bytes of a file for e-mail. */
const MAIL_BYTES = 10 * SIZE_UNITS.MB;

/** What each way means for documents and for pictures. */
const PRESETS = {
  web: { pdf: { dpi: 150, quality: 0.75 }, image: { side: 1920, quality: 0.75 } },
  smallest: { pdf: { dpi: 72, quality: 0.4 }, image: { side: 1280, quality: 0.5 } },
} as const;

/** Formats in which a picture stays when it shrinks. Any other picture becomes a WebP if it may be transparent, or a JPG. */
const STAYS = ["jpg", "webp", "avif"] as const;
const MAY_BE_TRANSPARENT = ["png", "gif", "tiff", "jxl"] as const;

/** Returns the fields of `compressPdf` for a document, or those of `convert` for a picture. */
export function shrinkFields(file: TrayFile): CompressParams | ConvertParams {
  const way = shrink.way.value;
  const { file: blob } = file;
  const preset = way === "web" || way === "smallest" ? PRESETS[way] : undefined;
  const limit = way === "size" ? Math.floor(numberIn(shrink.size.value) * SIZE_UNITS.MB) : MAIL_BYTES;
  if (fileKind(file) === "pdf") return { file: blob, ...(preset?.pdf ?? { max_bytes: limit }) };
  const { side, quality } = preset?.image ?? {};
  return {
    file: blob,
    output_format: smallFormat(file),
    // Never larger than it is.
    max_bytes: Math.min(blob.size, preset ? Infinity : limit),
    ...(side !== undefined && { quality, max_width: side, max_height: side }),
  };
}

function smallFormat({ inspection }: TrayFile): ConvertParams["output_format"] {
  const format = inspection.value?.format;
  const same = STAYS.find((one) => one === format);
  if (same !== undefined) return same;
  return MAY_BE_TRANSPARENT.some((one) => one === format) ? "webp" : "jpg";
}
