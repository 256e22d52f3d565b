import { type ConvertParams, ServiceError } from "../../src/index.ts";
import { client } from "./client.ts";
import { passwordField, type TrayFile } from "./tray.ts";

/** Converts a file into a picture to show. */
export async function convertedPicture(params: ConvertParams, signal: AbortSignal): Promise<File> {
  const result = await client.convert(params, { signal });
  const picture = client.blob(result);
  client.release(result);
  return picture;
}

/** A page to draw, and how wide its picture is in pixels. */
interface PageToDraw {
  readonly page: number;
  readonly width: number;
}

/** Draws one page of a PDF. */
export async function pagePicture(
  { file, password }: TrayFile,
  { page, width }: PageToDraw,
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
