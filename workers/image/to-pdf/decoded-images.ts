import type { ImageToPdfOptions } from "../../../src/shared/protocol.ts";
import { release } from "../browser/canvas.ts";
import { decoderOf, encoderOf } from "../formats/by-format.ts";
import type { Decoder, ImageHeader } from "../formats/codec.ts";
import { checkSize, thisDevice } from "../limits.ts";
import { readExif } from "../metadata/exif.ts";
import { allRead } from "../metadata/metadata.ts";
import { uprightMetadata } from "../metadata/upright-metadata.ts";
import { wholeXmp } from "../metadata/xmp.ts";
import { embedLossy, embedPixels } from "./embed-picture.ts";
import { type EmbeddedImage, withoutMetadata } from "./embedded-image.ts";

/** The images of a file that PDF cannot hold as they are. */
export class DecodedImages {
  readonly #file: Blob;
  readonly #decoder: Decoder;
  readonly #images: ImageHeader["images"];
  readonly #options: ImageToPdfOptions;

  readonly #helpers: number;

  private constructor(
    file: Blob,
    decoder: Decoder,
    { images }: ImageHeader,
    options: ImageToPdfOptions,
    helpers: number,
  ) {
    this.#file = file;
    this.#decoder = decoder;
    this.#images = images;
    this.#options = options;
    this.#helpers = helpers;
  }

  /** @throws {ServiceError} `damaged_file`, `unsupported_conversion` */
  static async of(file: Blob, options: ImageToPdfOptions, helpers: number): Promise<DecodedImages> {
    const decoder = decoderOf(options.from);
    return new DecodedImages(file, decoder, await decoder.inspect(file), options, helpers);
  }

  get count(): number {
    return this.#images.length;
  }

  /** The size in pixels of an image, counted from 1. */
  size(number: number): ImageHeader["images"][number] {
    const header = this.#images[number - 1];
    if (header === undefined) throw new Error(`there is no image ${number}`);
    return header;
  }

  /**
   * Decodes an image, counted from 1.
   *
   * @throws {ServiceError} `damaged_file`, `input_too_large`, `out_of_memory`
   */
  async embed(number: number): Promise<EmbeddedImage> {
    const { quality, keepMetadata } = this.#options;
    checkSize(this.size(number), thisDevice());
    const index = number - 1;
    const { exif, xmp, extendedXmp, isXmpTooLong } =
      (await this.#decoder.metadata?.(this.#file, index)) ?? {};
    const facts = {
      resolution: this.size(number).resolution ?? (exif && readExif(exif).resolution),
      xmp: keepMetadata ? wholeXmp(uprightMetadata(allRead({ xmp, extendedXmp, isXmpTooLong }))) : undefined,
    };
    const jpg = encoderOf("jpg");
    const planes = quality !== undefined && jpg.takesPlanes?.(this.size(number), { quality }) === true;
    const picture = await this.#decoder.decode(this.#file, {
      ...{ index, profile: "allow", helpers: this.#helpers },
      ...{ exactAlpha: true, exactValues: quality === undefined, planes },
    });
    try {
      const image =
        quality === undefined || picture.hasAlpha
          ? await embedPixels(picture, facts)
          : await embedLossy(picture, facts, jpg, quality);
      return keepMetadata ? image : withoutMetadata(image);
    } finally {
      release(picture);
    }
  }
}
