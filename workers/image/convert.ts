import { ServiceError } from "../../src/shared/errors.ts";
import type { FormatId } from "../../src/shared/formats.ts";
import type { ConvertImageOptions } from "../../src/shared/protocol.ts";
import type { ZipEntry } from "../archive/zip.ts";
import { CallBudget } from "../call-budget.ts";
import { forgetBytes } from "../io/file-bytes.ts";
import type { FileOutput, JobContext } from "../job-context.ts";
import { invalidBackground, isColor } from "./browser/css-color.ts";
import { thisBrowser } from "./browser-traits.ts";
import { type ChosenImage, chooseImages, pixelsIn } from "./choose-images.ts";
import { neutralProfile } from "./color/neutral-profile.ts";
import { type Decision, decide } from "./decide.ts";
import { decodeImage } from "./decode.ts";
import { encodeToSize, withMetadata } from "./encode-to-size.ts";
import type { Encoder, SourceImage } from "./formats/codec.ts";
import { decoderOf, encoderOf } from "./formats/codecs.ts";
import { asBlob, type EncodedImage, numberedName } from "./formats/encoded-image.ts";
import { allRead, type Metadata, uprightMetadata } from "./metadata/metadata.ts";
import { release, toPixels } from "./picture/convert-layout.ts";
import { flattenAlpha } from "./picture/flatten-alpha.ts";
import { checkDecoding, checkEncoding, thisDevice } from "./picture/limits.ts";
import type { Picture } from "./picture/picture.ts";
import { resizePicture } from "./picture/resize.ts";
import { fittingSize } from "./picture/size.ts";
import { rotatedImage } from "./rotate.ts";

type ConvertContext = Pick<JobContext, "file" | "report" | "helpers">;

/**
 * Converts the images of a file. Drops metadata unless the caller keeps it. Applies orientation and colors to the
 * pixels.
 *
 * When one of several images cannot be converted, the archive holds a text file in its place that says why.
 *
 * @throws {ServiceError} `damaged_file`, `input_too_large`, `invalid_parameter`, `invalid_page_selection`. For several
 *   images: only when none can be converted.
 */
export async function convertImage(
  { file, report, helpers }: ConvertContext,
  options: ConvertImageOptions,
): Promise<Exclude<FileOutput, void>> {
  const { from, to, background, keepMetadata } = options;
  const decoder = decoderOf(from);
  const encoder = encoderOf(to);
  if (background !== undefined && !isColor(background)) throw invalidBackground();
  if (keepMetadata && !encoder.metadata) throw carriesNoMetadata(to);

  const images = await decoder.open(file);
  const chosen = chooseImages(options, images);
  CallBudget.forDecoding([file]).takePixels(pixelsIn(chosen));
  const job: ImageJob = { count: images.length, encoder, options, helpers };
  const [only] = chosen;
  if (chosen.length === 1 && only !== undefined) {
    const content = await convertOne(job, rotatedImage(only.image, only.turn));
    report("working", 1, 1);
    return asBlob(content, to);
  }
  return convertAll(job, chosen, report);
}

/** How the images of one file are converted. */
interface ImageJob {
  readonly count: number;
  readonly encoder: Encoder;
  readonly options: ConvertImageOptions;
  readonly helpers: number;
}

/** Converts several images. Yields the entries of a zip archive. */
async function* convertAll(
  job: ImageJob,
  chosen: readonly ChosenImage<SourceImage>[],
  report: JobContext["report"],
): AsyncGenerator<ZipEntry> {
  const { name, to } = job.options;
  let converted = 0;
  let failure: ServiceError | undefined;
  for (const [index, { number, image, turn }] of chosen.entries()) {
    const named = (extension: string) => numberedName(name, number, job.count, extension);
    try {
      const content = await convertOne(job, rotatedImage(image, turn));
      if (content instanceof Blob) forgetBytes(content);
      converted++;
      yield { name: named(to), content };
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) throw thrown;
      failure ??= thrown;
      yield { name: named("failed.txt"), content: new Blob([`${thrown.message} (${thrown.code})\n`]) };
    }
    report("working", index + 1, chosen.length);
  }
  if (converted === 0 && failure !== undefined) throw failure;
}

/** Converts an image: decide, decode, fit, encode. */
async function convertOne(
  { encoder, options, helpers }: Omit<ImageJob, "count">,
  image: SourceImage,
): Promise<EncodedImage> {
  const { quality, maxBytes, background = "white" } = options;
  const fitting = fittingSize(image.shown, options);
  const output = { ...fitting, hasAlpha: image.hasAlpha };
  checkEncoding(output, options.to, thisDevice(), encoder.longestSide);
  checkDecoding(image, options.from, thisDevice());
  const decision = decide(image, encoder, options, await thisBrowser(image.color));
  const decoded = await decodeImage(image, decision, helpers);
  const fit = await fitted(decoded, decision, background);
  const picture = encoder.takesPixels ? toPixels(fit) : fit;
  try {
    const metadata = await metadataOf(image, picture.icc, options);
    const copied = decision.copies ? await copyOf(image, encoder, options) : undefined;
    return await encodeToSize(encoder, picture, { quality, maxBytes, metadata, copied });
  } finally {
    release(picture);
  }
}

/** Makes a picture smaller and puts a background behind it, as decided. */
async function fitted(picture: Picture, decision: Decision, background: string): Promise<Picture> {
  const { smaller, keepsPlanes, flattensAlpha } = decision;
  const resized = smaller ? await resizePicture(picture, smaller, keepsPlanes) : picture;
  return flattensAlpha && resized.hasAlpha ? flattenAlpha(resized, background) : resized;
}

/** Returns a file with the coded data of the image, in the colors of the file. */
async function copyOf(
  image: SourceImage,
  encoder: Encoder,
  options: Pick<ConvertImageOptions, "keepMetadata">,
): Promise<EncodedImage | undefined> {
  const coded = await image.coded?.();
  return coded && withMetadata(encoder, coded.data, await metadataOf(image, coded.icc, options));
}

/**
 * Returns the metadata of the output. Unless the caller keeps metadata, rebuilds the profile so that it
 * identifies nothing.
 *
 * @param icc the profile of the values in the output
 */
async function metadataOf(
  image: SourceImage,
  icc: Uint8Array | undefined,
  { keepMetadata = false }: Pick<ConvertImageOptions, "keepMetadata">,
): Promise<Metadata> {
  if (!keepMetadata) return { icc: icc && neutralProfile(icc) };
  const kept = allRead((await image.metadata?.()) ?? {});
  return uprightMetadata({ ...kept, icc }, image.shown);
}

function carriesNoMetadata(format: FormatId): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    `Stayput writes no metadata into ${format.toUpperCase()}: leave keep_metadata out, or choose JPG, PNG, WebP or PDF.`,
    { parameter: "keep_metadata" },
  );
}
