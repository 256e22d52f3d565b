import { ServiceError } from "../../src/index.ts";
import { client } from "./client.ts";
import { kindOf } from "./formats.ts";
import { savesData } from "./offline.ts";
import { type TrayFile, trayFiles } from "./tray.ts";

/** The longest side of a thumbnail, in pixels of the screen. */
const SIDE = 96;

/** The work on thumbnails, one after another: what the user starts must not wait for pictures. */
let queue: Promise<void> = Promise.resolve();

/** Makes the thumbnail of a file. Where the browser cannot, the file has none. */
export function makeThumbnail(file: TrayFile): Promise<void> {
  if (savesData() || file.thumbnail.peek() !== undefined) return Promise.resolve();
  queue = queue.then(async () => {
    if (!trayFiles.peek().includes(file)) return;
    const picture = await pictureOf(file);
    if (picture !== undefined) file.thumbnail.value = URL.createObjectURL(picture);
  });
  return queue;
}

/** Frees the thumbnail of a file that is gone for good. */
export function dropThumbnail({ thumbnail }: TrayFile): void {
  const url = thumbnail.peek();
  if (url !== undefined) URL.revokeObjectURL(url);
  thumbnail.value = undefined;
}

async function pictureOf(file: TrayFile): Promise<Blob | undefined> {
  const { format } = file.inspection.peek() ?? {};
  switch (format && kindOf(format)) {
    case "image":
      return scaledImage(file.file);
    case "pdf":
      return firstPage(file);
    default:
      return undefined;
  }
}

/** Returns a small version of an image, or nothing when the browser cannot decode it. */
async function scaledImage(file: File): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file).catch((error: unknown) => {
    if (error instanceof DOMException) return undefined;
    throw error;
  });
  if (bitmap === undefined) return undefined;
  const scale = Math.min(1, (SIDE * devicePixelRatio) / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  const context = canvas.getContext("2d");
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.convertToBlob();
}

/** Returns a picture of the first page, or nothing when it cannot be drawn. The task will report an error of the file. */
async function firstPage({ file, inspection, password }: TrayFile): Promise<Blob | undefined> {
  const { width = 1, height = 1 } = inspection.peek()?.page_sizes?.[0] ?? {};
  const pixels = Math.ceil((SIDE * devicePixelRatio * width) / Math.max(width, height));
  const opened = password.peek() === "" ? {} : { password: password.peek() };
  try {
    for await (const { blob } of client.renderPages({ file, pages: "1", width: pixels, ...opened }))
      return blob;
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
