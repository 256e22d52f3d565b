import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Converter, type Fields } from "../support/browsers/converter.ts";
import { manyScanJpeg } from "../support/fixtures/image/progressive-jpeg.ts";
import { Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";

/** Without the limit, decoding takes minutes. Reading the scans takes much less than a second. */
const LIMIT_MS = 30_000;

describe("a progressive JPEG of 1 MB with 500 scans of 256 megapixels", () => {
  const scratch = new Scratch();
  const bytes = manyScanJpeg({ width: 16_000, height: 16_000, scans: 500 });
  let converter: Converter;
  beforeAll(async () => {
    converter = await Converter.start("chromium");
  });
  afterAll(async () => {
    await converter.close();
    scratch.remove();
  });

  test.each<[string, Uint8Array, Fields]>([
    ["to PNG", bytes, { output_format: "png" }],
    ["to WebP", bytes, { output_format: "webp" }],
    ["to AVIF", bytes, { output_format: "avif" }],
    ["to JPG, which could keep the coded data", bytes, { output_format: "jpg" }],
    ["to JPG with a quality", bytes, { output_format: "jpg", quality: "0.5" }],
    ["to PNG without its end", bytes.subarray(0, -2), { output_format: "png" }],
    ["to PDF without its end, which requires decoding", bytes.subarray(0, -2), { output_format: "pdf" }],
  ])("is refused before it is decoded: %s", async (_, input, fields) => {
    const start = performance.now();
    const refusal = await converter.refusalOf(onDisk(scratch, input, "from.jpg"), fields);
    expect(refusal.code).toBe("input_too_large");
    expect(performance.now() - start).toBeLessThan(LIMIT_MS);
  });

  test("is copied into a PDF without being decoded", async () => {
    const path = await converter.convert(onDisk(scratch, bytes, "from.jpg"), { output_format: "pdf" });
    expect(readFileSync(path).includes(Buffer.from(bytes))).toBe(true);
  });

  test("lets the client convert the next picture, which has 12 scans", async () => {
    const next = onDisk(scratch, manyScanJpeg({ width: 2000, height: 1000, scans: 12 }), "next.jpg");
    await converter.convert(next, { output_format: "png" });
  });
});
