import { ServiceError } from "../../../../src/shared/errors.ts";
import { uint32 } from "../../../io/big-endian.ts";
import { givesBack } from "../../browser/canvas-readback.ts";
import { planColor, profileOfCodePoints } from "../../color/color-description.ts";
import { profileComponents } from "../../color/icc.ts";
import type { HeifImage, ListedImage } from "../../isobmff/images.ts";
import { heifMetadata } from "../../isobmff/metadata.ts";
import { readHeif } from "../../isobmff/read.ts";
import { checkSize, thisDevice } from "../../limits.ts";
import { frameOfPixels, frameOfPlanes } from "../../picture/frame-from-buffer.ts";
import type { Picture } from "../../picture/picture.ts";
import type { Codec, DecodeOptions, ImageHeader } from "../codec.ts";
import { isWorthSharing } from "../jpg/parallel-encoding.ts";
import { decodeImage } from "./decode.ts";
import type { Raster } from "./raster.ts";

/** HEIC is read by libheif, and by the browser itself where it can (Safari does); nothing here writes it. */
export const codec: Codec = {
  decoder: {
    async inspect(file) {
      const images = await readHeif(file);
      return { images: images.map(headerOf) };
    },
    async decode(file, options) {
      const images = await readHeif(file);
      const image = images[options.index];
      if (!image) throw noSuchImage(options.index, images.length);
      if (image.kind === "unreadable") throw image.failure;
      // Whatever is cropped afterwards, a decoder holds all of the picture.
      checkSize(image.stored, thisDevice());
      const icc = keptProfile(image, options);
      // A browser shows one picture of a file, and turns its colors into those of the canvas.
      const isAlone = images.length === 1 && icc === undefined && !(image.hasAlpha && options.exactAlpha);
      const browserMay = isAlone && (await givesBack("closely"));
      const native = browserMay ? await decodeNatively(file, image) : undefined;
      if (native) return native;
      const decoded = await decodeImage(file, image, {
        convert: icc === undefined,
        helpers: options.helpers ?? 0,
        planes: options.planes === true,
      });
      // libheif can read it and the browser could not, so there is no use in asking it again.
      if (browserMay) browserReadsHeic ??= false;
      if (options.planes && !image.hasAlpha && isWorthSharing(decoded)) {
        const frame = frameOf(decoded);
        const { width, height } = decoded;
        if (frame) return { kind: "frame", width, height, frame, hasAlpha: false, icc };
      }
      if (decoded.kind === "planes") return { ...decoded, hasAlpha: false, icc };
      return { ...decoded, hasAlpha: image.hasAlpha, icc };
    },
    async metadata(file, index) {
      const images = await readHeif(file);
      return heifMetadata(file, images[index]?.item);
    },
  },
};

function headerOf(image: ListedImage): ImageHeader["images"][number] {
  return { ...image.stored, hasAlpha: image.kind === "readable" && image.hasAlpha };
}

/** What several workers can read, where all of it is there and it may be handed over. */
function frameOf(decoded: Raster): VideoFrame | undefined {
  if (decoded.kind === "pixels") return frameOfPixels(decoded.pixels, decoded);
  return decoded.arrival ? undefined : frameOfPlanes(decoded.planes, decoded);
}

function noSuchImage(index: number, count: number): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    `The HEIC file has no picture ${index + 1}: it has ${count}. Choose one that it has.`,
    { parameter: "pages", page_count: count },
  );
}

/**
 * The profile that goes along with values that stay as they are: on demand, or because it is one of tables, which
 * nothing here converts.
 */
function keptProfile({ color }: HeifImage, { profile = "convert" }: DecodeOptions): Uint8Array | undefined {
  if (color?.kind === "nclx") return profile === "convert" ? undefined : profileOfCodePoints(color);
  if (color === undefined || profileComponents(color.profile) !== 3) return undefined;
  const plan = planColor(color);
  const stays = plan === "tables" || (plan !== "none" && profile !== "convert");
  // Some cameras leave more behind the profile than belongs to it.
  return stays ? color.profile.subarray(0, uint32(color.profile, 0)) : undefined;
}

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
  return { kind: "bitmap", width: shown.width, height: shown.height, bitmap, hasAlpha };
}
