import { ServiceError } from "../../../src/shared/errors.ts";
import type { ImageToPdfOptions, Input } from "../../../src/shared/protocol.ts";
import type { Turn } from "../../../src/shared/rotation.ts";
import { CallBudget } from "../../call-budget.ts";
import { lengthOf, withShortRangesHeld } from "../../io/byte-ranges.ts";
import { bytesOf, forgetBytes } from "../../io/file-bytes.ts";
import type { ByteSink } from "../../io/sink.ts";
import { type ByteSource, bufferSource } from "../../io/source.ts";
import type { JobContext } from "../../job-context.ts";
import { type ChosenImage, chooseImages, pixelsIn } from "../choose-images.ts";
import type { SourceImage } from "../formats/codec.ts";
import { decoderOf } from "../formats/codecs.ts";
import type { Size } from "../picture/size.ts";
import { rotatedOrientation } from "../picture/upright.ts";
import { embedDecoded } from "./embed-decoded.ts";
import { embedJpeg } from "./embed-jpeg.ts";
import { embedPng } from "./embed-png.ts";
import { embedStored } from "./embed-stored.ts";
import { type EmbeddedImage, withoutMetadata } from "./embedded-image.ts";
import { ImageDocument } from "./image-document.ts";

/** Larger files are read on demand, so that they are never in memory as a whole. This takes twice the time. */
const LARGEST_READ_AT_ONCE = 64 * 1024 * 1024;

/** The size in pixels of the page of an image that cannot be opened: A4 at the resolution of CSS. */
const UNKNOWN_SIZE: Size = { width: 794, height: 1123 };
const LONGEST_LABEL = 60;

type ToPdfContext = Pick<JobContext<ByteSink>, "open" | "sink" | "report" | "helpers"> & {
  /** That of a call that also makes other PDFs. Default: a budget for the inputs. */
  readonly budget?: CallBudget;
};

/**
 * Makes a PDF with one page per image. JPEG, PNG and faxes go in unchanged where PDF can hold them. Other images are decoded. The
 * page applies the orientation. EXIF and GPS positions are dropped.
 *
 * When one of several images cannot be decoded, its page says so.
 *
 * @throws {ServiceError} `damaged_file`, `input_too_large`, `invalid_page_selection`. For several images: only when
 *   none can be decoded.
 */
export async function imageToPdf(context: ToPdfContext, options: ImageToPdfOptions): Promise<void> {
  const { open, sink, report, helpers } = context;
  const { inputs } = options;
  const budget = context.budget ?? CallBudget.forDecoding(inputs.map(({ file }) => file));
  const isSingle = inputs.length === 1;
  const document = new ImageDocument(sink, options.pageSize ?? "fit");
  let embedded = 0;
  let failure: ServiceError | undefined;
  for (const [index, input] of inputs.entries()) {
    const source = open(input.file);
    for await (const page of pagesOf(input, source, { ...options, helpers, budget })) {
      if (page.kind === "image") {
        await document.addImage(page.strips, source);
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
  | { readonly kind: "image"; readonly strips: readonly EmbeddedImage[] }
  | { readonly kind: "failed"; readonly error: ServiceError; readonly note: string; readonly size: Size }
);

async function* pagesOf(
  input: Input,
  source: ByteSource,
  options: ImageToPdfOptions & { readonly helpers: number; readonly budget: CallBudget },
): AsyncGenerator<ImagePage> {
  const { quality, keepMetadata, helpers, budget } = options;
  // The images of a hostile file share their data.
  const copied = CallBudget.forCopying(input.file.size);
  const embedding = { from: input.format, quality, keepMetadata, helpers };
  let chosen: readonly ChosenImage<SourceImage>[];
  let count: number;
  try {
    const image = await embedAsItIs(input, source, options);
    if (image) {
      // Refuses a selection without the only image.
      const turn = chooseImages(options, [{}])[0]?.turn ?? 0;
      const kept = keepMetadata ? image : withoutMetadata(image);
      yield { kind: "image", strips: rotated([kept], turn), done: 1, total: 1 };
      return;
    }
    const images = await decoderOf(input.format).open(input.file);
    count = images.length;
    chosen = chooseImages(options, images);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    yield { kind: "failed", error: thrown, note: thrown.message, size: UNKNOWN_SIZE, done: 1, total: 1 };
    return;
  }
  // Above a budget, the call ends. A file that cannot be decoded gets a note.
  budget.takePixels(pixelsIn(chosen.filter(({ image }) => image.stored === undefined)));
  for (const [index, { number, image, turn }] of chosen.entries()) {
    const stored = await orError(() => embedStored(image, keepMetadata));
    if (stored === undefined && image.stored !== undefined) budget.takePixels(image.width * image.height);
    if (Array.isArray(stored)) copied.takeBytes(lengthOf(stored.flatMap(({ data }) => data)));
    const strips = stored ?? (await orError(async () => [await embedDecoded(image, embedding)]));
    const progress = { done: index + 1, total: chosen.length };
    if (strips instanceof ServiceError) {
      const note = count === 1 ? strips.message : `Image ${number} of ${count}: ${strips.message}`;
      yield { kind: "failed", error: strips, note, size: image, ...progress };
    } else {
      yield { kind: "image", strips: rotated(strips, turn), ...progress };
    }
  }
}

/** Returns the result of some work, or the error that says why it cannot be done. */
async function orError<Result>(work: () => Promise<Result>): Promise<Result | ServiceError> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ServiceError) return thrown;
    throw thrown;
  }
}

/** Rotates the strips of an image after its orientation. Their data stays the same. */
function rotated(strips: readonly EmbeddedImage[], turn: Turn): readonly EmbeddedImage[] {
  return strips.map((strip) => ({ ...strip, orientation: rotatedOrientation(strip.orientation, turn) }));
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
  if (format !== "jpg" && format !== "png") return undefined;
  try {
    // The markers of a JPEG and the chunks of a PNG are all over the file.
    const held = file.size > LARGEST_READ_AT_ONCE ? undefined : await bytesOf(file);
    const read = held === undefined ? source : bufferSource(held);
    const embedded = format === "jpg" ? embedJpeg(read, keepMetadata) : await embedPng(read, keepMetadata);
    if (embedded === undefined || held === undefined) return embedded;
    return { ...embedded, data: withShortRangesHeld(embedded.data, held) };
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === "damaged_file") return undefined;
    throw thrown;
  }
}
