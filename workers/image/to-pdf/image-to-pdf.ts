import { ServiceError } from "../../../src/shared/errors.ts";
import {
  flattenPages,
  parsePageSelection,
  resolvePageSelection,
} from "../../../src/shared/page-selection.ts";
import type { ImageToPdfOptions } from "../../../src/shared/protocol.ts";
import { withShortRangesHeld } from "../../io/byte-ranges.ts";
import { type ByteSource, bufferSource } from "../../io/source.ts";
import type { JobContext, Report, StreamContext } from "../../job-context.ts";
import { allRead } from "../metadata/metadata.ts";
import { DecodedImages } from "./decoded-images.ts";
import { embedJpeg } from "./embed-jpeg.ts";
import { embedPng } from "./embed-png.ts";
import { type EmbeddedImage, withoutMetadata } from "./embedded-image.ts";
import { ImageDocument } from "./image-document.ts";
import { isScattered, joinedInPlace } from "./scattered-png.ts";

/** Larger files are read on demand, so that they are never in memory as a whole. */
const LARGEST_READ_AT_ONCE = 64 * 1024 * 1024;

/**
 * Makes a PDF with one page per image of a file. JPEG and PNG go in unchanged where PDF can hold them. Other images
 * are decoded. The page applies the orientation. EXIF and GPS positions are dropped.
 *
 * When one of several images cannot be decoded, its page says so.
 *
 * @throws {ServiceError} `damaged_file`, `input_too_large`, `invalid_page_selection`. For several images: only when
 *   none can be decoded.
 */
export async function imageToPdf(
  { file, source, sink, report, helpers }: StreamContext & Pick<JobContext, "file" | "helpers">,
  options: ImageToPdfOptions,
): Promise<void> {
  const selection = options.pages === undefined ? undefined : parsePageSelection(options.pages);
  const document = new ImageDocument(source, sink, options.pageSize ?? "fit");
  const embedded = await embedAsItIs(file, source, options);
  if (embedded) {
    if (selection) resolvePageSelection(selection, 1);
    await document.addImage(options.keepMetadata ? allRead(embedded) : withoutMetadata(embedded));
    report("working", 1, 1);
  } else {
    const images = await DecodedImages.of(file, options, helpers);
    const chosen = selection
      ? flattenPages(resolvePageSelection(selection, images.count))
      : Array.from({ length: images.count }, (_, index) => index + 1);
    await addDecoded(document, images, chosen, report);
  }
  await document.end();
}

async function addDecoded(
  document: ImageDocument,
  images: DecodedImages,
  chosen: readonly number[],
  report: Report,
): Promise<void> {
  let failure: ServiceError | undefined;
  let decoded = 0;
  for (const [index, number] of chosen.entries()) {
    try {
      await document.addImage(await images.embed(number));
      decoded++;
    } catch (thrown) {
      if (!(thrown instanceof ServiceError) || chosen.length === 1) throw thrown;
      failure ??= thrown;
      document.addNote(`Image ${number} of ${images.count}: ${thrown.message}`, images.size(number));
    }
    report("working", index + 1, chosen.length);
  }
  if (decoded === 0 && failure) throw failure;
}

/**
 * Returns the image unchanged, if PDF can hold it. Returns `undefined` for a damaged file, which the decoder may
 * repair.
 */
async function embedAsItIs(
  file: Blob,
  source: ByteSource,
  { from, keepMetadata = false }: ImageToPdfOptions,
): Promise<EmbeddedImage | undefined> {
  try {
    if (from === "jpg") {
      // Reading a JPEG searches the whole file for markers.
      const held = await readAtOnce(file);
      if (held === undefined) return embedJpeg(source, keepMetadata);
      const embedded = embedJpeg(bufferSource(held), keepMetadata);
      return embedded && { ...embedded, data: withShortRangesHeld(embedded.data, held) };
    }
    if (from !== "png") return undefined;
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
