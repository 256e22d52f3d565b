import type { FormatId } from "../../../src/shared/formats.ts";
import type { ImageToPdfOptions, Input } from "../../../src/shared/protocol.ts";
import { chooseImages } from "../choose-images.ts";
import { decoderOf, encoderOf } from "../formats/by-format.ts";
import type { Encoder, EncoderTraits, ImageHeader, SourceImage } from "../formats/codec.ts";
import { readExif } from "../metadata/exif.ts";
import { allRead } from "../metadata/metadata.ts";
import { uprightMetadata } from "../metadata/upright-metadata.ts";
import { wholeXmp } from "../metadata/xmp.ts";
import { release } from "../picture/convert-layout.ts";
import { checkSize, thisDevice } from "../picture/limits.ts";
import { decodedPicture } from "../picture/picture.ts";
import { planConversion } from "../plan.ts";
import { embedLossy, embedPixels } from "./embed-picture.ts";
import { type EmbeddedImage, withoutMetadata } from "./embedded-image.ts";

/** The options that all images share. */
type EmbeddingOptions = Pick<ImageToPdfOptions, "quality" | "keepMetadata">;

/** The images of a file that PDF cannot hold unchanged. */
export class DecodedImages {
  readonly #images: readonly SourceImage[];
  readonly #from: FormatId;
  readonly #options: EmbeddingOptions;
  readonly #helpers: number;
  readonly #jpg = encoderOf("jpg");

  private constructor(
    images: readonly SourceImage[],
    from: FormatId,
    options: EmbeddingOptions,
    helpers: number,
  ) {
    this.#images = images;
    this.#from = from;
    this.#options = options;
    this.#helpers = helpers;
  }

  /** @throws {ServiceError} `damaged_file`, `unsupported_conversion` */
  static async of(
    { file, format }: Input,
    options: EmbeddingOptions,
    helpers: number,
  ): Promise<DecodedImages> {
    return new DecodedImages(await decoderOf(format).open(file), format, options, helpers);
  }

  get count(): number {
    return this.#images.length;
  }

  /** Returns the numbers of the images that a page selection names. */
  choose(pages: string | undefined): readonly number[] {
    return chooseImages(pages, this.#images);
  }

  /** Returns the header of an image, counted from 1. */
  size(number: number): ImageHeader {
    return this.#image(number);
  }

  /**
   * Decodes an image, counted from 1.
   *
   * @throws {ServiceError} `damaged_file`, `input_too_large`, `out_of_memory`
   */
  async embed(number: number): Promise<EmbeddedImage> {
    const { quality, keepMetadata } = this.#options;
    const image = this.#image(number);
    checkSize(image, thisDevice());
    const { exif, xmp, extendedXmp, isXmpTooLong } = (await image.metadata?.()) ?? {};
    const facts = {
      resolution: image.resolution ?? (exif && readExif(exif).resolution),
      xmp: keepMetadata
        ? wholeXmp(uprightMetadata(allRead({ xmp, extendedXmp, isXmpTooLong }), image.shown))
        : undefined,
    };
    const { layouts, colors, fidelity } = planConversion(image, pdfTraits(this.#jpg), {
      from: this.#from,
      to: "pdf",
      quality,
    });
    const picture = decodedPicture(await image.decode({ layouts, colors, fidelity, helpers: this.#helpers }));
    try {
      const made =
        quality === undefined || picture.hasAlpha
          ? await embedPixels(picture, facts)
          : await embedLossy(picture, facts, this.#jpg, quality);
      return keepMetadata ? made : withoutMetadata(made);
    } finally {
      release(picture);
    }
  }

  #image(number: number): SourceImage {
    const image = this.#images[number - 1];
    if (image === undefined) throw new Error(`there is no image ${number}`);
    return image;
  }
}

/**
 * Describes a PDF as an encoder. Without a quality, it takes exact values. With a quality, it takes what a JPEG takes.
 * Alpha goes into a mask and stays exact.
 */
function pdfTraits(jpg: Encoder): EncoderTraits {
  return {
    alpha: true,
    colorLabels: "icc",
    accepts: (image, quality) =>
      quality === undefined
        ? { layouts: ["bitmap", "rgba"], fidelity: "exact" }
        : { ...jpg.accepts(image, quality), fidelity: "alpha" },
  };
}
