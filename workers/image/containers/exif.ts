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

const TAG = { orientation: 0x0112, xResolution: 0x011a, yResolution: 0x011b, unit: 0x0128, gps: 0x8825 };
const TYPE = { short: 3, long: 4, rational: 5 };
const ENTRY_BYTES = 12;
const CENTIMETRES = 3;
const CENTIMETRES_PER_INCH = 2.54;

/** A field of an image file directory: its type, and where its value or the value's offset stands. */
interface Field {
  readonly type: number;
  readonly count: number;
  readonly at: number;
}

/** Whether a resolution can be meant: positive, and not the nonsense of a broken header. */
export function plausible(resolution: Resolution): boolean {
  const { x, y } = resolution;
  return x >= 1 && y >= 1 && x <= 100_000 && y <= 100_000;
}

/**
 * Reads an EXIF block: a TIFF header and what it points at, in either byte order, with or without `Exif\0\0` before
 * it. Metadata decides no conversion: whatever of it cannot be read counts as not there.
 */
export function readExif(block: Uint8Array): Exif {
  const tiff = startsWithExif(block) ? block.subarray(6) : block;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  if (view.byteLength < 8) return NOTHING;
  const order = view.getUint16(0);
  const little = order === 0x4949;
  if ((!little && order !== 0x4d4d) || view.getUint16(2, little) !== 42) return NOTHING;
  const fields = directoryAt(view, view.getUint32(4, little), little);

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

  const perInch = short(TAG.unit) === CENTIMETRES ? CENTIMETRES_PER_INCH : 1;
  const resolution = { x: rational(TAG.xResolution) * perInch, y: rational(TAG.yResolution) * perInch };
  const gps = fields.get(TAG.gps);
  const position =
    gps?.type === TYPE.long ? directoryAt(view, view.getUint32(gps.at, little), little) : undefined;
  return {
    orientation: orientationOf(short(TAG.orientation)),
    resolution: plausible(resolution) ? resolution : undefined,
    hasPosition: position !== undefined && position.size > 0,
  };
}

function startsWithExif(block: Uint8Array): boolean {
  return [0x45, 0x78, 0x69, 0x66, 0, 0].every((byte, index) => block[index] === byte);
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
      at: at + 8,
    });
  }
  return fields;
}

function orientationOf(value: number | undefined): Orientation {
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
