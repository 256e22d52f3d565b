const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** How stored pixels are rotated and mirrored to be upright: the values of the TIFF tag Orientation (Exif 3.0, 4.6). */
export type Orientation = (typeof ORIENTATIONS)[number];

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
}

const NOTHING: Exif = { orientation: 1, resolution: undefined };

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
  pixelXDimension: 0xa002,
  pixelYDimension: 0xa003,
};
const TYPE = { short: 3, long: 4, rational: 5 };
/** The length of a directory entry: tag, type, count, and a value or its offset. */
const ENTRY_BYTES = 12;
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

/** Returns the orientation of a value of the tag. Other values mean upright. */
export function orientationOf(value: number | undefined): Orientation {
  return ORIENTATIONS.find((one) => one === value) ?? 1;
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
  const orientation = short(TAG.orientation);
  const perUnit = unit === UNIT.centimeters ? CENTIMETERS_PER_INCH : 1;
  const resolution = { x: rational(TAG.xResolution) * perUnit, y: rational(TAG.yResolution) * perUnit };
  return {
    orientation: orientationOf(orientation),
    resolution: unit !== UNIT.none && plausible(resolution) ? resolution : undefined,
  };
}

/**
 * Returns a copy of an EXIF block for upright pixels of that size, without the signature of JPEG segments. Drops the
 * link to the thumbnail, which is not upright.
 */
export function uprightExif(block: Uint8Array, { width, height }: PixelSize): Uint8Array {
  const copy = withoutExifSignature(block).slice();
  const tiff = openTiff(copy);
  if (tiff === undefined) return copy;
  const { view, little, fields, end } = tiff;
  const inner = innerDirectory(tiff, TAG.exif);
  const write = (field: Field | undefined, value: number) => {
    if (field?.count !== 1) return;
    if (field.type === TYPE.short) view.setUint16(field.at, value, little);
    if (field.type === TYPE.long) view.setUint32(field.at, value, little);
  };
  write(fields.get(TAG.orientation), 1);
  write(fields.get(TAG.imageWidth), width);
  write(fields.get(TAG.imageLength), height);
  write(inner.get(TAG.pixelXDimension), width);
  write(inner.get(TAG.pixelYDimension), height);
  // The next directory is that of the thumbnail.
  if (end + 4 <= view.byteLength) view.setUint32(end, 0, little);
  return copy;
}

/** The fields of a directory by tag, and the offset of its end. */
interface Directory {
  readonly fields: ReadonlyMap<number, Field>;
  readonly end: number;
}

/** A TIFF header and its first directory. */
interface Tiff extends Directory {
  readonly view: DataView;
  readonly little: boolean;
}

function openTiff(block: Uint8Array): Tiff | undefined {
  const tiff = withoutExifSignature(block);
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  if (view.byteLength < 8) return undefined;
  const order = view.getUint16(0);
  const little = order === 0x4949;
  if ((!little && order !== 0x4d4d) || view.getUint16(2, little) !== 42) return undefined;
  return { view, little, ...directoryAt(view, view.getUint32(4, little), little) };
}

/** Returns the directory that a field points to. It is empty if there is none. */
function innerDirectory({ view, little, fields }: Tiff, tag: number): ReadonlyMap<number, Field> {
  const pointer = fields.get(tag);
  if (pointer?.type !== TYPE.long) return new Map();
  return directoryAt(view, view.getUint32(pointer.at, little), little).fields;
}

/** Returns a block without the signature of JPEG segments. Some files of other formats have the signature, too. */
export function withoutExifSignature(block: Uint8Array): Uint8Array {
  const isSigned = SIGNATURE.every((byte, index) => block[index] === byte);
  return isSigned ? block.subarray(SIGNATURE.length) : block;
}

/** Reads a directory. The first field of a tag counts. Fields beyond the end of the block are left out. */
function directoryAt(view: DataView, start: number, little: boolean): Directory {
  const fields = new Map<number, Field>();
  if (start + 2 > view.byteLength) return { fields, end: view.byteLength };
  const end = start + 2 + ENTRY_BYTES * view.getUint16(start, little);
  for (let at = start + 2; at + ENTRY_BYTES <= Math.min(end, view.byteLength); at += ENTRY_BYTES) {
    const tag = view.getUint16(at, little);
    if (fields.has(tag)) continue;
    fields.set(tag, {
      type: view.getUint16(at + 2, little),
      count: view.getUint32(at + 4, little),
      at: at + VALUE_AT,
    });
  }
  return { fields, end };
}
