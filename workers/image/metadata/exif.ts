/** How stored pixels are rotated and mirrored to be upright: the values of the TIFF tag Orientation (Exif 3.0, 4.6). */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Pixels per inch, horizontally and vertically, of the stored pixels. */
export interface Resolution {
  readonly x: number;
  readonly y: number;
}

/** The width and the height of a picture. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The parts of an EXIF block that Stayput uses. */
export interface Exif {
  /** 1 (upright) by default. */
  readonly orientation: Orientation;
  readonly resolution: Resolution | undefined;
  /** Whether the block has a GPS position. */
  readonly hasPosition: boolean;
}

const NOTHING: Exif = { orientation: 1, resolution: undefined, hasPosition: false };

/** `Exif` and two zero bytes. */
const SIGNATURE = [0x45, 0x78, 0x69, 0x66, 0, 0];
const TAG = {
  imageWidth: 0x0100,
  imageLength: 0x0101,
  orientation: 0x0112,
  xResolution: 0x011a,
  yResolution: 0x011b,
  unit: 0x0128,
  exif: 0x8769,
  gps: 0x8825,
  pixelXDimension: 0xa002,
  pixelYDimension: 0xa003,
};
const TYPE = { byte: 1, short: 3, long: 4, rational: 5, signedByte: 6, signedShort: 8, signedLong: 9 };
/** The length of a directory entry: tag, type, count, and a value or its offset. */
export const ENTRY_BYTES = 12;
/** The offset of the value in an entry. */
const VALUE_AT = 8;
/**
 * The unit of a resolution. Inches by default. Without a unit, the resolution states the aspect ratio of a pixel only.
 */
const UNIT = { none: 1, centimeters: 3 };
const CENTIMETERS_PER_INCH = 2.54;
const METERS_PER_INCH = 0.0254;

/**
 * The range of plausible pixels per inch. Lower values are mostly 1, written by default. Higher values are usual
 * values with swapped bytes.
 */
const LOWEST_RESOLUTION = 10;
const HIGHEST_RESOLUTION = 10_000;

/** A field of an image file directory: its type, and the offset of its value or of the value's offset. */
interface Field {
  readonly type: number;
  readonly count: number;
  readonly at: number;
}

/** Whether a resolution is plausible. */
export function plausible(resolution: Resolution): boolean {
  const { x, y } = resolution;
  return Math.min(x, y) >= LOWEST_RESOLUTION && Math.max(x, y) <= HIGHEST_RESOLUTION;
}

/** Returns a plausible resolution from pixels per meter, horizontally and vertically. */
export function fromPixelsPerMeter(across: number, down: number): Resolution | undefined {
  const resolution = { x: perInch(across), y: perInch(down) };
  return plausible(resolution) ? resolution : undefined;
}

/** Rounds to a whole number where the format cannot store it exactly: 300 per inch is not a whole number per meter. */
function perInch(perMeter: number): number {
  const exact = perMeter * METERS_PER_INCH;
  const whole = Math.round(exact);
  return Math.abs(exact - whole) < METERS_PER_INCH ? whole : exact;
}

/**
 * Reads an EXIF block: a TIFF header and its first directory, in either byte order, with or without `Exif\0\0` before
 * it. Damaged parts count as absent, because metadata must not stop a conversion.
 */
export function readExif(block: Uint8Array): Exif {
  const tiff = openTiff(block);
  if (tiff === undefined) return NOTHING;
  const { view, little, fields } = tiff;

  const short = (tag: number): number | undefined => {
    const field = fields.get(tag);
    return field?.type === TYPE.short && field.count === 1 ? view.getUint16(field.at, little) : undefined;
  };
  const rational = (tag: number): number => {
    const field = fields.get(tag);
    if (field?.type !== TYPE.rational || field.count !== 1) return 0;
    const at = view.getUint32(field.at, little);
    if (at + 8 > view.byteLength) return 0;
    return view.getUint32(at, little) / (view.getUint32(at + 4, little) || 1);
  };

  const unit = short(TAG.unit);
  const perUnit = unit === UNIT.centimeters ? CENTIMETERS_PER_INCH : 1;
  const resolution = { x: rational(TAG.xResolution) * perUnit, y: rational(TAG.yResolution) * perUnit };
  return {
    orientation: orientationIn(tiff),
    resolution: unit !== UNIT.none && plausible(resolution) ? resolution : undefined,
    hasPosition: innerDirectory(tiff, TAG.gps).size > 0,
  };
}

