import type { Picture } from "./picture.ts";
import type { Planes } from "./planes.ts";
import type { Size } from "./size.ts";

/** The browser's names for luma and chroma as JPEGs have them, of colors that stay as they are. */
const LIKE_JPEG = {
  matrix: "smpte170m",
  fullRange: true,
  primaries: "bt709",
  transfer: "iec61966-2-1",
} as const;

/**
 * Moves an opaque picture in memory to a `VideoFrame`, so that several workers can read it. Consumes the picture.
 *
 * @returns the picture itself when it is in another layout, when rows are missing, or when the browser would copy
 */
export function moveToFrame(picture: Picture): Picture {
  if (picture.hasAlpha) return picture;
  const frame =
    picture.layout === "rgba"
      ? frameOfPixels(picture.pixels, picture)
      : picture.layout === "yuv420" && picture.arrival === undefined
        ? frameOfPlanes(picture.planes, picture)
        : undefined;
  if (frame === undefined) return picture;
  const { width, height, icc } = picture;
  return { layout: "frame", width, height, frame, hasAlpha: false, icc };
}

/**
 * Hands planes over to the browser, without a copy, so that several workers can read them. They are gone then.
 *
 * @param planes in memory of their own
 * @returns a frame, to be closed; nothing where the browser would copy: the planes are still there
 */
export function frameOfPlanes({ luma, cb, cr }: Planes, { width, height }: Size): VideoFrame | undefined {
  const stride = Math.ceil(width / 2);
  return frameOf(luma.buffer, {
    ...{ format: "I420", codedWidth: width, codedHeight: height },
    colorSpace: LIKE_JPEG,
    layout: [
      { offset: luma.byteOffset, stride: width },
      { offset: cb.byteOffset, stride },
      { offset: cr.byteOffset, stride },
    ],
  });
}

/**
 * The same of red, green, blue and something of each pixel.
 *
 * @param pixels in memory of their own
 */
export function frameOfPixels(
  { buffer }: Uint8ClampedArray<ArrayBuffer>,
  { width, height }: Size,
): VideoFrame | undefined {
  return frameOf(buffer, { format: "RGBX", codedWidth: width, codedHeight: height });
}

/** Not yet in TypeScript's library. */
interface Transferring extends VideoFrameBufferInit {
  readonly transfer: readonly ArrayBuffer[];
}

let isTakenOver: boolean | undefined;

function frameOf(values: ArrayBuffer, init: Omit<VideoFrameBufferInit, "timestamp">): VideoFrame | undefined {
  isTakenOver ??= typeof VideoFrame !== "undefined" && takesOver();
  return isTakenOver ? transferred(values, init) : undefined;
}

function transferred(values: ArrayBuffer, init: Omit<VideoFrameBufferInit, "timestamp">): VideoFrame {
  const whole: Transferring = { ...init, timestamp: 0, transfer: [values] };
  return new VideoFrame(values, whole);
}

/** Whether the browser takes a frame's values, rather than copies of them. */
function takesOver(): boolean {
  const values = new ArrayBuffer(16);
  try {
    transferred(values, { format: "RGBX", codedWidth: 2, codedHeight: 2 }).close();
  } catch (thrown) {
    // The browser makes no frame of values.
    if (thrown instanceof TypeError || thrown instanceof DOMException) return false;
    throw thrown;
  }
  return values.byteLength === 0;
}
