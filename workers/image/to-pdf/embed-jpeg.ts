import type { ByteSource } from "../../io/source.ts";
import { isCommonlyCoded, isPlainRgb, jpegContent } from "../formats/jpg/content.ts";
import { type Jpeg, readJpeg } from "../formats/jpg/read-jpeg.ts";
import { readScans } from "../formats/jpg/scans.ts";
import { hasSoundTables } from "../formats/jpg/tables.ts";
import { wholeXmp } from "../metadata/xmp.ts";
import { profiledSpace } from "./color-space.ts";
import type { EmbeddedImage } from "./embedded-image.ts";

/**
 * Returns a JPEG whose coded data goes into the PDF unchanged.
 *
 * @returns `undefined` for a kind of JPEG that PDF does not support, and for a JPEG whose tables are damaged. Nothing
 *   decodes it here, so that the PDF would have a page that no reader shows
 * @throws {ServiceError} `damaged_file`
 */
export function embedJpeg(source: ByteSource, keepMetadata: boolean): EmbeddedImage | undefined {
  const jpeg = readJpeg(source);
  const components = componentsOf(jpeg);
  if (components === undefined || !isCommonlyCoded(jpeg)) return undefined;
  const scans = readScans(source, jpeg);
  if (!hasSoundTables(source, [...jpeg.segments, ...scans.segments])) return undefined;
  const { width, height, orientation, resolution, icc, hasJfif, adobeTransform } = jpeg;
  // Browsers follow JFIF, which says YCbCr. PDF readers follow Adobe's segment, which says RGB.
  if (components === 3 && hasJfif && adobeTransform === 0) return undefined;
  return {
    width,
    height,
    orientation,
    resolution,
    colorSpace: profiledSpace(components, icc),
    // Encoders of CMYK write inverted values, as Adobe does. Browsers take all for inverted, with Adobe's segment or not.
    inverted: components === 4,
    bitsPerComponent: 8,
    compression: { kind: "jpeg", rgb: isPlainRgb(jpeg) },
    data: jpegContent(source, jpeg, keepMetadata, scans),
    xmp: wholeXmp(jpeg),
  };
}

function componentsOf({ frame }: Jpeg): 1 | 3 | 4 | undefined {
  const { length } = frame.components;
  return length === 1 || length === 3 || length === 4 ? length : undefined;
}
