import type { Report } from "../../src/shared/throttled-report.ts";
import type { CallBudget } from "../call-budget.ts";
import type { Size } from "../image/picture/size.ts";
import type { ByteSink } from "../io/sink.ts";
import { objectNumber } from "../pdf/content/resource-scope.ts";
import type { CopiedStream, ObjectCopier } from "../pdf/copy/copier.ts";
import type { PdfDocument } from "../pdf/file/document.ts";
import type { FileWriter } from "../pdf/file/file-writer.ts";
import { dataLength, PdfDict, PdfName, type PdfObject, type PdfStream } from "../pdf/syntax/objects.ts";
import { codedImage } from "./coded-image.ts";
import { type CompressedImage, compressImage } from "./compress-image.ts";
import type { DrawnSize } from "./drawn-sizes.ts";
import { ImageReader, type PdfImage } from "./pdf-image.ts";
import type { StreamRecoder } from "./recode-streams.ts";

/** How far images are compressed. */
export interface ImageSettings {
  /** The most pixels per inch where an image is drawn largest. */
  readonly dpi: number;
  /** The quality of JPEGs, from 0 to 1. */
  readonly quality: number;
}

/** A document to write compressed. */
export interface CompressedDocument {
  readonly document: PdfDocument;
  /** The largest size of each image that pages draw, by object number. */
  readonly sizes: ReadonlyMap<number, DrawnSize>;
  readonly settings: ImageSettings;
  readonly sink: ByteSink;
  readonly budget: CallBudget;
  readonly report: Report;
}

/** An image replaces the old one if it has at most this share of its bytes: each encoding loses some quality. */
const WORTHWHILE = 0.9;
const POINTS_PER_INCH = 72;

/** An image that is written later. */
interface TakenImage {
  readonly num: number;
  readonly stream: PdfStream;
  readonly dict: PdfDict;
}

/** The images of a document. They are written when all else is, one after the other, so that few are in memory. */
export class DocumentImages {
  readonly #task: CompressedDocument;
  readonly #recoder: StreamRecoder;
  readonly #reader: ImageReader;
  readonly #taken: TakenImage[] = [];
  /** The object numbers of soft masks in the document. */
  readonly #masks = new Set<number>();

  constructor(task: CompressedDocument, recoder: StreamRecoder) {
    this.#task = task;
    this.#recoder = recoder;
    this.#reader = new ImageReader(task.document);
  }

  /** Takes a stream if it is an image. */
  takes({ num, stream, dict }: CopiedStream): boolean {
    if (!stream.dict.is("Subtype", "Image")) return false;
    const mask = stream.dict.reference("SMask");
    if (mask) this.#masks.add(mask.num);
    this.#taken.push({ num, stream, dict: dict() });
    return true;
  }

  /** Writes the images that were taken. */
  async write(writer: FileWriter, copier: ObjectCopier): Promise<void> {
    const sizes = this.#sizesIn(copier);
    const total = this.#taken.reduce((sum, { stream }) => sum + dataLength(stream.data), 0);
    let done = 0;
    for (const { num, stream, dict } of this.#taken) {
      const image = this.#reader.read(stream);
      const made = image && (await this.#compressed(stream, image, sizes.get(num)));
      if (image && made) {
        const space = image.palette && copier.map(image.palette.space, "names");
        writer.stream(num, 0, dictOf(made, image, dict, space), { kind: "memory", bytes: made.bytes });
      } else this.#writeUnchanged(writer, { num, stream, dict });
      if (writer.backpressure) await writer.drain();
      done += dataLength(stream.data);
      this.#task.report("working", done, total);
    }
  }

  /** Returns the sizes by the numbers of the output. Equal images are one, and have the largest of their sizes. */
  #sizesIn(copier: ObjectCopier): ReadonlyMap<number, DrawnSize> {
    const taken = new Set(this.#taken.map(({ num }) => num));
    const sizes = new Map<number, DrawnSize>();
    for (const [old, num] of copier.copied) {
      if (!taken.has(num)) continue;
      // What no page draws has no size.
      const size = this.#task.sizes.get(old) ?? { width: Infinity, height: Infinity };
      const known = sizes.get(num) ?? size;
      const width = Math.max(known.width, size.width);
      sizes.set(num, { width, height: Math.max(known.height, size.height) });
    }
    return sizes;
  }

  /** Returns a compressed image; undefined if the image stays as it is. */
  async #compressed(
    stream: PdfStream,
    image: PdfImage,
    drawn: DrawnSize | undefined,
  ): Promise<CompressedImage | undefined> {
    const { document, settings, budget } = this.#task;
    const coded = codedImage(document, stream, image);
    if (!coded) return undefined;
    budget.takePixels(image.width * image.height);
    const made = await compressImage({
      ...image,
      coded,
      colors: image.palette?.colors,
      to: drawn ? targetSize(image, drawn, settings.dpi) : image,
      quality: settings.quality,
      staysExact: this.#masks.has(objectNumber(stream) ?? -1),
    });
    return made && made.bytes.length <= WORTHWHILE * dataLength(stream.data) ? made : undefined;
  }

  #writeUnchanged(writer: FileWriter, { num, stream, dict }: TakenImage): void {
    const written = this.#recoder.deflated(stream);
    if (written !== stream) {
      for (const key of ["Filter", "DecodeParms"]) {
        const value = written.dict.get(key);
        if (value === undefined) dict.delete(key);
        else dict.set(key, value);
      }
    }
    writer.stream(num, 0, dict, written.data, this.#task.document.decryptor?.streamCipher(written));
  }
}

/** Returns the size of an image that has at most so many pixels per inch where it is drawn largest. */
function targetSize({ width, height }: Size, drawn: DrawnSize, dpi: number): Size {
  const pixels = (points: number) => (points / POINTS_PER_INCH) * dpi;
  const factor = Math.min(1, Math.max(pixels(drawn.width) / width, pixels(drawn.height) / height));
  const scaled = (length: number) => Math.max(1, Math.round(length * factor));
  return { width: scaled(width), height: scaled(height) };
}

/**
 * Returns the dictionary of a compressed image.
 *
 * @param dict the dictionary of the image in the output
 * @param space the color space of an image that was indexed
 */
function dictOf(
  { kind, width, height }: CompressedImage,
  { components }: PdfImage,
  dict: PdfDict,
  space: PdfObject | undefined,
): PdfDict {
  const made = dict.clone();
  made.set("Width", width);
  made.set("Height", height);
  made.set("BitsPerComponent", 8);
  made.set("Filter", PdfName.of(kind === "jpeg" ? "DCTDecode" : "FlateDecode"));
  made.delete("DecodeParms");
  if (space !== undefined) made.set("ColorSpace", space);
  if (kind === "flate") {
    const parameters = { Predictor: 15, Colors: components, Columns: width };
    made.set("DecodeParms", PdfDict.from(Object.entries(parameters)));
  }
  return made;
}
