import { profileComponents } from "../image/color/icc.ts";
import type { Size } from "../image/picture/size.ts";
import { joinBytes } from "../io/concat-bytes.ts";
import { objectNumber } from "../pdf/content/resource-scope.ts";
import type { PdfDocument } from "../pdf/file/document.ts";
import { UndecodableStream } from "../pdf/file/filters.ts";
import {
  arrayOf,
  integerOf,
  nameOf,
  type PdfObject,
  PdfStream,
  PdfString,
  resolved,
  streamOf,
} from "../pdf/syntax/objects.ts";

/** An image whose samples can be scaled: as its dictionary states it (ISO 32000-2, 8.9.5). */
export interface PdfImage extends Size {
  /** Samples for each pixel, after an indexed image has got its colors. */
  readonly components: 1 | 3;
  readonly bits: 2 | 4 | 8;
  /** The colors of an indexed image, and their color space in the document. */
  readonly palette?: { readonly colors: Uint8Array; readonly space: PdfObject } | undefined;
}

const LONGEST_SIDE = 65_535;
const INDEXED_BITS: readonly number[] = [2, 4, 8];

/** Colors of samples that may be scaled: mixing two of them gives the color between them. */
interface SampleSpace {
  readonly components: 1 | 3;
  readonly palette?: PdfImage["palette"];
}

/** Reads which images of a document can be scaled. */
export class ImageReader {
  readonly #document: PdfDocument;
  /** The components of profiles, by object number. */
  readonly #profiles = new Map<number, number | undefined>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /**
   * Returns an image; undefined for one that stays as it is: bilevel, CMYK, Lab, with a color key, or with samples that its
   * soft mask has been mixed into (`Matte`).
   */
  read({ dict }: PdfStream): PdfImage | undefined {
    const [width, height] = [dict.integer("Width") ?? 0, dict.integer("Height") ?? 0];
    if (Math.min(width, height) < 1 || Math.max(width, height) > LONGEST_SIDE) return undefined;
    const hasMatte = dict.has("Matte") || dict.stream("SMask")?.dict.has("Matte") === true;
    if (hasMatte || Array.isArray(dict.value("Mask")) || dict.value("ImageMask") === true) return undefined;
    const space = this.#spaceOf(dict.value("ColorSpace"));
    const bits = dict.integer("BitsPerComponent") ?? 8;
    if (!space) return undefined;
    if (space.palette ? dict.has("Decode") || !INDEXED_BITS.includes(bits) : bits !== 8) return undefined;
    return { width, height, bits: bits as PdfImage["bits"], ...space };
  }

  #spaceOf(object: PdfObject, mayBeIndexed = true): SampleSpace | undefined {
    const [family, first, ...others] = Array.isArray(object) ? object : [object];
    switch (nameOf(family)) {
      case "DeviceGray":
      case "CalGray":
      // A tint, which the alternate space makes a color.
      case "Separation":
        return { components: 1 };
      case "DeviceRGB":
      case "CalRGB":
        return { components: 3 };
      case "ICCBased":
        return this.#profiledSpace(streamOf(first));
      case "Indexed":
        return mayBeIndexed ? this.#indexedSpace(first ?? null, others) : undefined;
      default:
        return undefined;
    }
  }

  #profiledSpace(profile: PdfStream | undefined): SampleSpace | undefined {
    const components = profile?.dict.integer("N");
    if (!profile || (components !== 1 && components !== 3)) return undefined;
    const num = objectNumber(profile) ?? -1;
    if (!this.#profiles.has(num)) {
      const bytes = this.#decoded(profile);
      this.#profiles.set(num, bytes && profileComponents(bytes));
    }
    return this.#profiles.get(num) === components ? { components } : undefined;
  }

  #indexedSpace(base: PdfObject, [highest, table]: readonly PdfObject[]): SampleSpace | undefined {
    const space = this.#spaceOf(resolved(base), false);
    const count = (integerOf(highest) ?? -1) + 1;
    const lookup = resolved(table);
    const colors =
      lookup instanceof PdfString ? lookup.bytes : lookup instanceof PdfStream && this.#decoded(lookup);
    if (!space || !colors || count < 1 || count > 256 || colors.length < count * space.components)
      return undefined;
    // A separation is mixed in its alternate space.
    if (nameOf(arrayOf(base)[0]) === "Separation") return undefined;
    return { ...space, palette: { colors: colors.subarray(0, count * space.components), space: base } };
  }

  #decoded(stream: PdfStream): Uint8Array | undefined {
    try {
      return joinBytes([this.#document.objects.decoded(stream)]);
    } catch (error) {
      if (error instanceof UndecodableStream) return undefined;
      throw error;
    }
  }
}
