import { cmykToSrgb, plainCmykToSrgb } from "../../color/cmyk.ts";
import { pixelPicture } from "../../picture/convert-layout.ts";
import { divideByAlpha } from "../../picture/divide-by-alpha.ts";
import type { PixelPicture } from "../../picture/picture.ts";
import { uprightPixels } from "../../picture/upright.ts";
import type { Decoder } from "../codec.ts";
import { unsupportedKind } from "../image-errors.ts";
import { damagedTiff, TAG } from "./directories.ts";
import { wholeJpeg } from "./jpeg.ts";
import { type Piece, piecesOf } from "./pieces.ts";
import type { TiffImage } from "./read-tiff.ts";
import { COMPRESSION, PHOTOMETRIC } from "./sample-layout.ts";
import { rowBytesOf, unpack } from "./unpack.ts";

/**
 * Decodes an image to upright pixels, as stored. CMYK becomes sRGB.
 *
 * @param jpeg decodes the strips and tiles that are JPEGs
 * @param profile the profile of CMYK
 * @throws {ServiceError} `damaged_file`, `unsupported_conversion` for kinds that are not read
 */
export async function decodePixels(
  image: TiffImage,
  jpeg: Decoder,
  profile: Uint8Array | undefined,
): Promise<PixelPicture> {
  if (image.unsupported !== undefined) throw unsupportedKind("TIFF", image.unsupported);
  const { width, height, compression, photometric, orientation } = image;
  const pixels = new Uint8ClampedArray(4 * width * height);
  const writer = new PixelWriter(image, pixels);
  for (const piece of piecesOf(image)) {
    if (compression === COMPRESSION.jpeg) await drawJpeg(piece, image, jpeg, pixels);
    else writer.draw(piece);
  }
  if (image.alpha === "premultiplied") divideByAlpha(pixels);
  const isCmyk = photometric === PHOTOMETRIC.cmyk;
  const picture = pixelPicture(isCmyk ? await fromCmyk(pixels, profile) : pixels, width, height);
  return uprightPixels(picture, orientation);
}

async function fromCmyk(
  inks: Uint8ClampedArray<ArrayBuffer>,
  profile: Uint8Array | undefined,
): Promise<Uint8ClampedArray<ArrayBuffer>> {
  for (let at = 0; at < inks.length; at++) inks[at] = 255 - (inks[at] ?? 0);
  const converted = profile && (await cmykToSrgb(profile, inks));
  if (converted === undefined) plainCmykToSrgb(inks);
  return converted ?? inks;
}

/** Decodes a strip or a tile that is a JPEG, and copies the part that is inside the image. */
async function drawJpeg(
  piece: Piece,
  image: TiffImage,
  jpeg: Decoder,
  pixels: Uint8ClampedArray,
): Promise<void> {
  const [data = new Uint8Array()] = piece.data;
  const [coded] = await jpeg.open(new Blob([wholeJpeg(data, image)]));
  if (coded?.width !== image.piece.width || coded.height < piece.height || coded.height > image.piece.height)
    throw damagedTiff("a JPEG in it has another size than its header states");
  const decoded = await coded.decoders.pixels?.(0);
  if (decoded === undefined) throw damagedTiff("a JPEG in it cannot be decoded");
  for (let y = 0; y < piece.height; y++) {
    const from = 4 * y * decoded.width;
    const row = decoded.pixels.subarray(from, from + 4 * piece.width);
    pixels.set(row, 4 * ((piece.top + y) * image.width + piece.left));
  }
}

/** Writes the samples of strips and tiles as pixels with 8 bits. */
class PixelWriter {
  readonly #image: TiffImage;
  readonly #pixels: Uint8Array;
  /** The samples of a row, those of a pixel together. */
  readonly #row: Uint8Array;
  /** The opaque pixels of all samples, if one sample is the color. */
  readonly #shades: Uint32Array;

  constructor(image: TiffImage, { buffer }: Uint8ClampedArray<ArrayBuffer>) {
    this.#image = image;
    this.#pixels = new Uint8Array(buffer);
    this.#row = new Uint8Array(Math.min(image.piece.width, image.width) * image.samples);
    this.#shades = new Uint32Array(image.colors === 1 ? shadesOf(image).buffer : []);
  }

