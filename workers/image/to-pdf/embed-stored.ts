import { ServiceError } from "../../../src/shared/errors.ts";
import { withRangesHeld } from "../../io/byte-ranges.ts";
import { bufferSource } from "../../io/source.ts";
import type { SourceImage, StoredImage } from "../formats/codec.ts";
import { allRead } from "../metadata/metadata.ts";
import type { Size } from "../picture/size.ts";
import { profiledSpace } from "./color-space.ts";
import { embedJpeg } from "./embed-jpeg.ts";
import { type EmbeddedImage, LONGEST_EMBEDDED_SIDE, withoutMetadata } from "./embedded-image.ts";

/**
 * Returns an image whose coded data goes into the PDF unchanged, as strips: a fax, or a JPEG in a TIFF.
 *
 * @returns `undefined` when PDF cannot hold the data
 * @throws {ServiceError} `damaged_file`
 */
export async function embedStored(
  image: SourceImage,
  keepMetadata = false,
): Promise<readonly EmbeddedImage[] | undefined> {
  const { resolution, color } = image;
  if (image.stored === undefined || Math.max(image.width, image.height) > LONGEST_EMBEDDED_SIDE)
    return undefined;
  const stored = image.stored();
  const strips = stored.kind === "fax" ? faxStrips(stored, image) : jpegStrips(stored, image);
  const xmp = keepMetadata ? allRead((await image.metadata?.()) ?? {}).xmp : undefined;
  const profile = color?.kind === "icc" ? color.profile : undefined;
  return strips?.map((strip) => {
    const components = strip.colorSpace.kind === "indexed" ? 1 : strip.colorSpace.components;
    const colorSpace = profiledSpace(components, profile);
    const whole = { ...strip, orientation: stored.orientation, resolution, colorSpace, xmp };
    return keepMetadata ? whole : withoutMetadata(whole);
  });
}

type Stored<Kind extends StoredImage["kind"]> = Extract<StoredImage, { readonly kind: Kind }>;

function faxStrips(fax: Stored<"fax">, { width }: Size): readonly EmbeddedImage[] {
  const { k, isByteAligned, blackIs1, orientation } = fax;
  return fax.strips.map(({ height, data }) => ({
    ...{ width, height, data, orientation, resolution: undefined },
    colorSpace: profiledSpace(1, undefined),
    bitsPerComponent: 1,
    compression: { kind: "fax", k, isByteAligned, blackIs1 },
  }));
}

/** Returns `undefined` for a damaged JPEG, which the decoder may repair. */
function jpegStrips(
  { bytes }: Stored<"jpeg">,
  { width, height }: Size,
): readonly EmbeddedImage[] | undefined {
  try {
    const jpeg = embedJpeg(bufferSource(bytes), false);
    if (jpeg?.width !== width || jpeg.height !== height) return undefined;
    return [{ ...jpeg, data: withRangesHeld(jpeg.data, bytes) }];
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === "damaged_file") return undefined;
    throw thrown;
  }
}
