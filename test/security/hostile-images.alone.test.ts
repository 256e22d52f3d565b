import { deflateSync } from "node:zlib";
import { describe, expect } from "vitest";
import { concatBytes } from "../support/fixtures/image/bytes.ts";
import { makeGif } from "../support/fixtures/image/gif-and-bmp.ts";
import { pngChunk } from "../support/fixtures/image/png.ts";
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

describe("a small hostile image in Chromium", () => {
  testHostileDrawings(
    [
      ...cases("is a GIF of 43 bytes and 268 megapixels", hugeGif, "input_too_large"),
      ...cases("is a white PNG of 14 KB and 110 megapixels", () => whitePng(10_500), "done"),
    ],
    ({ seconds, stillSeconds }) => {
      expect(seconds).toBeLessThan(LIMITS.seconds);
      expect(stillSeconds).toBeLessThan(LIMITS.stillSeconds);
    },
  );
});
