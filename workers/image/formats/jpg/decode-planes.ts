import type { Size } from "../../picture/size.ts";
import { isLikeJpeg } from "./frame-rows.ts";

/** Whether the browser has once given something else for what could have been planes. */
let givesNone = false;

/**
 * Decodes a JPEG of luma and chroma to just these, which takes less time than making red, green and blue of them.
 *
 * @returns a frame, to be closed; nothing where the browser cannot, or the file: who decodes it otherwise finds out
 */
export async function decodePlanes(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  size: Size,
): Promise<VideoFrame | undefined> {
  if (givesNone || typeof ImageDecoder === "undefined") return undefined;
  try {
    // Converted colors would not be planes; who asks for these knows that they are to stay as they are.
    const decoder = new ImageDecoder({ type, data: bytes, colorSpaceConversion: "none" });
    try {
      const { image } = await decoder.decode();
      if (isLikeJpeg(image, size)) return image;
      givesNone = true;
      image.close();
    } finally {
      decoder.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof DOMException)) throw thrown;
  }
  return undefined;
}
