import { ServiceError } from "../../../src/shared/errors.ts";
import type { FormatId } from "../../../src/shared/formats.ts";
import type { Codec, Decoder, Encoder } from "../codec.ts";
import { codec as avif } from "./avif.ts";
import { codec as bmp } from "./bmp.ts";
import { codec as gif } from "./gif.ts";
import { codec as heic } from "./heic.ts";
import { codec as jpg } from "./jpg.ts";
import { codec as png } from "./png.ts";
import { codec as webp } from "./webp.ts";

const CODECS: Partial<Readonly<Record<FormatId, Codec>>> = { jpg, png, webp, heic, avif, gif, bmp };

/** What reads a format. */
export function decoderOf(format: FormatId): Decoder {
  return CODECS[format]?.decoder ?? notOffered(format, "read");
}

/** What writes a format. */
export function encoderOf(format: FormatId): Encoder {
  return CODECS[format]?.encoder ?? notOffered(format, "written");
}

function notOffered(format: FormatId, what: string): never {
  throw new ServiceError(
    "unsupported_conversion",
    `${format.toUpperCase()} images are not ${what} in this version.`,
  );
}
