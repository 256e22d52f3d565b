import type { Size } from "../../picture/size.ts";
import { isLikeJpeg } from "./frame-rows.ts";

/** Whether the browser has returned another format than planes, for a JPEG that has planes. */
let givesNone = false;

/**
 * Decodes a JPEG to its planes, which takes less time than decoding to RGB.
 *
 * @returns a frame that the caller closes, or `undefined` when the browser gives no planes or cannot decode the file
 */
export async function decodeFrame(
  bytes: Uint8Array<ArrayBuffer>,
  size: Size,
): Promise<VideoFrame | undefined> {
  if (givesNone || typeof ImageDecoder === "undefined") return undefined;
  try {
    // A color conversion would give no planes. The caller knows that the colors need none.
    const decoder = new ImageDecoder({ type: "image/jpeg", data: bytes, colorSpaceConversion: "none" });
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
