import { ServiceError } from "../../../../src/shared/errors.ts";
import { damagedImage } from "../image-errors.ts";

/** The tags that are read, by their names in TIFF 6.0 and in the technical notes of Adobe. */
export const TAG = {
  NewSubfileType: 254,
  ImageWidth: 256,
  ImageLength: 257,
  BitsPerSample: 258,
  Compression: 259,
  PhotometricInterpretation: 262,
  FillOrder: 266,
  StripOffsets: 273,
  Orientation: 274,
  SamplesPerPixel: 277,
  RowsPerStrip: 278,
  StripByteCounts: 279,
  XResolution: 282,
  YResolution: 283,
  PlanarConfiguration: 284,
  T4Options: 292,
  T6Options: 293,
  ResolutionUnit: 296,
  Predictor: 317,
  ColorMap: 320,
  TileWidth: 322,
  TileLength: 323,
  TileOffsets: 324,
  TileByteCounts: 325,
  SubIFDs: 330,
  InkSet: 332,
  ExtraSamples: 338,
  SampleFormat: 339,
  JPEGTables: 347,
  XMP: 700,
  ICCProfile: 34_675,
} as const;

type Tag = (typeof TAG)[keyof typeof TAG];
const TAGS: ReadonlySet<number> = new Set(Object.values(TAG));

const TYPE = { byte: 1, short: 3, long: 4, rational: 5, undefined: 7, ifd: 13, long8: 16, ifd8: 18 };
/** The length of a value, by its type. Other types are of no use here. */
const TYPE_BYTES: Readonly<Record<number, number>> = {
  ...{ [TYPE.byte]: 1, [TYPE.undefined]: 1, [TYPE.short]: 2, [TYPE.long]: 4, [TYPE.ifd]: 4 },
  ...{ [TYPE.rational]: 8, [TYPE.long8]: 8, [TYPE.ifd8]: 8 },
};

/** Each image is converted on its own, as those of a HEIC. */
const MOST_IMAGES = 5_000;
/** The most fields of a directory. libtiff has the same limit. */
const MOST_FIELDS = 4_096;

/** A field of a directory: its type, the number of its values, and the offset of the first. */
interface Field {
  readonly type: number;
  readonly count: number;
  readonly at: number;
}

/** An image file directory: what the file says about one image (TIFF 6.0, section 2). */
export class Directory {
  readonly file: TiffFile;
  readonly #fields: ReadonlyMap<number, Field>;

  constructor(file: TiffFile, fields: ReadonlyMap<number, Field>) {
    this.file = file;
    this.#fields = fields;
  }

  has(tag: Tag): boolean {
    return this.#fields.has(tag);
  }

  /** Returns the first value of a field. */
  number(tag: Tag): number | undefined;
  number(tag: Tag, otherwise: number): number;
  number(tag: Tag, otherwise?: number): number | undefined {
    return this.numbers(tag, 1)[0] ?? otherwise;
  }

  /**
   * Returns the values of a field. There are none if it is absent, or of a type that is no number.
   *
   * @param most how many are read at most
   * @throws {ServiceError} `damaged_file` when the values are beyond the end of the file
   */
  numbers(tag: Tag, most = Infinity): readonly number[] {
    const field = this.#fields.get(tag);
    const length = TYPE_BYTES[field?.type ?? 0];
    if (field === undefined || length === undefined) return [];
    this.file.checkRange(field.at, length * field.count);
    return Array.from({ length: Math.min(field.count, most) }, (_, index) =>
      this.file.number(field.type, field.at + length * index),
    );
  }

  /** Returns the bytes of a field, such as a profile. Undefined if it is absent. */
  bytes(tag: Tag): Uint8Array<ArrayBuffer> | undefined {
    const field = this.#fields.get(tag);
    if (field === undefined || TYPE_BYTES[field.type] !== 1) return undefined;
    return this.file.range(field.at, field.count);
  }
}

/** A TIFF in memory, with its byte order and the size of its offsets. */
export class TiffFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isLittleEndian: boolean;
  /** Whether offsets have 64 bits. */
  readonly isBig: boolean;
  readonly #view: DataView;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.checkRange(0, 8);
    this.isLittleEndian = bytes[0] === 0x49;
    this.isBig = this.number(TYPE.short, 2) === 43;
  }

  /** Returns all directories in the chain of the file. */
  directories(): readonly Directory[] {
    const seen = new Set<number>();
    const directories: Directory[] = [];
    for (let at = this.#offset(this.isBig ? 8 : 4); at !== 0; ) {
      if (seen.has(at)) throw damagedTiff("its list of images has no end");
      if (seen.size === MOST_IMAGES) throw tooManyImages();
      seen.add(at);
      const { fields, next } = this.#directoryAt(at);
      directories.push(new Directory(this, fields));
      at = next;
    }
    if (directories.length === 0) throw damagedTiff("it holds no image");
    return directories;
  }

  /** Returns a part of the file. */
  range(start: number, length: number): Uint8Array<ArrayBuffer> {
    this.checkRange(start, length);
    return this.bytes.subarray(start, start + length);
  }

  checkRange(start: number, length: number): void {
    if (start + length > this.bytes.length) throw damagedTiff("it breaks off");
  }

  /** Returns a value. A rational becomes a fraction. */
  number(type: number, at: number): number {
    const view = this.#view;
    const little = this.isLittleEndian;
    if (type === TYPE.short) return view.getUint16(at, little);
    if (type === TYPE.long || type === TYPE.ifd) return view.getUint32(at, little);
    if (type === TYPE.rational) return view.getUint32(at, little) / (view.getUint32(at + 4, little) || 1);
    if (type === TYPE.long8 || type === TYPE.ifd8) return Number(view.getBigUint64(at, little));
    return view.getUint8(at);
  }

  #offset(at: number): number {
    this.checkRange(at, this.isBig ? 8 : 4);
    return this.number(this.isBig ? TYPE.long8 : TYPE.long, at);
  }

  #directoryAt(start: number): { readonly fields: ReadonlyMap<number, Field>; readonly next: number } {
    const [countBytes, entryBytes, valueBytes] = this.isBig ? [8, 20, 8] : [2, 12, 4];
    this.checkRange(start, countBytes);
    const count = this.number(this.isBig ? TYPE.long8 : TYPE.short, start);
    if (count > MOST_FIELDS) throw damagedTiff("the description of an image makes no sense");
    const end = start + countBytes + entryBytes * count;
    const next = this.#offset(end);
    const fields = new Map<number, Field>();
    for (let at = start + countBytes; at < end; at += entryBytes) {
      const tag = this.number(TYPE.short, at);
      const type = this.number(TYPE.short, at + 2);
      if (!TAGS.has(tag) || fields.has(tag)) continue;
      const values = this.#offset(at + 4);
      const place = at + entryBytes - valueBytes;
      const isInline = (TYPE_BYTES[type] ?? 1) * values <= valueBytes;
      fields.set(tag, { type, count: values, at: isInline ? place : this.#offset(place) });
    }
    return { fields, next };
  }
}

/** Returns the error for a file that is no TIFF, or a damaged one. */
export function damagedTiff(reason: string): ServiceError {
  return damagedImage("TIFF", reason);
}

function tooManyImages(): ServiceError {
  return new ServiceError(
    "input_too_large",
    `The TIFF holds more than ${MOST_IMAGES} images, and Stayput reads up to ${MOST_IMAGES} of a file. Split it first.`,
    { most: MOST_IMAGES },
  );
}
