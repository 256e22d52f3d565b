import { isDrawable } from "../browser/canvas.ts";
import { canvasReadback } from "../browser/canvas-readback.ts";
import { encodedInTime } from "../browser/encoder-timeout.ts";
import { canvasToEncode } from "../picture/convert-layout.ts";
import type { Picture } from "../picture/picture.ts";

/**
 * Encodes a picture with the browser's encoder.
 *
 * @returns `undefined` when the browser cannot write the type (it then writes a PNG), or would write noise or a blank picture
 * @throws {ServiceError} `internal_error` when the browser does not answer
 */
export async function encodeNatively(
  picture: Picture,
  type: string,
  quality?: number,
): Promise<Blob | undefined> {
  if (!(await canvasReadback("closely")) || !isDrawable(picture)) return undefined;
  const canvas = canvasToEncode(picture);
  const encoding = canvas.convertToBlob({ type, ...(quality !== undefined && { quality }) });
  const blob = await encodedInTime(encoding, picture);
  return blob.type === type ? blob : undefined;
}
