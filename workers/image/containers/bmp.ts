import { ServiceError } from "../../../src/errors.ts";

/** What a BMP says of itself ([MS-WMF] 2.2.2, and the OS/2 header before it). */
export interface Bmp {
  readonly width: number;
  readonly height: number;
  /** Whether any pixel may be transparent. */
  readonly hasAlpha: boolean;
}

const FILE_HEADER = 14;
const OS2_HEADER = 12;
/** From this length on, a header has a mask for alpha. */
const HEADER_WITH_ALPHA = 56;
const AT = { width: 18, height: 22, bits: 28, alphaMask: 66 };

/**
 * Reads the headers.
 *
 * @throws ServiceError `damaged_file`
 */
export function readBmp(bytes: Uint8Array): Bmp {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const headerBytes = bytes.length < FILE_HEADER + OS2_HEADER ? 0 : view.getUint32(FILE_HEADER, true);
  if (headerBytes < OS2_HEADER || bytes.length < FILE_HEADER + headerBytes)
    throw new ServiceError(
      "damaged_file",
      "The BMP image cannot be read: it breaks off. Try another copy of it.",
    );
  if (headerBytes === OS2_HEADER) {
    return {
      width: view.getUint16(AT.width, true),
      height: view.getUint16(AT.width + 2, true),
      hasAlpha: false,
    };
  }
  return {
    width: Math.abs(view.getInt32(AT.width, true)),
    // Negative where the rows begin at the top.
    height: Math.abs(view.getInt32(AT.height, true)),
    hasAlpha: headerBytes >= HEADER_WITH_ALPHA && view.getUint32(AT.alphaMask, true) !== 0,
  };
}
