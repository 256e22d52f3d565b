import { ServiceError } from "../../../../src/shared/errors.ts";
import { fromPixelsPerMetre, type Resolution } from "../../metadata/exif.ts";

/** What a BMP says of itself ([MS-WMF] 2.2.2, and OS/2's headers before it). */
export interface Bmp {
  readonly width: number;
  readonly height: number;
  /** Whether any pixel may be transparent. */
  readonly hasAlpha: boolean;
  /** Undefined when the file does not say. */
  readonly resolution: Resolution | undefined;
}

/** How a BMP's pixels are stored. */
export interface BmpLayout {
  readonly width: number;
  readonly height: number;
  readonly isFromTop: boolean;
  /** Of a pixel. */
  readonly bits: number;
  readonly compression: number;
  /** Behind all that tells of them, whatever the file says. */
  readonly pixelsAt: number;
  /** Of a row, where nothing is compressed. */
  readonly rowBytes: number;
  readonly headerBytes: number;
}

const FILE_HEADER = 14;
const OS2_HEADER = 12;
/** From this length on, a header says how values are compressed. */
const HEADER_WITH_COMPRESSION = 20;
/** From this length on, a header says how large pixels are. */
const HEADER_WITH_RESOLUTION = 32;
/** From this length on, a header has a mask for alpha. */
const HEADER_WITH_ALPHA = 56;
/** From this length on, a header says how many colors are in the palette. */
const HEADER_WITH_COLORS = 36;
const INFO_HEADER = 40;
const AT = {
  ...{ pixels: 10, width: 18, height: 22, bits: 28, compression: 30, resolution: 38 },
  ...{ colors: 46, alphaMask: 66 },
};
/** The values are told apart by masks: three, which stand behind a header that has no room for them. */
const BITFIELDS = 3;
/** The values are told apart by masks, that for alpha among them, which stand behind the header where it has none. */
const ALPHA_BITFIELDS = 6;
/** Kinds of compression that are none: plain values, and values by masks. */
const UNCOMPRESSED: readonly number[] = [0, BITFIELDS, ALPHA_BITFIELDS];

/**
 * Reads how the pixels are stored.
 *
 * @throws {ServiceError} `damaged_file`
 */
export function readBmpLayout(bytes: Uint8Array): BmpLayout {
  const view = viewOf(bytes);
  const headerBytes = bytes.length < FILE_HEADER + OS2_HEADER ? 0 : view.getUint32(FILE_HEADER, true);
  if (headerBytes < OS2_HEADER || bytes.length < FILE_HEADER + headerBytes) throw damaged();
  const isOld = headerBytes === OS2_HEADER;
  const width = isOld ? view.getUint16(AT.width, true) : Math.abs(view.getInt32(AT.width, true));
  const signedHeight = isOld ? view.getUint16(AT.width + 2, true) : view.getInt32(AT.height, true);
  const bits = view.getUint16(isOld ? AT.width + 6 : AT.bits, true);
  const compression = headerBytes < HEADER_WITH_COMPRESSION ? 0 : view.getUint32(AT.compression, true);
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  const said = view.getUint32(AT.pixels, true);
  // Some programs leave it 0.
  const isMeant = said >= FILE_HEADER + headerBytes;
  const pixelsAt = isMeant ? said : tablesEnd(view, { headerBytes, bits, compression });
  return {
    ...{ width, height: Math.abs(signedHeight), isFromTop: signedHeight < 0 },
    ...{ bits, compression, pixelsAt, rowBytes, headerBytes },
  };
}

/** Where header, masks and palette end. */
function tablesEnd(
  view: DataView,
  { headerBytes, bits, compression }: Pick<BmpLayout, "headerBytes" | "bits" | "compression">,
): number {
  const maskCount = compression === BITFIELDS ? 3 : compression === ALPHA_BITFIELDS ? 4 : 0;
  const masks = headerBytes === INFO_HEADER ? 4 * maskCount : 0;
  const most = bits > 8 ? 0 : 2 ** bits;
  const named = headerBytes < HEADER_WITH_COLORS ? 0 : view.getUint32(AT.colors, true);
  const colors = Math.min(named === 0 ? most : named, most);
  return FILE_HEADER + headerBytes + masks + (headerBytes === OS2_HEADER ? 3 : 4) * colors;
}

/**
 * Reads the headers, and looks whether the pixels are all there: some browsers make up what is missing.
 *
 * @throws {ServiceError} `damaged_file`
 */
export function readBmp(bytes: Uint8Array): Bmp {
  const view = viewOf(bytes);
  const { width, height, compression, pixelsAt, rowBytes, headerBytes } = readBmpLayout(bytes);
  if (UNCOMPRESSED.includes(compression) && pixelsAt + rowBytes * height > bytes.length) throw damaged();
  const hasMask = headerBytes >= HEADER_WITH_ALPHA || compression === ALPHA_BITFIELDS;
  if (hasMask && bytes.length < AT.alphaMask + 4) throw damaged();
  const hasAlpha = hasMask && view.getUint32(AT.alphaMask, true) !== 0;
  const resolution =
    headerBytes < HEADER_WITH_RESOLUTION
      ? undefined
      : fromPixelsPerMetre(view.getInt32(AT.resolution, true), view.getInt32(AT.resolution + 4, true));
  return { width, height, hasAlpha, resolution };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function damaged(): ServiceError {
  return new ServiceError(
    "damaged_file",
    "The BMP image cannot be read: it breaks off. Try another copy of it.",
  );
}
