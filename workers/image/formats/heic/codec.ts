import { canvasReadback } from "../../browser/canvas-readback.ts";
import { keptProfile } from "../../color/decide-colors.ts";
import { heifMetadata } from "../../isobmff/read.ts";
import { checkSize, thisDevice } from "../../picture/limits.ts";
import type { Picture } from "../../picture/picture.ts";
import type { Codec, DecodeOptions, SourceImage } from "../codec.ts";
import { decodeImage } from "./decode.ts";
import type { HeifImage, ListedImage } from "./images.ts";
import { readHeif } from "./read-heic.ts";

/**
 * HEIC. The browser decodes it when it can, as Safari does. Otherwise our own HEVC decoder and libheif do. Nothing here
 * encodes it.
 */
export const codec: Codec = {
  decoder: {
    async open(file) {
      const images = await readHeif(file);
      return images.map((image) => sourceOf(file, image, images.length === 1));
    },
  },
};

function sourceOf(file: Blob, image: ListedImage, isAlone: boolean): SourceImage {
  const hasAlpha = image.kind === "readable" && image.hasAlpha;
  const { width, height } = image.stored;
  return {
    ...{ width, height, hasAlpha, isPrimary: image.isPrimary },
    shown: image.kind === "readable" ? image.shown : image.stored,
    layouts: hasAlpha ? ["bitmap", "rgba"] : ["bitmap", "yuv420", "rgba"],
    async decode(options) {
      if (image.kind === "unreadable") throw image.failure;
      return decode(file, image, isAlone, options);
    },
    metadata: () => heifMetadata(file, image.item),
  };
}

async function decode(
  file: Blob,
  image: HeifImage,
  isAlone: boolean,
  { layouts, colors, fidelity, helpers }: DecodeOptions,
): Promise<Picture> {
  // A decoder holds the whole picture in memory, even when a crop is shown.
  checkSize(image.stored, thisDevice());
  const icc = keptProfile(image.color, colors.profile);
  // A browser decodes one picture of a file, and converts its colors to sRGB.
  const isForBrowser = isAlone && icc === undefined && !(image.hasAlpha && fidelity !== "display");
  const browserMay = isForBrowser && (await canvasReadback("closely"));
  const native = browserMay ? await decodeNatively(file, image) : undefined;
  if (native) return native;
  const planes = layouts.includes("yuv420");
  const decoded = await decodeImage(file, image, { convert: icc === undefined, helpers, planes });
  // The browser could not decode a sound file, so it is not used again.
  if (browserMay) browserReadsHeic ??= false;
  return decoded.layout === "yuv420"
    ? { ...decoded, hasAlpha: false, icc }
    : { ...decoded, hasAlpha: image.hasAlpha, icc };
}

/** Whether the browser can decode HEIC. Undefined until it has decoded a file, or failed for a sound one. */
let browserReadsHeic: boolean | undefined;

async function decodeNatively(file: Blob, { shown, hasAlpha }: HeifImage): Promise<Picture | undefined> {
  if (browserReadsHeic === false) return undefined;
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return undefined;
  if (bitmap.width !== shown.width || bitmap.height !== shown.height) {
    bitmap.close();
    return undefined;
  }
  browserReadsHeic = true;
  return { layout: "bitmap", width: shown.width, height: shown.height, bitmap, hasAlpha };
}
