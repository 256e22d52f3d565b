import { ServiceError } from "../../../src/errors.ts";
import { bufferSource } from "../../pdf/bytes/source.ts";
import {
  bitmapPicture,
  canKeepValues,
  decodeNatively,
  encodeNatively,
  release,
  uprightPixels,
} from "../canvas.ts";
import type { Codec, DecodeOptions } from "../codec.ts";
import { profileComponents } from "../containers/icc.ts";
import { type Jpeg, MARKER, readJpeg } from "../containers/jpeg.ts";
import { withJpegMetadata } from "../containers/jpeg-metadata.ts";
import { withPngMetadata } from "../containers/png-metadata.ts";
import { decodeDamagedJpeg } from "../damaged-jpeg.ts";
import { bytesOf, headOf } from "../file-bytes.ts";
import type { Picture } from "../picture.ts";
import { notWritten } from "./not-written.ts";

const TYPE = "image/jpeg";
/** What Chromium and Firefox take when they are not told. */
const USUAL_QUALITY = 0.92;

/** JPEG. The browser turns the picture upright, and converts its colours from CMYK and YCCK too. */
export const codec: Codec = {
  decoder: {
    async inspect(file) {
      const { width, height } = await read(file);
      return { images: [{ width, height, hasAlpha: false }] };
    },
    async decode(file, { profile = "convert" }) {
      const jpeg = await read(file);
      const icc = profile === "keep" && (await canKeepValues()) ? rgbProfile(jpeg) : undefined;
      // The browser decodes while the file is read here, too.
      const decoding = decodeNatively(file, TYPE, icc !== undefined);
      decoding.catch(() => {});
      if (!hasEnd(await bytesOf(file), jpeg)) {
        decoding.then((bitmap) => bitmap.close()).catch(() => {});
        throw cutOff();
      }
      try {
        const bitmap = await decoding;
        return bitmapPicture(bitmap, false, icc, isAsStored(jpeg));
      } catch (thrown) {
        if (!(thrown instanceof ServiceError) || thrown.code !== "damaged_file") throw thrown;
        const decoded = await decodeDamaged(await bytesOf(file), jpeg, profile);
        if (decoded === undefined) throw thrown;
        return decoded;
      }
    },
    async metadata(file) {
      const { exif, xmp } = await read(file);
      return { exif, xmp };
    },
  },
  encoder: {
    lossy: true,
    alpha: false,
    async encode(picture, { quality = USUAL_QUALITY }) {
      return (await encodeNatively(picture, TYPE, quality)) ?? notWritten("JPG");
    },
    async withMetadata(encoded, metadata) {
      return withJpegMetadata(await bytesOf(encoded), metadata);
    },
  },
};

async function read(file: Blob): Promise<Jpeg> {
  const head = await headOf(file);
  try {
    return readJpeg(bufferSource(head));
  } catch (thrown) {
    if (head.length === file.size) throw thrown;
  }
  return readJpeg(bufferSource(await bytesOf(file)));
}

/** By libjpeg, which leaves orientation and profile to us. */
async function decodeDamaged(
  bytes: Uint8Array<ArrayBuffer>,
  jpeg: Jpeg,
  profile: Required<DecodeOptions>["profile"],
): Promise<Picture | undefined> {
  const stored = await decodeDamagedJpeg(bytes, jpeg);
  if (stored === undefined) return undefined;
  const upright = uprightPixels({ ...stored, icc: rgbProfile(jpeg) }, jpeg.orientation);
  return profile === "convert" ? inSrgb(upright) : upright;
}

/** Whether the browser need neither turn the picture nor convert its colours. */
function isAsStored({ orientation, icc, frame }: Jpeg): boolean {
  return orientation === 1 && icc === undefined && frame.components.length === 3;
}

/** Whether there is an end behind the beginning of the pixels: some browsers fill up what is missing with grey. */
function hasEnd(bytes: Uint8Array, { scans }: Jpeg): boolean {
  let at = bytes.lastIndexOf(MARKER.EOI);
  while (at > scans && bytes[at - 1] !== 0xff) at = bytes.lastIndexOf(MARKER.EOI, at - 1);
  return at > scans;
}

function cutOff(): ServiceError {
  return new ServiceError(
    "damaged_file",
    "The JPEG image cannot be read: it breaks off. Try another copy of it.",
  );
}

/** The browser converts colours where it decodes: the values go through a PNG, which keeps them, with their profile. */
async function inSrgb(picture: Picture): Promise<Picture> {
  if (picture.icc === undefined) return picture;
  const untagged = { ...picture, icc: undefined };
  const plain = (await encodeNatively(untagged, "image/png")) ?? notWritten("PNG");
  release(untagged);
  const tagged = withPngMetadata(await bytesOf(plain), { icc: picture.icc });
  return bitmapPicture(await decodeNatively(tagged, "image/png"), false);
}

/** A profile that fits what a decoder gives: it is converted from any other. */
function rgbProfile({ frame, icc }: Jpeg): Uint8Array | undefined {
  const fits = icc !== undefined && frame.components.length === 3 && profileComponents(icc) === 3;
  return fits ? icc : undefined;
}
