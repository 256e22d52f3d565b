import type { Report } from "../../src/shared/throttled-report.ts";
import type { CallBudget } from "../call-budget.ts";
import type { Size } from "../image/picture/size.ts";
import { concatBytes } from "../io/concat-bytes.ts";
import type { ByteSink } from "../io/sink.ts";
import { mapOrdered } from "../parallel/map-tasks.ts";
import type { CopiedStream, ObjectCopier } from "../pdf/copy/copier.ts";
import type { PdfDocument } from "../pdf/file/document.ts";
import type { FileWriter } from "../pdf/file/file-writer.ts";
import { dataLength, PdfDict, PdfName, type PdfObject, type PdfStream } from "../pdf/syntax/objects.ts";
import { codingOf } from "./coded-image.ts";
import { type CompressedImage, compressImage, type ImageTask } from "./compress-image.ts";
import type { DrawnSize } from "./drawn-sizes.ts";
import { imageQueue } from "./image-queue.ts";
import { ImageReader, type PdfImage } from "./pdf-image.ts";
import type { StreamRecoder } from "./recode-streams.ts";
import type { UnusedResources } from "./unused-resources.ts";

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
  readonly unused: UnusedResources;
  readonly settings: ImageSettings;
  readonly sink: ByteSink;
  /** The file that the document is in. */
  readonly file: Blob;
  /** The number of other workers that may help. */
  readonly helpers: number;
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

/** An image, and how it is compressed. It stays as it is without a task. */
interface PlannedImage {
  readonly taken: TakenImage;
  readonly image?: PdfImage;
  readonly task?: ImageTask;
}

/** The images of a document. They are written when all else is, in order, so that few are in memory. */
export class DocumentImages {
  readonly #task: CompressedDocument;
  readonly #recoder: StreamRecoder;
  readonly #reader: ImageReader;
  readonly #taken: TakenImage[] = [];
  /** The numbers of soft masks in the output. */
  readonly #masks = new Set<number>();

  constructor(task: CompressedDocument, recoder: StreamRecoder) {
    this.#task = task;
    this.#recoder = recoder;
    this.#reader = new ImageReader(task.document);
  }

  /** Takes a stream if it is an image. */
  takes({ num, stream, dict }: CopiedStream): boolean {
    if (!stream.dict.is("Subtype", "Image")) return false;
    const copy = dict();
    const mask = copy.reference("SMask");
    if (mask) this.#masks.add(mask.num);
    this.#taken.push({ num, stream, dict: copy });
    return true;
  }

  /** Writes the images that were taken. */
  async write(writer: FileWriter, copier: ObjectCopier): Promise<void> {
    const { document, file, helpers, report } = this.#task;
    const sizes = this.#sizesIn(copier);
    const planned = this.#taken.map((taken) => this.#plan(taken, sizes.get(taken.num)));
    const images = planned.map(({ task, taken: { stream } }) => {
      const { data } = stream;
      return task && data.kind === "file" ? { task, start: data.start, end: data.end } : undefined;
    });
    // Helpers read the file, and know no keys.
    const isReadable = !document.decryptor && !document.isRebuilt;
    const queue = imageQueue({ file, images }, isReadable ? helpers : 0, async (index) => {
      const { task, taken } = planned[index] ?? {};
      if (!task || !taken) return { made: undefined };
      return { made: await compressImage(task, concatBytes([document.objects.decrypted(taken.stream)])) };
    });
    const total = this.#taken.reduce((sum, { stream }) => sum + dataLength(stream.data), 0);
    let done = 0;
    try {
      for await (const [index, { made }] of mapOrdered(queue, [...planned.keys()])) {
        const image = planned[index];
        if (!image) continue;
        this.#write(image, made, writer, copier);
        if (writer.backpressure) await writer.drain();
        done += dataLength(image.taken.stream.data);
        report("working", done, total);
      }
    } finally {
      await queue.close();
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

  /** Returns what becomes of an image. Without a task, it stays as it is. */
  #plan(taken: TakenImage, drawn: DrawnSize | undefined): PlannedImage {
    const { settings, budget } = this.#task;
    const { stream } = taken;
    const image = this.#reader.read(stream);
    const coding = image && codingOf(stream.dict, image);
    if (!image || !coding) return { taken };
    const { width, height, components, bits, palette } = image;
    budget.takePixels(width * height);
    const task = {
      ...{ width, height, components, bits, coding, colors: palette?.colors },
      to: drawn ? targetSize(image, drawn, settings.dpi) : { width, height },
      quality: settings.quality,
      staysExact: this.#masks.has(taken.num),
    };
    return { taken, image, task };
  }

  #write(
    { taken, image }: PlannedImage,
    made: CompressedImage | undefined,
    writer: FileWriter,
    copier: ObjectCopier,
  ): void {
    const kept = this.#recoder.deflated(taken.stream);
    if (!image || !made || made.bytes.length > WORTHWHILE * dataLength(kept.data)) {
      this.#writeUnchanged(writer, taken, kept);
      return;
    }
    const space = image.palette && copier.map(image.palette.space, "names");
    const dict = dictOf(made, image, taken.dict, space);
    writer.stream(taken.num, 0, dict, { kind: "memory", bytes: made.bytes });
  }

  #writeUnchanged(writer: FileWriter, { num, stream, dict }: TakenImage, written: PdfStream): void {
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
  const atMost = (pixels: number, points: number) =>
    Math.min(pixels, Math.max(1, Math.round((points / POINTS_PER_INCH) * dpi)));
  return { width: atMost(width, drawn.width), height: atMost(height, drawn.height) };
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
