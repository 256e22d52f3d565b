import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { pixelsOf } from "../../../../../workers/image/picture/convert-layout.ts";
import type { Picture } from "../../../../../workers/image/picture/picture.ts";
import { newPlanes } from "../../../../../workers/image/picture/planes.ts";
import { compressPixels } from "../../../../../workers/image/to-pdf/compress-pixels.ts";
import type { Samples } from "../../../../../workers/image/to-pdf/embedded-image.ts";
import { concatBytes } from "../../../../../workers/io/concat-bytes.ts";
import { predictedChunks } from "../../../../../workers/pdf/file/predictors.ts";

/** More pixels than one read returns, and an odd height. */
const SIZE = { width: 2049, height: 1025 };

const noise = (length: number) => Uint8ClampedArray.from({ length }, (_, at) => (at * 7919) >> 5);

function unpacked({ data, bitsPerComponent }: Samples, colors: number): Uint8Array {
  const bytes = data.map((part) => (part.kind === "bytes" ? part.bytes : new Uint8Array()));
  const parameters = { predictor: 15, colors, bitsPerComponent, columns: SIZE.width };
  return concatBytes([...predictedChunks([inflateSync(concatBytes(bytes))], parameters)]);
}

/** The channels of pixels, side by side. */
const channelsOf = (pixels: Uint8ClampedArray, channels: readonly number[]) =>
  new Uint8Array(pixels.filter((_, at) => channels.includes(at % 4)));

describe("compressPixels", () => {
  test("keeps every value, and alpha as a soft mask", async () => {
    const pixels = noise(4 * SIZE.width * SIZE.height);
    const made = await compressPixels({ layout: "rgba", ...SIZE, pixels, hasAlpha: true });
    expect(Buffer.compare(unpacked(made, 3), channelsOf(pixels, [0, 1, 2]))).toBe(0);
    if (made.softMask === undefined) throw new Error("there is no mask");
    expect(Buffer.compare(unpacked(made.softMask, 1), channelsOf(pixels, [3]))).toBe(0);
  });

  test("drops alpha when every pixel is opaque", async () => {
    const pixels = noise(4 * SIZE.width * SIZE.height).map((value, at) => (at % 4 === 3 ? 255 : value));
    expect(
      (await compressPixels({ layout: "rgba", ...SIZE, pixels, hasAlpha: true })).softMask,
    ).toBeUndefined();
  });

  test("converts planes as they are converted at once", async () => {
    const planes = newPlanes(SIZE);
    for (const plane of [planes.luma, planes.cb, planes.cr]) plane.set(noise(plane.length));
    const picture: Picture = { layout: "yuv420", ...SIZE, planes, hasAlpha: false };
    const made = await compressPixels(picture);
    expect(Buffer.compare(unpacked(made, 3), channelsOf(pixelsOf(picture), [0, 1, 2]))).toBe(0);
    expect(made.softMask).toBeUndefined();
  });
});
