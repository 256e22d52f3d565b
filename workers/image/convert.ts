import { ServiceError } from "../../src/shared/errors.ts";
import type { FormatId } from "../../src/shared/formats.ts";
import { flattenPages, parsePageSelection, resolvePageSelection } from "../../src/shared/page-selection.ts";
import type { ConvertImageOptions } from "../../src/shared/protocol.ts";
import type { ZipEntry } from "../archive/zip.ts";
import { letPartsGo } from "../io/file-bytes.ts";
import type { EngineOutput, JobContext } from "../job-context.ts";
import { release } from "./browser/canvas.ts";
import { isColor } from "./color/css-color.ts";
import { neutralProfile } from "./color/neutral-profile.ts";
import { encodeToSize } from "./encoding/encode-to-size.ts";
import { decoderOf, encoderOf } from "./formats/by-format.ts";
import type { Decoder, Encoder, ImageHeader } from "./formats/codec.ts";
import { checkSize, thisDevice } from "./limits.ts";
import { allRead, type Metadata } from "./metadata/metadata.ts";
import { uprightMetadata } from "./metadata/upright-metadata.ts";
import { flattened } from "./picture/flatten-alpha.ts";
import type { Picture } from "./picture/picture.ts";

type ConvertContext = Pick<JobContext, "file" | "report" | "helpers">;

/**
 * Converts the images of a file. What the file says beside the pixels is left behind unless it is asked for; its
 * colors and its orientation become the picture's own.
 *
 * Of several images, one that cannot be converted does not end the others: the archive then says so in a text file
 * in its place.
 *
 * @throws {ServiceError} `damaged_file`, `input_too_large`, `invalid_parameter`, `invalid_page_selection`; of several
 *   images, only when none can be converted
 */
export async function convertImage(
  { file, report, helpers }: ConvertContext,
  options: ConvertImageOptions,
): Promise<Exclude<EngineOutput, void>> {
  const decoder = decoderOf(options.from);
  const encoder = encoderOf(options.to);
  const { pages, background } = options;
  const selection = pages === undefined ? undefined : parsePageSelection(pages);
  if (background !== undefined && !isColor(background)) throw noColor();
  if (options.keepMetadata && encoder.withMetadata === undefined) throw carriesNoMetadata(options.to);

  const { images } = await decoder.inspect(file);
  const chosen = selection
    ? flattenPages(resolvePageSelection(selection, images.length))
    : [...images.keys()].map((index) => index + 1);
  const [only] = chosen;
  const job = { file, decoder, encoder, options, helpers };
  if (chosen.length === 1 && only !== undefined) {
    const content = await convertOne(job, images, only);
    report("working", 1, 1);
    return content;
  }
  return convertAll(job, images, chosen, report);
}

interface Job {
  readonly file: Blob;
  readonly decoder: Decoder;
  readonly encoder: Encoder;
  readonly options: ConvertImageOptions;
  readonly helpers: number;
}

async function* convertAll(
  job: Job,
  images: ImageHeader["images"],
  chosen: readonly number[],
  report: JobContext["report"],
): AsyncGenerator<ZipEntry> {
  const { name, to } = job.options;
  const digits = String(images.length).length;
  let converted = 0;
  let failure: ServiceError | undefined;
  for (const [index, number] of chosen.entries()) {
    const label = `${name}-${String(number).padStart(digits, "0")}`;
    try {
      const content = await convertOne(job, images, number);
      letPartsGo(content);
      converted++;
      yield { name: `${label}.${to}`, content };
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) throw thrown;
      failure ??= thrown;
      yield { name: `${label}.failed.txt`, content: new Blob([`${thrown.message} (${thrown.code})\n`]) };
    }
    report("working", index + 1, chosen.length);
  }
  if (converted === 0 && failure !== undefined) throw failure;
}

async function convertOne(job: Job, images: ImageHeader["images"], number: number): Promise<Blob> {
  const { file, decoder, encoder, options, helpers } = job;
  const { quality, maxBytes, background = "white", keepMetadata = false } = options;
  const index = number - 1;
  const header = images[index];
  if (header === undefined) throw new Error(`there is no image ${number}`);
  checkSize(header, thisDevice(), encoder.longestSide);
  const profile = encoder.withMetadata === undefined ? "convert" : keepMetadata ? "keep" : "allow";
  const stored = options.from === options.to && quality === undefined;
  const decoded = await decoder.decode(file, {
    ...{ index, profile, helpers, stored },
    exactAlpha: encoder.alpha && header.hasAlpha,
    exactValues: encoder.keepsValues?.(header, { quality }) === true,
    pngColors: encoder.pngColors === true,
    planes: encoder.takesPlanes?.(header, { quality }) === true,
  });
  const picture = encoder.alpha || !decoded.hasAlpha ? decoded : await flattened(decoded, background);
  try {
    const metadata = await metadataOf(job, index, picture);
    // To make a Blob of what is encoded, and another of that with metadata, takes its time.
    if (maxBytes === undefined && picture.stored === undefined && !isEmpty(metadata)) {
      const bytes = await encoder.toBytes?.(picture, { quality, helpers });
      if (bytes !== undefined && encoder.withMetadata) return await encoder.withMetadata(bytes, metadata);
    }
    const finish = (encoded: Blob) => withMetadata(encoder, encoded, metadata);
    const sparing = picture.stored ? unlessAsked(encoder, picture.stored) : encoder;
    if (maxBytes !== undefined)
      return await encodeToSize(sparing, picture, { quality, maxBytes, helpers }, finish);
    return await finish(await sparing.encode(picture, { quality, helpers }));
  } finally {
    release(picture);
  }
}

/**
 * Returns the metadata of the output. Unless the caller keeps metadata, rebuilds the profile so that it
 * identifies nothing.
 */
async function metadataOf(
  { file, decoder, options }: Job,
  index: number,
  { icc, pngColors }: Pick<Picture, "icc" | "pngColors">,
): Promise<Metadata> {
  if (!options.keepMetadata) return { icc: icc && neutralProfile(icc), pngColors };
  const kept = allRead((await decoder.metadata?.(file, index)) ?? {});
  return uprightMetadata({ ...kept, icc, pngColors });
}

/** An encoder of a picture that takes the file's own coding of it, unless a quality is asked for. */
function unlessAsked(encoder: Encoder, stored: Blob): Encoder {
  return {
    ...encoder,
    encode: async (picture, options) =>
      options.quality === undefined ? stored : encoder.encode(picture, options),
  };
}

async function withMetadata(encoder: Encoder, encoded: Blob, metadata: Metadata): Promise<Blob> {
  return isEmpty(metadata) ? encoded : ((await encoder.withMetadata?.(encoded, metadata)) ?? encoded);
}

function isEmpty(metadata: Metadata): boolean {
  return Object.values(metadata).every((part) => part === undefined);
}

function noColor(): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    'The field "background" must be a color of CSS, as white, #ff8800 or rgb(255 136 0).',
    { parameter: "background" },
  );
}

function carriesNoMetadata(format: FormatId): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    `Stayput writes no metadata into ${format.toUpperCase()}: leave keep_metadata out, or take JPG, PNG or WebP.`,
    { parameter: "keep_metadata" },
  );
}
