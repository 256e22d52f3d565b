import type { InspectImageOptions, Inspection } from "../../src/shared/protocol.ts";
import type { JobContext } from "../job-context.ts";
import { decoderOf } from "./formats/codecs.ts";

/** The images whose sizes are returned, as for the pages of a PDF. */
const MOST_SIZES = 100;

/**
 * Returns what the headers of an image file say. Decodes nothing.
 *
 * @throws {ServiceError} `damaged_file`, `unsupported_input`
 */
export async function inspectImage(
  { file }: Pick<JobContext, "file">,
  { from }: InspectImageOptions,
): Promise<{ readonly value: Inspection }> {
  const images = await decoderOf(from).open(file);
  const sizes = images.slice(0, MOST_SIZES).map(({ shown: { width, height } }) => ({ width, height }));
  return { value: { format: from, size: file.size, images: images.length, page_sizes: sizes } };
}
