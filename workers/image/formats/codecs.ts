import { ServiceError } from "../../../src/shared/errors.ts";
import type { FormatId } from "../../../src/shared/formats.ts";
import { codec as avif } from "./avif/codec.ts";
import { codec as bmp } from "./bmp/codec.ts";
import type { Codec, Decoder, Encoder } from "./codec.ts";
import { codec as gif } from "./gif/codec.ts";
import { codec as heic } from "./heic/codec.ts";
import { codec as jpg } from "./jpg/codec.ts";
import { codec as jxl } from "./jxl/codec.ts";
import { codec as png } from "./png/codec.ts";
import { tiffCodec } from "./tiff/codec.ts";
import { codec as webp } from "./webp/codec.ts";

/** The folders of formats do not import each other. */
const tiff = tiffCodec({ open: (file) => decoderOf("jpg").open(file) });

const CODECS: Partial<Readonly<Record<FormatId, Codec>>> = {
  jpg,
  png,
  webp,
  heic,
  avif,
  gif,
  bmp,
  tiff,
  jxl,
};

/** Returns the decoder of a format. */
export function decoderOf(format: FormatId): Decoder {
  return CODECS[format]?.decoder ?? notOffered(format, "read");
}

/** Returns the encoder of a format. */
export function encoderOf(format: FormatId): Encoder {
  return CODECS[format]?.encoder ?? notOffered(format, "written");
}

function notOffered(format: FormatId, what: string): never {
  throw new ServiceError(
    "unsupported_conversion",
    `${format.toUpperCase()} images are not ${what} in this version.`,
  );
}
