import { deflateSync } from "node:zlib";
import { describe, expect } from "vitest";
import { concatBytes } from "../support/fixtures/image/bytes.ts";
import { makeGif } from "../support/fixtures/image/gif-and-bmp.ts";
import { pngChunk } from "../support/fixtures/image/png.ts";
import { makeTiff, TIFF_TAG } from "../support/fixtures/image/tiff.ts";
import type { DrawingCall } from "./drawing-page.ts";
import { type Case, testHostileDrawings } from "./hostile-drawing-suite.ts";

const LIMITS = { seconds: 30, stillSeconds: 1.5 };

const CALLS: readonly DrawingCall[] = ["png", "jpg", "pdf", "smaller"];
const cases = (what: string, input: Case["input"], outcome: string) =>
  CALLS.map((call): Case => ({ what, input, call, outcome }));

/** A GIF of 43 bytes: a frame of one pixel on a screen of 268 megapixels. */
function hugeGif(): Uint8Array<ArrayBuffer> {
  const black = [0, 0, 0];
  return makeGif(1, 1, [black, black, black, black], () => 0, {
    width: 16_384,
    height: 16_384,
    left: 0,
    top: 0,
  });
}

/** A white PNG of one bit for each pixel. */
function whitePng(side: number): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, side);
  header.setUint32(4, side);
  header.setUint8(8, 1);
  const row = new Uint8Array(1 + Math.ceil(side / 8)).fill(255, 1);
  const rows = new Uint8Array(row.length * side);
  for (let y = 0; y < side; y++) rows.set(row, y * row.length);
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return concatBytes([
    signature,
    pngChunk("IHDR", new Uint8Array(header.buffer)),
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", new Uint8Array()),
  ]);
}

/** A black TIFF of 8 bits for each sample, which takes more memory than one of one bit. */
function blackTiff(side: number): Uint8Array<ArrayBuffer> {
  const data = deflateSync(new Uint8Array(3 * side * side));
  const fields = { [TIFF_TAG.PhotometricInterpretation]: [2], [TIFF_TAG.Compression]: [8] };
  return makeTiff([{ width: side, height: side, samples: 3, data: [data], fields }]);
}

/** A TIFF whose images all have the same strip. */
function sharedTiff(images: number): Uint8Array<ArrayBuffer> {
  const strip = 1_000_000;
  const fields = { [TIFF_TAG.PhotometricInterpretation]: [0], [TIFF_TAG.Compression]: [4] };
  const page = (data: readonly Uint8Array[]) => ({ width: 64, height: 64, bits: 1, data, fields });
  const first = page([new Uint8Array(strip).fill(255)]);
  // The strip of the first image follows the header of 8 bytes.
  const others = { ...page([new Uint8Array()]), fields: { ...fields, 273: [8], 279: [strip] } };
  return makeTiff([first, ...Array.from({ length: images - 1 }, () => others)]);
}

describe("a small hostile image in Chromium", () => {
  testHostileDrawings(
    [
      ...cases("is a GIF of 43 bytes and 268 megapixels", hugeGif, "input_too_large"),
      ...cases("is a white PNG of 14 KB and 110 megapixels", () => whitePng(10_500), "done"),
      ...cases("is a black TIFF of 159 KB and 54 megapixels", () => blackTiff(7_390), "done"),
      {
        what: "is a TIFF of 5,000 images that share a strip",
        input: () => sharedTiff(5_000),
        call: "pdf",
        outcome: "input_too_large output_bytes",
      },
    ],
    ({ seconds, stillSeconds }) => {
      expect(seconds).toBeLessThan(LIMITS.seconds);
      expect(stillSeconds).toBeLessThan(LIMITS.stillSeconds);
    },
  );
});
