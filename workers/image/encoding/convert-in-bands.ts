import type { Decoder, Encoder } from "../formats/codec.ts";
import { opaqueColor } from "../picture/flatten-alpha.ts";

/** How a picture is converted in bands. */
export interface BandsOptions {
  readonly quality: number | undefined;
  /** A color of CSS behind what is transparent. */
  readonly background: string;
  readonly helpers: number | undefined;
}

/**
 * Converts a file's one picture while it is decoded, where both formats can, which spares memory and time.
 *
 * @returns nothing where it has to be converted as a whole, which then shows what is wrong with it, if anything is
 */
export async function convertInBands(
  file: Blob,
  decoder: Decoder,
  encoder: Encoder,
  { quality, background, helpers }: BandsOptions,
): Promise<Blob | undefined> {
  if (!helpers || decoder.decodeInBands === undefined || encoder.encodeBands === undefined) return undefined;
  try {
    const picture = await decoder.decodeInBands(file);
    const backdrop = picture?.hasAlpha ? opaqueColor(background) : undefined;
    if (picture === undefined || (picture.hasAlpha && backdrop === undefined)) return undefined;
    return await encoder.encodeBands(picture, { quality, helpers, backdrop });
  } catch {
    return undefined;
  }
}
