import { bytesOf } from "../io/file-bytes.ts";
import { helperPool } from "../parallel/helper-pool.ts";
import { TaskQueue } from "../parallel/task-queue.ts";
import { taskServer } from "../parallel/task-server.ts";
import { type CompressedImage, compressImage, type ImageTask } from "./compress-image.ts";

/** An image to compress, and where its data is in the file. */
export interface FileImage {
  readonly task: ImageTask;
  readonly start: number;
  readonly end: number;
}

/** What a helper needs to compress images of a file that is not encrypted. */
export interface ImagesRequest {
  readonly file: Blob;
  /** Undefined for an image that stays as it is. */
  readonly images: readonly (FileImage | undefined)[];
}

/** The result for an image. A helper that returns none would be lost. */
export interface ImageResult {
  /** Undefined for an image that stays as it is. */
  readonly made: CompressedImage | undefined;
}

/** With fewer pixels, all images are compressed before a helper has started. */
const WORTH_HELP_PIXELS = 4_000_000;

/**
 * Returns a queue that compresses images, by their index, in this worker and in helpers.
 *
 * @param helpers the number of other workers that may help
 * @param work compresses an image in this worker
 */
export function imageQueue(
  request: ImagesRequest,
  helpers: number,
  work: (index: number) => Promise<ImageResult>,
): TaskQueue<number, ImageResult> {
  const pixels = request.images.reduce(
    (sum, image) => sum + (image ? image.task.width * image.task.height : 0),
    0,
  );
  const count = pixels >= WORTH_HELP_PIXELS ? helpers : 0;
  return new TaskQueue({ work, helpers: helperPool.lease({ count, kind: "pdf/images", request }) });
}

/** Compresses images for another worker. */
export async function serveImages({ file, images }: ImagesRequest, port: MessagePort): Promise<void> {
  try {
    await taskServer<number, ImageResult>(
      port,
      async (index) => {
        const image = images[index];
        if (image === undefined) return { made: undefined };
        return { made: await compressImage(image.task, await bytesOf(file.slice(image.start, image.end))) };
      },
      ({ made }) => (made ? [made.bytes.buffer] : []),
    );
  } finally {
    port.close();
  }
}
