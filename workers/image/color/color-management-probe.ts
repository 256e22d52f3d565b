import { zlibSync } from "fflate";
import { crc32 } from "../../io/crc32.ts";
import { bitmapValues } from "../browser/canvas.ts";
import { decodeNatively, fromBase64 } from "../browser/decode-natively.ts";
import { memoizeAsync } from "../browser/memoize-async.ts";
import { calibratedProfile } from "./calibrated-profile.ts";
import { DISPLAY_P3 } from "./rgb-spaces.ts";

/** A PNG of four pixels: a red, a green, a blue, a gray. */
const FOUR_PIXELS = fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAIAAAB2XpiaAAAAFUlEQVR42mM4EWDTtC/PLepESkoKACWXBZfp17ANAAAAAElFTkSuQmCC",
);
/** The end of its header. A profile can follow it. */
const HEADER_END = 33;
/** The values of the pixels in sRGB, when the PNG is in Display P3. */
const IN_SRGB = [
  [216, 69, 50],
  [111, 192, 100],
  [64, 91, 207],
  [100, 100, 100],
];
/** Browsers convert by tables of different precision. */
const TOLERANCE = 3;

/** Whether the browser converts to sRGB when it decodes. Otherwise it converts to the screen, or not at all. */
export const convertsToSrgb = memoizeAsync(decodesP3ToSrgb);

async function decodesP3ToSrgb(): Promise<boolean> {
  const bitmap = await decodeNatively(pngInP3(), "image/png");
  const values = bitmapValues(bitmap);
  bitmap.close();
  return IN_SRGB.every((pixel, index) =>
    pixel.every((value, channel) => Math.abs(value - (values[4 * index + channel] ?? 0)) <= TOLERANCE),
  );
}

function pngInP3(): Blob {
  const icc = calibratedProfile({ gamma: "sRGB", chromaticities: DISPLAY_P3 });
  const packed = zlibSync(icc ?? new Uint8Array());
  const name = new TextEncoder().encode("iCCPP3\0\0");
  const chunk = new Uint8Array(4 + name.length + packed.length + 4);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, name.length - 4 + packed.length);
  chunk.set(name, 4);
  chunk.set(packed, 4 + name.length);
  view.setUint32(chunk.length - 4, crc32(chunk.subarray(4, -4)));
  return new Blob([FOUR_PIXELS.subarray(0, HEADER_END), chunk, FOUR_PIXELS.subarray(HEADER_END)]);
}
