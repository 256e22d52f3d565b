import { readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServedClient } from "../support/browsers/served-client.ts";
import { manyScanJpeg } from "../support/fixtures/image/progressive-jpeg.ts";
import { Scratch } from "../support/native-tools.ts";

/** Without the limit, decoding takes minutes. Reading the scans takes much less than a second. */
const LIMIT_MS = 30_000;

describe("a progressive JPEG of 1 MB with 500 scans of 256 megapixels", () => {
  const scratch = new Scratch();
  const bytes = manyScanJpeg({ width: 16_000, height: 16_000, scans: 500 });
  let served: ServedClient;
  let page: Page;
  beforeAll(async () => {
    served = await ServedClient.start();
    page = await served.open("/test/native/image-page.html");
  });
  afterAll(async () => {
    await served.close();
    scratch.remove();
  });

  /** Returns the name of the converted file, or the code of the error. */
  async function converted(
    input: Uint8Array,
    fields: Readonly<Record<string, string>>,
  ): Promise<{ readonly outcome: string; readonly path: string }> {
    const [from, to] = [scratch.path("from.jpg"), scratch.path("to")];
    writeFileSync(from, input);
    writeFileSync(to, "");
    const addresses = [served.share(from), served.share(to)] as const;
    const outcome = await page.evaluate(
      ([source, target, all]) => window.convertImage(source, target, "picture.jpg", all),
      [...addresses, fields] as const,
    );
    return { outcome, path: to };
  }

  test.each<[string, Uint8Array, Readonly<Record<string, string>>]>([
    ["to PNG", bytes, { output_format: "png" }],
    ["to WebP", bytes, { output_format: "webp" }],
    ["to AVIF", bytes, { output_format: "avif" }],
    ["to JPG, which could keep the coded data", bytes, { output_format: "jpg" }],
    ["to JPG with a quality", bytes, { output_format: "jpg", quality: "0.5" }],
    ["to PNG without its end", bytes.subarray(0, -2), { output_format: "png" }],
    ["to PDF without its end, which requires decoding", bytes.subarray(0, -2), { output_format: "pdf" }],
  ])(
    "is refused before it is decoded: %s",
    async (_, input, fields) => {
      const start = performance.now();
      expect((await converted(input, fields)).outcome).toBe("input_too_large");
      expect(performance.now() - start).toBeLessThan(LIMIT_MS);
    },
    6 * LIMIT_MS,
  );

  test("is copied into a PDF without being decoded", async () => {
    const { outcome, path } = await converted(bytes, { output_format: "pdf" });
    expect(outcome).toBe("picture.pdf");
    expect(readFileSync(path).includes(Buffer.from(bytes))).toBe(true);
  });

  test("lets the client convert the next picture, which has 12 scans", async () => {
    const { outcome } = await converted(manyScanJpeg({ width: 2000, height: 1000, scans: 12 }), {
      output_format: "png",
    });
    expect(outcome).toBe("picture.png");
  });
});
