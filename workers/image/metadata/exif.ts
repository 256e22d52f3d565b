/** How the stored pixels have to be turned to stand upright: the values of TIFF's Orientation (Exif 3.0, 4.6). */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Pixels per inch, across and down the stored pixels. */
export interface Resolution {
  readonly x: number;
  readonly y: number;
}

/** What Stayput uses of an EXIF block. */
export interface Exif {
  /** 1, upright, when the block does not say. */
  readonly orientation: Orientation;
  readonly resolution: Resolution | undefined;
  /** Whether the block tells where the picture was taken. */
  readonly hasPosition: boolean;
}

const NOTHING: Exif = { orientation: 1, resolution: undefined, hasPosition: false };

/** `Exif` and two zeros. */
const SIGNATURE = [0x45, 0x78, 0x69, 0x66, 0, 0];
const TAG = { orientation: 0x0112, xResolution: 0x011a, yResolution: 0x011b, unit: 0x0128, gps: 0x8825 };
const TYPE = { byte: 1, short: 3, long: 4, rational: 5, signedByte: 6, signedShort: 8, signedLong: 9 };
/** How long an entry of a directory is: tag, type, count, and a value or where it stands. */
export const ENTRY_BYTES = 12;
/** Where in an entry its value is. */
const VALUE_AT = 8;
/** What a resolution counts by; inches where nothing is said. Without a unit it tells the shape of a pixel only. */
const UNIT = { none: 1, centimeters: 3 };
const CENTIMETRES_PER_INCH = 2.54;
const METRES_PER_INCH = 0.0254;

/**
 * Pixels per inch that can be meant. What is less is 1 as a rule, written where nothing was meant; what is more, the
 * usual values with their bytes the other way around.
 */
const LOWEST_RESOLUTION = 10;
const HIGHEST_RESOLUTION = 10_000;

/** A field of an image file directory: its type, and where its value or the value's offset stands. */
interface Field {
  readonly type: number;
  readonly count: number;
  readonly at: number;
}

/** Whether a resolution can be meant, and is not the nonsense of a broken header. */
export function plausible(resolution: Resolution): boolean {
  const { x, y } = resolution;
  return Math.min(x, y) >= LOWEST_RESOLUTION && Math.max(x, y) <= HIGHEST_RESOLUTION;
}

/** The resolution that is given in pixels per meter, across and down, when it can be meant. */
export function fromPixelsPerMetre(across: number, down: number): Resolution | undefined {
  const resolution = { x: perInch(across), y: perInch(down) };
  return plausible(resolution) ? resolution : undefined;
}

/** A whole number where the next whole number of pixels per meter gives one: 300 to the inch cannot be said. */
function perInch(perMetre: number): number {
  const exact = perMetre * METRES_PER_INCH;
  const whole = Math.round(exact);
  return Math.abs(exact - whole) < METRES_PER_INCH ? whole : exact;
}

/**
 * Reads an EXIF block: a TIFF header and what it points at, in either byte order, with or without `Exif\0\0` before
 * it. Metadata decides no conversion: whatever of it cannot be read counts as not there.
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
  const perUnit = unit === UNIT.centimeters ? CENTIMETRES_PER_INCH : 1;
  const resolution = { x: rational(TAG.xResolution) * perUnit, y: rational(TAG.yResolution) * perUnit };
  const gps = fields.get(TAG.gps);
  const position =
    gps?.type === TYPE.long ? directoryAt(view, view.getUint32(gps.at, little), little) : undefined;
  return {
    orientation: orientationIn(tiff),
    resolution: unit !== UNIT.none && plausible(resolution) ? resolution : undefined,
    hasPosition: position !== undefined && position.size > 0,
  };
}

/**
 * The block with its orientation as the short number that Exif wants (Exif 3.0, 4.6): browsers overlook any other,
 * which the rest of the world goes by. Nothing where it is one, or turns nothing.
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

/** Whether a directory's entry, which begins at `at`, is that of the orientation. */
export function isOrientation(view: DataView, at: number, little: boolean): boolean {
  return view.getUint16(at, little) === TAG.orientation;
}

/** Makes a directory's entry, which begins at `at`, say an orientation as Exif has it. */
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

/** A TIFF header and the first directory that it points at. */
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

/** A whole number of any type: some programs write the orientation as a long one. */
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

/** A block from its TIFF header on: what JPEG puts in front of it stands in some other files, too. */
export function withoutExifSignature(block: Uint8Array): Uint8Array {
  const isSigned = SIGNATURE.every((byte, index) => block[index] === byte);
  return isSigned ? block.subarray(SIGNATURE.length) : block;
}

/** The fields of a directory by tag, the first of a tag counting; those that fit, when it is cut off. */
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
