import type { Size } from "../../picture/size.ts";
import { damagedImage } from "../image-errors.ts";

/** The size and transparency of the first frame of a GIF (GIF89a specification). */
interface Gif extends Size {
  /** Whether any pixel may be transparent. */
  readonly hasAlpha: boolean;
}

/** The offset of the width and the height of the screen. */
const SCREEN = 6;
const SCREEN_END = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const GRAPHIC_CONTROL = 0xf9;
const MOST_BLOCKS = 100_000;

/**
 * Reads the first frame and checks that all its blocks are there, because some browsers invent missing pixels.
 *
 * @throws {ServiceError} `damaged_file`
 */
export function readGif(bytes: Uint8Array): Gif {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < SCREEN_END) throw damaged();
  const width = view.getUint16(SCREEN, true);
  const height = view.getUint16(SCREEN + 2, true);
  let hasAlpha = false;
  let at = SCREEN_END + tableBytes(view.getUint8(10));
  for (let count = 0; count < MOST_BLOCKS && at + 10 <= bytes.length; count++) {
    const kind = view.getUint8(at);
    if (kind === IMAGE) {
      const pixels = at + 10 + tableBytes(view.getUint8(at + 9));
      const [left, top] = [view.getUint16(at + 1, true), view.getUint16(at + 3, true)];
      const [across, down] = [view.getUint16(at + 5, true), view.getUint16(at + 7, true)];
      if (endOfBlocks(view, pixels + 1) === undefined) throw damaged();
      const [right, bottom] = [left + across, top + down];
      const fillsScreen = left === 0 && top === 0 && right >= width && bottom >= height;
      return {
        // The screen grows when the frame does not fit, or when its size is 0.
        width: Math.max(width, right),
        height: Math.max(height, bottom),
        hasAlpha: hasAlpha || !fillsScreen,
      };
    }
    if (kind !== EXTENSION) throw damaged();
    if (view.getUint8(at + 1) === GRAPHIC_CONTROL) hasAlpha = (view.getUint8(at + 3) & 1) === 1;
    at = endOfBlocks(view, at + 2) ?? bytes.length;
  }
  throw damaged();
}

/** Returns the end of data blocks, or `undefined` when they are cut off. A block of length 0 is the last. */
function endOfBlocks(view: DataView, start: number): number | undefined {
  let at = start;
  while (at < view.byteLength) {
    const length = view.getUint8(at);
    at += 1 + length;
    if (length === 0) return at;
  }
  return undefined;
}

/** Returns the length of a color table with three bytes per color. */
function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** (1 + (flags & 7));
}

const damaged = () => damagedImage("GIF", "it breaks off before the end of its first picture");
