import { expect, test } from "vitest";
import { embedPng } from "../../../../../workers/image/to-pdf/embed-png.ts";
import { isScattered, joinedInPlace } from "../../../../../workers/image/to-pdf/scattered-png.ts";
import { bufferSource } from "../../../../../workers/io/source.ts";
import { makePng, pngChunks } from "../../../../support/fixtures/image/png.ts";

const png = (chunkBytes: number) =>
  makePng({
    ...({ width: 120, height: 90, colorType: 2, bitDepth: 8, chunkBytes } as const),
    sample: (x, y) => [(x * y * 7) % 256, (x * x + y) % 256, (x + y * y) % 256],
  });

test("joins pixels in small chunks without checksums and headers", async () => {
  const bytes = png(300);
  expect(isScattered(bufferSource(bytes))).toBe(true);
  const copy = bytes.slice();
  const embedded = await embedPng(bufferSource(copy));
  expect(embedded?.data.length).toBeGreaterThan(20);
  const [only, ...others] = (embedded && joinedInPlace(embedded, copy).data) ?? [];
  expect(others).toEqual([]);
  expect(only).toEqual({ kind: "bytes", bytes: pngChunks(png(1e6)).get("IDAT") });
});

test("slices one chunk, or large ones, from the file", () => {
  expect(isScattered(bufferSource(png(1e6)))).toBe(false);
  expect(isScattered(bufferSource(Uint8Array.of(1, 2, 3)))).toBe(false);
});

test("keeps new data", async () => {
  const bytes = makePng({
    width: 9,
    height: 9,
    colorType: 6,
    bitDepth: 8,
    sample: (x, y) => [x, y, 9, 20 * x],
  });
  const embedded = await embedPng(bufferSource(bytes));
  expect(embedded && joinedInPlace(embedded, bytes.slice())).toBe(embedded);
});
