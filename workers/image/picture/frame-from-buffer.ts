import type { Picture } from "./picture.ts";
import type { Planes } from "./planes.ts";
import type { Size } from "./size.ts";

/** The color space of JPEG in the words of WebCodecs. Its values are not converted. */
const LIKE_JPEG = {
  matrix: "smpte170m",
  fullRange: true,
  primaries: "bt709",
  transfer: "iec61966-2-1",
} as const;

/**
 * Moves an opaque picture in memory to a `VideoFrame`, so that several workers can read it. Consumes the picture.
 *
 * @returns the picture itself when it is in another layout, or when the browser would copy
 */
export function moveToFrame(picture: Picture): Picture {
  if (picture.hasAlpha) return picture;
  const frame =
    picture.layout === "rgba"
      ? frameOfPixels(picture.pixels, picture)
      : picture.layout === "yuv420"
        ? frameOfPlanes(picture.planes, picture)
        : undefined;
  if (frame === undefined) return picture;
  const { width, height, icc } = picture;
  return { layout: "frame", width, height, frame, hasAlpha: false, icc };
}

/**
 * Moves planes to the browser without a copy, so that several workers can read them.
 *
 * @param planes in a buffer of their own, which is detached
 * @returns a frame that the caller closes, or `undefined` when the browser would copy
 */
function frameOfPlanes({ luma, cb, cr }: Planes, { width, height }: Size): VideoFrame | undefined {
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
 * Moves pixels to the browser without a copy: red, green, blue and an ignored byte of each.
 *
 * @param pixels in a buffer of their own, which is detached
 */
function frameOfPixels(
  { buffer }: Uint8ClampedArray<ArrayBuffer>,
  { width, height }: Size,
): VideoFrame | undefined {
  return frameOf(buffer, { format: "RGBX", codedWidth: width, codedHeight: height });
}

/** The option `transfer`, which the types of TypeScript do not have yet. */
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

/** Whether the browser takes over the buffer of a frame instead of copying it. */
function takesOver(): boolean {
  const values = new ArrayBuffer(16);
  try {
    transferred(values, { format: "RGBX", codedWidth: 2, codedHeight: 2 }).close();
  } catch (thrown) {
    // The browser cannot create a frame from a buffer.
    if (thrown instanceof TypeError || thrown instanceof DOMException) return false;
    throw thrown;
  }
  return values.byteLength === 0;
}
