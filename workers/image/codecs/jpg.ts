import { ServiceError } from "../../../src/errors.ts";
import { bufferSource } from "../../pdf/bytes/source.ts";
import { bitmapPicture, canKeepValues, decodeNatively, encodeNatively } from "../canvas.ts";
import type { Codec } from "../codec.ts";
import { profileComponents } from "../containers/icc.ts";
import { type Jpeg, MARKER, readJpeg } from "../containers/jpeg.ts";
import { withJpegMetadata } from "../containers/jpeg-metadata.ts";
import { bytesOf } from "../file-bytes.ts";
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
    async decode(file, { profile }) {
      const jpeg = await read(file);
      if (!hasEnd(await bytesOf(file), jpeg)) throw cutOff();
      const icc = profile === "keep" && (await canKeepValues()) ? rgbProfile(jpeg) : undefined;
      return bitmapPicture(await decodeNatively(file, TYPE, icc !== undefined), false, icc);
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
  return readJpeg(bufferSource(await bytesOf(file)));
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

/** A profile that fits what a decoder gives: it is converted from any other. */
function rgbProfile({ frame, icc }: Jpeg): Uint8Array | undefined {
  const fits = icc !== undefined && frame.components.length === 3 && profileComponents(icc) === 3;
  return fits ? icc : undefined;
}
