import { describe, expect, test } from "vitest";
import { checkScans, codedBlocks } from "../../../../../../workers/image/formats/jpg/decoding-cost.ts";
import { readJpeg } from "../../../../../../workers/image/formats/jpg/read-jpeg.ts";
import { readScans } from "../../../../../../workers/image/formats/jpg/scans.ts";
import { MARKER } from "../../../../../../workers/image/formats/jpg/segments.ts";
import { bufferSource } from "../../../../../../workers/io/source.ts";
import { concatBytes } from "../../../../../support/fixtures/image/bytes.ts";
import { jpegSegment } from "../../../../../support/fixtures/image/jpeg.ts";
import { manyScanJpeg } from "../../../../../support/fixtures/image/progressive-jpeg.ts";

function opened(bytes: Uint8Array) {
  const source = bufferSource(bytes);
  const jpeg = readJpeg(source);
  return { source, jpeg, scans: readScans(source, jpeg) };
}

function blocksIn(bytes: Uint8Array): number {
  const { source, jpeg, scans } = opened(bytes);
  return codedBlocks(
    source,
    jpeg,
    scans.segments.filter(({ marker }) => marker === MARKER.SOS),
  );
}

function check(bytes: Uint8Array): void {
  const { source, jpeg, scans } = opened(bytes);
  checkScans(source, jpeg, scans);
}

/** A picture of 33 × 17 pixels with luma twice as often both ways, whose scans are of these components. */
function withScans(...scans: readonly (readonly number[])[]): Uint8Array {
  const frame = jpegSegment(0xc2, Uint8Array.of(8, 0, 17, 0, 33, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0));
  const segments = scans.map((names) =>
    jpegSegment(0xda, Uint8Array.of(names.length, ...names.flatMap((name) => [name, 0]), 1, 63, 0)),
  );
  return concatBytes([Uint8Array.of(0xff, 0xd8), frame, ...segments, Uint8Array.of(0xff, 0xd9)]);
}

describe("the blocks of all scans", () => {
  test.each<[string, readonly (readonly number[])[], number]>([
    ["of all components, in whole units of 16 × 16 pixels", [[1, 2, 3]], 3 * 2 * 6],
    ["of luma alone, without padding", [[1]], 5 * 3],
    ["of chroma alone", [[2]], 3 * 2],
    ["of several scans", [[1, 2, 3], [1], [2], [1]], 36 + 15 + 6 + 15],
    ["of a component that does not exist", [[9]], 0],
  ])("are counted: %s", (_, scans, blocks) => {
    expect(blocksIn(withScans(...scans))).toBe(blocks);
  });

  test("are counted with sampling factors of zero", () => {
    const frame = jpegSegment(0xc2, Uint8Array.of(8, 0, 17, 0, 33, 1, 1, 0, 0));
    const scan = jpegSegment(0xda, Uint8Array.of(1, 1, 0, 1, 63, 0));
    const bytes = concatBytes([Uint8Array.of(0xff, 0xd8), frame, scan, Uint8Array.of(0xff, 0xd9)]);
    expect(blocksIn(bytes)).toBe(15);
  });
});

describe("a progressive JPEG", () => {
  test("with 500 scans and 256 megapixels is refused with both numbers", () => {
    expect(() => check(manyScanJpeg({ width: 16_000, height: 16_000, scans: 500 }))).toThrow(
      expect.objectContaining({
        code: "input_too_large",
        message: expect.stringMatching(/500 scans hold 2002\.0 million blocks, and may hold 96\.0 million/),
        details: { scans: 500, blocks: 2_002_000_000, largest_blocks: 96_000_000 },
      }),
    );
  });

  test("with 20 scans is accepted at any size", () => {
    expect(() => check(manyScanJpeg({ width: 16_000, height: 16_000, scans: 20 }))).not.toThrow();
  });

  test("with 600 scans is accepted if it is small", () => {
    expect(() => check(manyScanJpeg({ width: 1000, height: 1000, scans: 600 }))).not.toThrow();
  });
});
