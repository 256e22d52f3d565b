import { fromPixelsPerMeter, type Resolution } from "../../metadata/exif.ts";
import type { Size } from "../../picture/size.ts";
import { damagedImage } from "../image-errors.ts";

/** The headers of a BMP ([MS-WMF] 2.2.2, and the older headers of OS/2). */
export interface Bmp extends BmpLayout {
  /** Whether any pixel may be transparent. */
  readonly hasAlpha: boolean;
  /** Undefined when the file does not say. */
  readonly resolution: Resolution | undefined;
}

/** How a BMP's pixels are stored. */
interface BmpLayout extends Size {
  /** Bits per pixel. */
  readonly bits: number;
  readonly compression: number;
  /** The offset of the pixels. At least the end of headers, masks and palette, whatever the file says. */
  readonly pixelsAt: number;
  /** The length of an uncompressed row. */
  readonly rowBytes: number;
  readonly headerBytes: number;
}

const FILE_HEADER = 14;
const OS2_HEADER = 12;
/** The shortest header that states a compression. */
const HEADER_WITH_COMPRESSION = 20;
/** The shortest header that states a resolution. */
const HEADER_WITH_RESOLUTION = 32;
/** The shortest header with a mask for alpha. */
const HEADER_WITH_ALPHA = 56;
/** The shortest header that states the number of colors in the palette. */
const HEADER_WITH_COLORS = 36;
const INFO_HEADER = 40;
const AT = {
  ...{ pixels: 10, width: 18, height: 22, bits: 28, compression: 30, resolution: 38 },
  ...{ colors: 46, alphaMask: 66 },
};
/** BI_BITFIELDS: three masks separate the components. They follow a header that has no fields for them. */
const BITFIELDS = 3;
/** BI_ALPHABITFIELDS: four masks, one of them for alpha. They follow a header that has no fields for them. */
const ALPHA_BITFIELDS = 6;
/** The values of `compression` for uncompressed pixels. */
const UNCOMPRESSED: readonly number[] = [0, BITFIELDS, ALPHA_BITFIELDS];

/**
 * Reads the layout of the pixels.
 *
 * @throws {ServiceError} `damaged_file`
 */
function readBmpLayout(bytes: Uint8Array): BmpLayout {
  const view = viewOf(bytes);
  const headerBytes = bytes.length < FILE_HEADER + OS2_HEADER ? 0 : view.getUint32(FILE_HEADER, true);
  if (headerBytes < OS2_HEADER || bytes.length < FILE_HEADER + headerBytes) throw damaged();
  const isOld = headerBytes === OS2_HEADER;
  const width = isOld ? view.getUint16(AT.width, true) : Math.abs(view.getInt32(AT.width, true));
  const signedHeight = isOld ? view.getUint16(AT.width + 2, true) : view.getInt32(AT.height, true);
  const bits = view.getUint16(isOld ? AT.width + 6 : AT.bits, true);
  const compression = headerBytes < HEADER_WITH_COMPRESSION ? 0 : view.getUint32(AT.compression, true);
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  const statedOffset = view.getUint32(AT.pixels, true);
  // Some programs write 0.
  const isPlausible = statedOffset >= FILE_HEADER + headerBytes;
  const pixelsAt = isPlausible ? statedOffset : tablesEnd(view, { headerBytes, bits, compression });
  return {
    ...{ width, height: Math.abs(signedHeight) },
    ...{ bits, compression, pixelsAt, rowBytes, headerBytes },
  };
}

/** The values of `compression` that few decoders read ([MS-WMF] 2.1.1.7). */
const RARE_COMPRESSIONS: Readonly<Record<number, string>> = {
  4: "embedded JPEG",
  5: "embedded PNG",
  11: "CMYK",
  12: "CMYK",
  13: "CMYK",
};
/** The same values in the second header of OS/2. */
const OS2_COMPRESSIONS: Readonly<Record<number, string>> = { 3: "Huffman 1D", 4: "RLE24" };
const SECOND_OS2_HEADER = 64;

/** Returns the name of a kind of BMP that few decoders read. Returns undefined for the usual kinds. */
export function rareKind({ bits, compression, headerBytes }: Bmp): string | undefined {
  const rare = headerBytes === SECOND_OS2_HEADER ? OS2_COMPRESSIONS : RARE_COMPRESSIONS;
  return rare[compression] ?? (bits > 32 ? `${bits}-bit` : undefined);
}

/** Returns the end of headers, masks and palette. */
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
 * Reads the headers and checks that all pixels are there, because some browsers invent missing pixels.
 *
 * @throws {ServiceError} `damaged_file`
 */
export function readBmp(bytes: Uint8Array): Bmp {
  const view = viewOf(bytes);
  const layout = readBmpLayout(bytes);
  const { height, compression, pixelsAt, rowBytes, headerBytes } = layout;
  if (UNCOMPRESSED.includes(compression) && pixelsAt + rowBytes * height > bytes.length) throw damaged();
  const hasMask = headerBytes >= HEADER_WITH_ALPHA || compression === ALPHA_BITFIELDS;
  if (hasMask && bytes.length < AT.alphaMask + 4) throw damaged();
  const hasAlpha = hasMask && view.getUint32(AT.alphaMask, true) !== 0;
  const resolution =
    headerBytes < HEADER_WITH_RESOLUTION
      ? undefined
      : fromPixelsPerMeter(view.getInt32(AT.resolution, true), view.getInt32(AT.resolution + 4, true));
  return { ...layout, hasAlpha, resolution };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

const damaged = () => damagedImage("BMP", "it breaks off");
