import type { Size } from "../image/picture/size.ts";
import { latin1 } from "../pdf/syntax/characters.ts";

/** What a JPEG 2000 image says of its samples. All have 8 bits and one size. */
export interface JpxHeader extends Size {
  readonly components: 1 | 3;
  /** Its color space. Undefined if it has none, or another one. */
  readonly space: "DeviceGray" | "DeviceRGB" | undefined;
}

/** The start of a box: its length and its type (ISO/IEC 15444-1, I.4). */
const BOX_HEAD = 8;
const SIGNATURE_BOX = "jP  ";
/** Boxes that change what the samples are: a palette, its mapping, other depths, alpha (I.5.3). */
const CHANGING_BOXES = new Set(["pclr", "cmap", "bpcc", "cdef"]);
/** Enumerated color spaces (Table I.10). */
const SPACES = new Map([
  [16, "DeviceRGB"],
  [17, "DeviceGray"],
] as const);

/** Markers of the codestream (A.2): its start, its size and its end. */
const [SOC, SIZ, EOC] = [0xff4f, 0xff51, 0xffd9];
const BITS_8 = 7;

/**
 * Reads a JPEG 2000 image: a JP2 file, or the codestream alone.
 *
 * @returns undefined for an image whose samples are of another kind, and for one that is cut off
 */
export function readJpx(bytes: Uint8Array): JpxHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < BOX_HEAD) return undefined;
  if (view.getUint16(0) === SOC) return readCodestream(view, undefined);
  if (typeAt(bytes, 0) !== SIGNATURE_BOX) return undefined;
  const files = boxesOf(bytes);
  const header = files.find(({ type }) => type === "jp2h");
  const codestream = files.find(({ type }) => type === "jp2c");
  if (!header || !codestream) return undefined;
  const about = boxesOf(header.body);
  const spaces = about.filter(({ type }) => type === "colr");
  const [first] = spaces;
  if (!first || spaces.length > 1 || about.some(({ type }) => CHANGING_BOXES.has(type))) return undefined;
  const { buffer, byteOffset, byteLength } = codestream.body;
  return readCodestream(new DataView(buffer, byteOffset, byteLength), spaceOf(first.body));
}

/** A box of a JP2 file. */
interface Box {
  readonly type: string;
  readonly body: Uint8Array;
}

/** Returns boxes that follow each other, up to one that is cut off. Each has at least a head. */
function boxesOf(bytes: Uint8Array): readonly Box[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const boxes: Box[] = [];
  for (let at = 0; at + BOX_HEAD <= bytes.length; ) {
    // The last box may have no length. Lengths of 64 bits are for files that no PDF holds.
    const length = view.getUint32(at) || bytes.length - at;
    if (length < BOX_HEAD || at + length > bytes.length) break;
    boxes.push({ type: typeAt(bytes, at), body: bytes.subarray(at + BOX_HEAD, at + length) });
    at += length;
  }
  return boxes;
}

function typeAt(bytes: Uint8Array, box: number): string {
  return latin1(bytes.subarray(box + 4, box + BOX_HEAD));
}

/** Returns an enumerated color space: method, precedence, approximation, then 32 bits (I.5.3.3). */
function spaceOf(box: Uint8Array): JpxHeader["space"] {
  const [method, , , ...space] = box.subarray(0, 7);
  if (method !== 1) return undefined;
  return SPACES.get(space.reduce((value, byte) => 256 * value + byte, 0) as 16);
}

/** Reads the size of the image and of its components (A.5.1). */
function readCodestream(view: DataView, space: JpxHeader["space"]): JpxHeader | undefined {
  // Marker, marker, length and capabilities; then the size, its origin, four values of tiles, and the components.
  const [sizeAt, originAt, countAt, componentsAt] = [8, 16, 40, 42];
  const end = view.byteLength - 2;
  if (end < componentsAt || view.getUint16(0) !== SOC || view.getUint16(2) !== SIZ) return undefined;
  if (view.getUint16(end) !== EOC) return undefined;
  const width = view.getUint32(sizeAt) - view.getUint32(originAt);
  const height = view.getUint32(sizeAt + 4) - view.getUint32(originAt + 4);
  const components = view.getUint16(countAt);
  if ((components !== 1 && components !== 3) || componentsAt + 3 * components > end) return undefined;
  for (let at = componentsAt; at < componentsAt + 3 * components; at += 3) {
    const isPlain = view.getUint8(at) === BITS_8 && view.getUint16(at + 1) === 0x0101;
    if (!isPlain) return undefined;
  }
  return { width, height, components, space };
}