/** Writes a size into the fields of an EXIF block that state the size of the picture, in place (Exif 3.0, 4.6). */
export function writePixelSize(block: Uint8Array, { width, height }: PixelSize): void {
  const tiff = openTiff(block);
  if (tiff === undefined) return;
  const { view, little, fields } = tiff;
  const inner = innerDirectory(tiff, TAG.exif);
  const write = (field: Field | undefined, length: number) => {
    if (field?.count !== 1) return;
    if (field.type === TYPE.short) view.setUint16(field.at, length, little);
    if (field.type === TYPE.long) view.setUint32(field.at, length, little);
  };
  write(fields.get(TAG.imageWidth), width);
  write(fields.get(TAG.imageLength), height);
  write(inner.get(TAG.pixelXDimension), width);
  write(inner.get(TAG.pixelYDimension), height);
}

/**
 * Returns the block with its orientation as a short number (Exif 3.0, 4.6), because browsers ignore other types, which
 * other programs accept. Returns `undefined` when the orientation is a short number already, or is 1.
 */
export function withPlainOrientation(block: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const tiff = openTiff(block);
  const field = tiff?.fields.get(TAG.orientation);
  if (tiff === undefined || field === undefined || field.type === TYPE.short) return undefined;
  const orientation = orientationIn(tiff);
  if (orientation === 1) return undefined;
  const copy = block.slice();
  const view = new DataView(copy.buffer, tiff.view.byteOffset - block.byteOffset);
  writeOrientation(view, field.at - VALUE_AT, tiff.little, orientation);
  return copy;
}

/** Whether the directory entry at `at` is the orientation. */
export function isOrientation(view: DataView, at: number, little: boolean): boolean {
  return view.getUint16(at, little) === TAG.orientation;
}

/** Writes an orientation into the directory entry at `at`. */
export function writeOrientation(
  view: DataView,
  at: number,
  little: boolean,
  orientation: Orientation,
): void {
  view.setUint16(at + 2, TYPE.short, little);
  view.setUint32(at + 4, 1, little);
  view.setUint32(at + VALUE_AT, 0, little);
  view.setUint16(at + VALUE_AT, orientation, little);
}

/** A TIFF header and its first directory. */
interface Tiff {
  readonly view: DataView;
  readonly little: boolean;
  readonly fields: ReadonlyMap<number, Field>;
}

function openTiff(block: Uint8Array): Tiff | undefined {
  const tiff = withoutExifSignature(block);
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  if (view.byteLength < 8) return undefined;
  const order = view.getUint16(0);
  const little = order === 0x4949;
  if ((!little && order !== 0x4d4d) || view.getUint16(2, little) !== 42) return undefined;
  return { view, little, fields: directoryAt(view, view.getUint32(4, little), little) };
}

/** Returns the directory that a field points to. It is empty if there is none. */
function innerDirectory({ view, little, fields }: Tiff, tag: number): ReadonlyMap<number, Field> {
  const pointer = fields.get(tag);
  if (pointer?.type !== TYPE.long) return new Map();
  return directoryAt(view, view.getUint32(pointer.at, little), little);
}

/** Reads a whole number of any type. Some programs write the orientation as a long number. */
function orientationIn({ view, little, fields }: Tiff): Orientation {
  const field = fields.get(TAG.orientation);
  if (field?.count !== 1) return 1;
  switch (field.type) {
    case TYPE.byte:
    case TYPE.signedByte:
      return orientationOf(view.getUint8(field.at));
    case TYPE.short:
    case TYPE.signedShort:
      return orientationOf(view.getUint16(field.at, little));
    case TYPE.long:
    case TYPE.signedLong:
      return orientationOf(view.getUint32(field.at, little));
    default:
      return 1;
  }
}

/** Returns a block without the signature of JPEG segments. Some files of other formats have the signature, too. */
export function withoutExifSignature(block: Uint8Array): Uint8Array {
  const isSigned = SIGNATURE.every((byte, index) => block[index] === byte);
  return isSigned ? block.subarray(SIGNATURE.length) : block;
}

/** Returns the fields of a directory by tag. The first field of a tag counts. Fields beyond the end are left out. */
function directoryAt(view: DataView, start: number, little: boolean): Map<number, Field> {
  const fields = new Map<number, Field>();
  if (start + 2 > view.byteLength) return fields;
  const count = view.getUint16(start, little);
  for (let index = 0; index < count; index++) {
    const at = start + 2 + index * ENTRY_BYTES;
    if (at + ENTRY_BYTES > view.byteLength) break;
    const tag = view.getUint16(at, little);
    if (fields.has(tag)) continue;
    fields.set(tag, {
      type: view.getUint16(at + 2, little),
      count: view.getUint32(at + 4, little),
      at: at + VALUE_AT,
    });
  }
  return fields;
}

function orientationOf(value: number): Orientation {
  switch (value) {
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
      return value;
    default:
      return 1;
  }
}
