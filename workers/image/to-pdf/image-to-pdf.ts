import { ServiceError } from "../../../src/shared/errors.ts";
import type { ImageToPdfOptions, Input } from "../../../src/shared/protocol.ts";
import { withShortRangesHeld } from "../../io/byte-ranges.ts";
import { forgetBytes } from "../../io/file-bytes.ts";
import { type ByteSource, bufferSource } from "../../io/source.ts";
import type { JobContext, StreamContext } from "../../job-context.ts";
import { chooseImages } from "../choose-images.ts";
import { allRead } from "../metadata/metadata.ts";
import type { Size } from "../picture/size.ts";
import { DecodedImages } from "./decoded-images.ts";
import { embedJpeg } from "./embed-jpeg.ts";
import { embedPng } from "./embed-png.ts";
import { type EmbeddedImage, withoutMetadata } from "./embedded-image.ts";
import { ImageDocument } from "./image-document.ts";
import { isScattered, joinedInPlace } from "./scattered-png.ts";

/** Larger files are read on demand, so that they are never in memory as a whole. */
const LARGEST_READ_AT_ONCE = 64 * 1024 * 1024;

/** The size in pixels of the page of an image that cannot be opened: A4 at the resolution of CSS. */
const UNKNOWN_SIZE: Size = { width: 794, height: 1123 };
const LONGEST_LABEL = 60;

type ToPdfContext = Pick<StreamContext, "sink" | "report"> & Pick<JobContext, "open" | "helpers">;

/**
 * Makes a PDF with one page per image. JPEG and PNG go in unchanged where PDF can hold them. Other images are decoded. The
 * page applies the orientation. EXIF and GPS positions are dropped.
 *
 * When one of several images cannot be decoded, its page says so.
 *
 * @throws {ServiceError} `damaged_file`, `input_too_large`, `invalid_page_selection`. For several images: only when
 *   none can be decoded.
 */
export async function imageToPdf(
  { open, sink, report, helpers }: ToPdfContext,
  options: ImageToPdfOptions,
): Promise<void> {
  const { inputs } = options;
  const isSingle = inputs.length === 1;
  const document = new ImageDocument(sink, options.pageSize ?? "fit");
  let embedded = 0;
  let failure: ServiceError | undefined;
  for (const [index, input] of inputs.entries()) {
    const source = open(input.file);
    for await (const page of pagesOf(input, source, options, helpers)) {
      if (page.kind === "image") {
        await document.addImage(page.image, source);
        embedded++;
      } else {
        const name = isSingle ? "" : `${input.name.slice(0, LONGEST_LABEL)}: `;
        document.addNote(name + page.note, page.size);
        failure ??= page.error;
      }
      if (isSingle) report("working", page.done, page.total);
    }
    if (!isSingle) report("working", index + 1, inputs.length);
    // The job holds all files to its end. Later files need the memory.
    source.release?.();
    forgetBytes(input.file);
  }
  if (embedded === 0 && failure) throw failure;
  await document.end();
}

/** An image of a file, or why it cannot be embedded. `done` of `total` images of the file are then processed. */
type ImagePage = { readonly done: number; readonly total: number } & (
  | { readonly kind: "image"; readonly image: EmbeddedImage }
  | { readonly kind: "failed"; readonly error: ServiceError; readonly note: string; readonly size: Size }
);

async function* pagesOf(
  input: Input,
  source: ByteSource,
  options: ImageToPdfOptions,
  helpers: number,
): AsyncGenerator<ImagePage> {
  let images: DecodedImages;
  let chosen: readonly number[];
  try {
    const image = await embedAsItIs(input, source, options);
    if (image) {
      chooseImages(options.pages, [{}]);
      const kept = options.keepMetadata ? allRead(image) : withoutMetadata(image);
      yield { kind: "image", image: kept, done: 1, total: 1 };
      return;
    }
    images = await DecodedImages.of(input, options, helpers);
    chosen = images.choose(options.pages);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    yield { kind: "failed", error: thrown, note: thrown.message, size: UNKNOWN_SIZE, done: 1, total: 1 };
    return;
  }
  for (const [index, number] of chosen.entries()) {
    const progress = { done: index + 1, total: chosen.length };
    try {
      yield { kind: "image", image: await images.embed(number), ...progress };
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) throw thrown;
      const note =
        images.count === 1 ? thrown.message : `Image ${number} of ${images.count}: ${thrown.message}`;
      yield { kind: "failed", error: thrown, note, size: images.size(number), ...progress };
    }
  }
}

/**
 * Returns the image unchanged, if PDF can hold it. Returns `undefined` for a damaged file, which the decoder may
 * repair.
 */
async function embedAsItIs(
  { file, format }: Input,
  source: ByteSource,
  { keepMetadata = false }: ImageToPdfOptions,
): Promise<EmbeddedImage | undefined> {
  try {
    if (format === "jpg") {
      // Reading a JPEG searches the whole file for markers.
      const held = await readAtOnce(file);
      if (held === undefined) return embedJpeg(source, keepMetadata);
      const embedded = embedJpeg(bufferSource(held), keepMetadata);
      return embedded && { ...embedded, data: withShortRangesHeld(embedded.data, held) };
    }
    if (format !== "png") return undefined;
    const held = isScattered(source) ? await readAtOnce(file) : undefined;
    if (held === undefined) return await embedPng(source);
    const embedded = await embedPng(bufferSource(held));
    return embedded && joinedInPlace(embedded, held);
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === "damaged_file") return undefined;
    throw thrown;
  }
}

/**
 * Reads a whole file, in half the time of reading on demand. Returns `undefined` for a file that is too large or that
 * cannot be read. Reading it on demand reports the error then.
 */
async function readAtOnce(file: Blob): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (file.size > LARGEST_READ_AT_ONCE) return undefined;
  const buffer = await file.arrayBuffer().catch(() => undefined);
  return buffer && new Uint8Array(buffer);
}
