import { type ConvertParams, ServiceError } from "../../src/index.ts";
import { client } from "./client.ts";
import { isShownByBrowsers } from "./formats.ts";
import { passwordField, type TrayFile } from "./tray.ts";

/** Converts a file into a picture to show. */
export async function convertedPicture(params: ConvertParams, signal: AbortSignal): Promise<File> {
  const result = await client.convert(params, { signal });
  const picture = client.blob(result);
  client.release(result);
  return picture;
}

/** The longest side of the picture that stands for a file that browsers do not show. */
const STAND_IN_SIDE = 4096;

/** How wide the first page of a document is drawn, in pixels. */
const PAGE_WIDTH = 1600;

/** Returns a file as a picture that browsers show: a document as its first page, and any other file as its first picture. */
export async function screenPicture(file: TrayFile, signal: AbortSignal): Promise<Blob | undefined> {
  const { format, images = 1 } = file.inspection.peek() ?? {};
  if (format === "pdf") return pagePicture(file, { page: 1, width: PAGE_WIDTH }, signal);
  if (isShownByBrowsers(format)) return file.file;
  const side = { max_width: STAND_IN_SIDE, max_height: STAND_IN_SIDE };
  const first = images > 1 ? { pages: "1" } : {};
  return convertedPicture({ file: file.file, output_format: "png", ...side, ...first }, signal);
}

/** Draws one page of a PDF, so many pixels wide. */
export async function pagePicture(
  { file, password }: TrayFile,
  { page, width }: { readonly page: number; readonly width: number },
  signal: AbortSignal,
): Promise<Blob | undefined> {
  const params = { file, pages: String(page), width, ...passwordField(password.peek()) };
  for await (const { blob } of client.renderPages(params, { signal })) return blob;
  return undefined;
}

/**
 * Draws a picture that may need the network. Returns `undefined` for one that cannot be drawn, or is no longer wanted.
 *
 * @param signal aborted when it is no longer wanted
 */
export async function pictureOrOffline(
  draw: () => Promise<Blob | undefined>,
  signal: AbortSignal,
): Promise<Blob | "offline" | undefined> {
  try {
    return await draw();
  } catch (error) {
    if (error instanceof ServiceError) return error.code === "offline" ? "offline" : undefined;
    if (!signal.aborted) throw error;
    return undefined;
  }
}
