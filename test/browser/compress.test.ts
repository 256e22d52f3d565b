import { describe, expect, test } from "vitest";
import { createClient } from "../../src/index.ts";
import { encodeGrayJpeg, encodeJpeg } from "../../workers/image/formats/jpg/encode-jpeg.ts";
import { jpegImage, PHOTO, samplesOf } from "../support/fixtures/drawn-images.ts";
import { drawnPdf, FIRST_OWN } from "../support/fixtures/drawn-pdf.ts";
import { convert, shown } from "./pictures.ts";

const [WIDTH, HEIGHT] = [1200, 900];
const SIZE = { width: WIDTH, height: HEIGHT };
const PAGES = 5;

async function colorJpeg(shift: number): Promise<Uint8Array> {
  const pixels = new Uint8ClampedArray(4 * WIDTH * HEIGHT);
  const samples = samplesOf(WIDTH, HEIGHT, 3, (x, y, component) => PHOTO(x + shift, y, component));
  for (let at = 0; at < WIDTH * HEIGHT; at++) pixels.set(samples.subarray(3 * at, 3 * at + 3), 4 * at);
  const jpeg = await encodeJpeg({ layout: "rgba", ...SIZE, pixels, hasAlpha: false }, 0.9);
  return jpeg ?? new Uint8Array();
}

async function grayJpeg(shift: number): Promise<Uint8Array> {
  const samples = samplesOf(WIDTH, HEIGHT, 1, (x, y) => PHOTO(x + shift, y, 0));
  return (await encodeGrayJpeg(samples, SIZE, 0.9)) ?? new Uint8Array();
}

describe.each([
  ["color", "/DeviceRGB", colorJpeg],
  ["gray", "/DeviceGray", grayJpeg],
] as const)("a scan in %s", (_, space, jpegOf) => {
  test("becomes smaller and looks the same, with helpers and without", async () => {
    const numbers = [...Array(PAGES).keys()];
    const jpegs = await Promise.all(numbers.map((page) => jpegOf(50 * page)));
    const objects = jpegs.map((jpeg, page) => jpegImage(FIRST_OWN + page, { ...SIZE, space }, jpeg));
    const pages = numbers.map((page) => ({
      content: "288 0 0 216 0 0 cm /A Do",
      entries: "/MediaBox[0 0 288 216]",
      resources: `/XObject<</A ${FIRST_OWN + page} 0 R>>`,
    }));
    const file = new File([drawnPdf(pages, { objects })], "scan.pdf");
    const made: Blob[] = [];
    for (const maxWorkers of [1, 3]) {
      const client = createClient({ maxWorkers });
      const result = await client.compressPdf({ file });
      expect(result.file_name).toBe("compressed-scan.pdf");
      made.push(new Blob([await client.blob(result).arrayBuffer()]));
      client.close();
    }
    const [alone = new Blob(), helped = new Blob()] = made;
    expect(helped.size).toBe(alone.size);
    expect(helped.size).toBeLessThan(0.4 * file.size);
    for (const page of ["1", String(PAGES)]) {
      const before = await shown(await convert(file, "png", { pages: page, dpi: 72 }));
      const after = await shown(await convert(helped, "png", { pages: page, dpi: 72 }));
      const sum = before.data.reduce(
        (total, value, at) => total + Math.abs(value - (after.data[at] ?? 0)),
        0,
      );
      expect(sum / before.data.length).toBeLessThan(2);
    }
  });
});