  draw({ left, top, width, height, data }: Piece): void {
    const image = this.#image;
    const { samples, isPlanar, colors, alpha } = image;
    const rowBytes = rowBytesOf(image);
    const planes = data.map((coded) => unpack(coded, height, image));
    const row = this.#row.subarray(0, width * samples);
    for (let y = 0; y < height; y++) {
      for (const [plane, bytes] of planes.entries()) {
        const coded = bytes.subarray(y * rowBytes, (y + 1) * rowBytes);
        if (isPlanar) readSamples(coded, image, row, { first: plane, step: samples });
        else readSamples(coded, image, row, { first: 0, step: 1 });
      }
      const start = 4 * ((top + y) * image.width + left);
      const pixels = this.#pixels.subarray(start, start + 4 * width);
      if (colors === 1) this.#writeShades(row, pixels);
      else if (colors === 3) writeRgb(row, samples, pixels);
      else pixels.set(row);
      if (alpha !== "none") writeAlpha(row, samples, pixels);
    }
  }

  #writeShades(row: Uint8Array, { buffer, byteOffset, length }: Uint8Array): void {
    const { samples } = this.#image;
    const shades = this.#shades;
    const pixels = new Uint32Array(buffer, byteOffset, length / 4);
    for (let at = 0, to = 0; to < pixels.length; at += samples)
      pixels[to++] = shades[row[at] as number] as number;
  }
}

function writeRgb(row: Uint8Array, samples: number, pixels: Uint8Array): void {
  for (let at = 0, to = 0; to < pixels.length; at += samples, to += 4) {
    pixels[to] = row[at] as number;
    pixels[to + 1] = row[at + 1] as number;
    pixels[to + 2] = row[at + 2] as number;
    pixels[to + 3] = 255;
  }
}

/** Writes the last samples as alpha. */
function writeAlpha(row: Uint8Array, samples: number, pixels: Uint8Array): void {
  for (let at = samples - 1, to = 3; to < pixels.length; at += samples, to += 4)
    pixels[to] = row[at] as number;
}

/** Where samples go in a row: every `step` from the `first` on. */
interface Places {
  readonly first: number;
  readonly step: number;
}

/** Reads the samples of a row with 8 bits each. Indices of a palette keep their values. */
function readSamples(coded: Uint8Array, image: TiffImage, row: Uint8Array, { first, step }: Places): void {
  const { bits, photometric, directory } = image;
  if (bits === 8 && step === 1) {
    row.set(coded.subarray(0, row.length));
    return;
  }
  if (bits >= 8) {
    const bytes = bits / 8;
    const upper = bits === 16 && directory.file.isLittleEndian ? 1 : 0;
    for (let to = first, at = upper; to < row.length; to += step, at += bytes) row[to] = coded[at] as number;
    return;
  }
  const mask = (1 << bits) - 1;
  const scale = photometric === PHOTOMETRIC.palette ? 1 : 255 / mask;
  for (let to = first, bit = 0; to < row.length; to += step, bit += bits)
    row[to] = (((coded[bit >> 3] as number) >> (8 - bits - (bit & 7))) & mask) * scale;
}

/** Returns the opaque pixels of the values of gray or of a palette. */
function shadesOf({ photometric, bits, directory }: TiffImage): Uint8Array<ArrayBuffer> {
  const shades = new Uint8Array(4 * 256).fill(255);
  const isPalette = photometric === PHOTOMETRIC.palette;
  const count = isPalette ? 2 ** bits : 256;
  // A file has all values of red, then all of green, then all of blue.
  const palette = isPalette ? directory.numbers(TAG.ColorMap, 3 * count) : [];
  if (isPalette && palette.length < 3 * count) throw damagedTiff("its palette is too short");
  // Some programs write values of 8 bits.
  const shift = palette.some((value) => value > 255) ? 8 : 0;
  for (let value = 0; value < count; value++) {
    const gray = photometric === PHOTOMETRIC.whiteIsZero ? 255 - value : value;
    for (let color = 0; color < 3; color++)
      shades[4 * value + color] = isPalette ? (palette[color * count + value] ?? 0) >> shift : gray;
  }
  return shades;
}
