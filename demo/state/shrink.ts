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
const MAY_BE_TRANSPARENT = ["png", "gif", "jxl"] as const;

/** Returns the fields of `compressPdf` for a document, or those of `convert` for a picture. */
export function shrinkFields(file: TrayFile): CompressParams | ConvertParams {
  const way = shrink.way.value;
  const isPdf = fileKind(file) === "pdf";
  const fields = isPdf ? { file: file.file } : { file: file.file, output_format: smallFormat(file) };
  switch (way) {
    case "mail":
      return { ...fields, max_bytes: MAIL_BYTES };
    case "size":
      return { ...fields, max_bytes: Math.floor(numberIn(shrink.size.value) * SIZE_UNITS.MB) };
    default: {
      const { pdf, image } = PRESETS[way];
      if (isPdf) return { ...fields, ...pdf };
      const { side, quality } = image;
      return { ...fields, quality, max_width: side, max_height: side };
    }
  }
}

function smallFormat({ inspection }: TrayFile): ConvertParams["output_format"] {
  const format = inspection.value?.format;
  const same = STAYS.find((one) => one === format);
  if (same !== undefined) return same;
  return MAY_BE_TRANSPARENT.some((one) => one === format) ? "webp" : "jpg";
}
