import { ServiceError } from "../../../../src/shared/errors.ts";
import { holdsPixels } from "./decode-pixels.ts";

/** What a GIF says of its first frame (GIF89a specification). */
export interface Gif {
  readonly width: number;
  readonly height: number;
  /** Whether any pixel may be transparent. */
  readonly hasAlpha: boolean;
}

/** Where width and height of the screen stand. */
const SCREEN = 6;
const SCREEN_END = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const GRAPHIC_CONTROL = 0xf9;
const MOST_BLOCKS = 100_000;

/**
 * Reads what stands before the pixels of the first frame, and looks whether they are all there: some browsers make
 * up what is missing.
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
      if (endOfBlocks(view, pixels + 1) === undefined || !holdsPixels(bytes, pixels, across * down))
        throw damaged();
      const [right, bottom] = [left + across, top + down];
      const fillsScreen = left === 0 && top === 0 && right >= width && bottom >= height;
      return {
        // The screen is made larger where the frame does not fit, or none is given.
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

/**
 * The file with a screen that its first frame fits on: Chromium and native programs make it larger themselves, Firefox
 * and WebKit cut the frame off. The very same where it does.
 */
export function plainGif(bytes: Uint8Array<ArrayBuffer>, { width, height }: Gif): Uint8Array<ArrayBuffer> {
  const before = new DataView(bytes.buffer, bytes.byteOffset);
  if (before.getUint16(SCREEN, true) === width && before.getUint16(SCREEN + 2, true) === height) return bytes;
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  view.setUint16(SCREEN, width, true);
  view.setUint16(SCREEN + 2, height, true);
  return copy;
}

/** Where blocks end that begin with their lengths, the last of which is 0; undefined when they break off. */
function endOfBlocks(view: DataView, start: number): number | undefined {
  let at = start;
  while (at < view.byteLength) {
    const length = view.getUint8(at);
    at += 1 + length;
    if (length === 0) return at;
  }
  return undefined;
}

/** The length of a table of colors, three bytes each. */
function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** (1 + (flags & 7));
}

function damaged(): ServiceError {
  return new ServiceError(
    "damaged_file",
    "The GIF image cannot be read: it breaks off before the end of its first picture. Try another copy of it.",
  );
}
