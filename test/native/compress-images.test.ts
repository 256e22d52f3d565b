import { zlibSync } from "fflate";
import { afterAll, describe, expect, test, vi } from "vitest";
import { encodeGrayJpeg, encodeJpeg } from "../../workers/image/formats/jpg/encode-jpeg.ts";
import { compressBytes, imagesOf } from "../support/compressed-pdf.ts";
import { DRAWING, flateImage, jpegImage, PHOTO, samplesOf } from "../support/fixtures/drawn-images.ts";
import { drawnPdf, FIRST_OWN } from "../support/fixtures/drawn-pdf.ts";
import type { PlainObject } from "../support/fixtures/pdf-objects.ts";
import { popplerDrawsAll } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { qpdfCheck } from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";

vi.mock("../../workers/wasm/wasm-module.ts", () => import("../support/wasm-from-disk.ts"));

const SUITE = "images of compressed PDFs";
const missing = announceMissing(SUITE, ["qpdf", "pdftoppm"]);

const [A, B, C] = [FIRST_OWN, FIRST_OWN + 1, FIRST_OWN + 2] as const;
const BOX = "/MediaBox[0 0 200 140]";
/** 600 × 400 pixels at 300 dpi. */
const DRAWS_A = "144 0 0 96 10 10 cm /A Do";

interface Case {
  readonly content?: string;
  readonly entries?: string;
  readonly resources?: string;
  readonly objects: () => Promise<readonly PlainObject[]> | readonly PlainObject[];
  /** The images of the output. */
  readonly images: readonly string[];
  /** The largest mean difference of the drawn page, of 255. */
  readonly difference?: number;
}

const rgb = (sample = PHOTO, width = 600, height = 400) => samplesOf(width, height, 3, sample);
const gray = (sample = PHOTO, width = 600, height = 400) => samplesOf(width, height, 1, sample);

/** A JPEG of quality 0.95. */
async function colorJpeg(width = 600, height = 400): Promise<Uint8Array> {
  const samples = rgb(PHOTO, width, height);
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let at = 0; at < width * height; at++) pixels.set(samples.subarray(3 * at, 3 * at + 3), 4 * at);
  const jpeg = await encodeJpeg({ layout: "rgba", width, height, pixels, hasAlpha: false }, 0.95);
  if (!jpeg) throw new Error("there is no encoder");
  return jpeg;
}

async function grayJpeg(): Promise<Uint8Array> {
  const jpeg = await encodeGrayJpeg(gray(), { width: 600, height: 400 }, 0.95);
  if (!jpeg) throw new Error("there is no encoder");
  return jpeg;
}

const form = (num: number, entries: string, stream: string): PlainObject => ({
  num,
  body: `<</Type/XObject/Subtype/Form/BBox[0 0 200 140]${entries}>>`,
  stream,
});
const COLORS = Array.from({ length: 256 }, (_, index) => [index, 64, 255 - index]);
/** An indexed color space of so many colors. */
const indexed = (count: number) => {
  const used = COLORS.filter((_, index) => index % (256 / count) === 0).flat();
  return { space: `[/Indexed/DeviceRGB ${count - 1} <${Buffer.from(used).toString("hex")}>]` };
};
const LARGE = ["600x400 DCTDecode DeviceRGB"];
const HALF = ["300x200 DCTDecode DeviceRGB"];

const CASES: Readonly<Record<string, Case>> = {
  "a color JPEG": { objects: async () => [jpegImage(A, {}, await colorJpeg())], images: HALF },
  "a gray JPEG, which stays gray": {
    objects: async () => [jpegImage(A, { space: "/DeviceGray" }, await grayJpeg())],
    images: ["300x200 DCTDecode DeviceGray"],
  },
  "an exact photograph": { objects: () => [flateImage(A, {}, rgb())], images: HALF },
  "a drawing": {
    content: "36 0 0 24 10 10 cm /A Do",
    objects: () => [flateImage(A, {}, rgb(DRAWING))],
    images: ["75x50 FlateDecode DeviceRGB"],
  },
  "a drawing that is smaller as it is": {
    objects: () => [
      flateImage(
        A,
        {},
        rgb((x, y) => DRAWING(x, y >> 4, 0)),
      ),
    ],
    images: ["600x400 FlateDecode DeviceRGB"],
    difference: 0,
  },
  "an exact gray photograph": {
    objects: () => [flateImage(A, { space: "/DeviceGray", entries: "/Decode[1 0]" }, gray())],
    images: ["300x200 DCTDecode DeviceGray"],
  },
  "a calibrated photograph": {
    objects: () => [flateImage(A, { space: "[/CalRGB<</WhitePoint[.95 1 1.09]>>]" }, rgb())],
    images: ["300x200 DCTDecode CalRGB"],
  },
  "a tint": {
    objects: () => [
      flateImage(
        A,
        { space: "[/Separation/Spot/DeviceRGB<</FunctionType 2/Domain[0 1]/C0[1 1 1]/C1[.8 0 .3]/N 1>>]" },
        gray(),
      ),
    ],
    images: ["300x200 DCTDecode Separation"],
  },
  "an indexed photograph": { objects: () => [flateImage(A, indexed(256), gray())], images: HALF },
  "an indexed drawing of 4 bits, which gets its colors": {
    objects: () => {
      const samples = new Uint8Array(300 * 400).map((_, at) =>
        Math.floor((at % 300) / 12) % 2 ? 0x33 : 0xcc,
      );
      return [flateImage(A, { ...indexed(16), bits: 4 }, samples)];
    },
    images: ["300x200 FlateDecode DeviceRGB"],
  },
  "an exact photograph of few pixels per inch": {
    content: "400 0 0 300 0 0 cm /A Do",
    objects: () => [flateImage(A, {}, rgb())],
    images: LARGE,
  },
  "an image in a form": {
    content: "2 0 0 2 0 0 cm /F Do",
    resources: `/XObject<</F ${B} 0 R>>`,
    objects: async () => [
      jpegImage(A, {}, await colorJpeg()),
      form(B, `/Matrix[.5 0 0 .5 0 0]/Resources<</XObject<</A ${A} 0 R>>>>`, `q ${DRAWS_A} Q`),
    ],
    images: HALF,
  },
  "an image in a form without resources": {
    content: "/F Do",
    resources: `/XObject<</F ${B} 0 R/A ${A} 0 R>>`,
    objects: async () => [jpegImage(A, {}, await colorJpeg()), form(B, "", DRAWS_A)],
    images: HALF,
  },
  "an image that is drawn at two sizes": {
    content: `q ${DRAWS_A} Q q 36 0 0 24 160 0 cm /A Do Q`,
    objects: async () => [jpegImage(A, {}, await colorJpeg())],
    images: HALF,
  },
  "an image that is drawn rotated": {
    content: "0 144 -96 0 120 0 cm /A Do",
    entries: "/MediaBox[0 0 200 200]",
    objects: async () => [jpegImage(A, {}, await colorJpeg())],
    images: HALF,
  },
  "an image on a page with large units": {
    entries: `${BOX}/UserUnit 2`,
    objects: async () => [jpegImage(A, {}, await colorJpeg())],
    images: LARGE,
  },
  "an image in a pattern": {
    content: "/Pattern cs /P scn 0 0 200 140 re f",
    resources: `/Pattern<</P ${B} 0 R>>`,
    objects: async () => [
      jpegImage(A, {}, await colorJpeg()),
      {
        num: B,
        body: `<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 144 96]/XStep 144/YStep 96/Matrix[1 0 0 1 5 5]/Resources<</XObject<</A ${A} 0 R>>>>>>`,
        stream: "144 0 0 96 0 0 cm /A Do",
      },
    ],
    images: HALF,
    difference: 4,
  },
  "an image in the appearance of an annotation": {
    content: "",
    entries: `${BOX}/Annots[<</Type/Annot/Subtype/Stamp/F 4/Rect[10 10 154 106]/AP<</N ${B} 0 R>>>>]`,
    resources: "",
    objects: async () => [
      jpegImage(A, {}, await colorJpeg()),
      {
        num: B,
        body: `<</Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</A ${A} 0 R>>>>>>`,
        stream: "/A Do",
      },
    ],
    images: HALF,
  },
  "an image beside an inline image": {
    content: `q 9 0 0 9 0 0 cm BI/W 2/H 2/CS/G/BPC 8 ID EI\x80\xff EI Q ${DRAWS_A}`,
    objects: async () => [jpegImage(A, {}, await colorJpeg())],
    images: HALF,
  },
  "an image after an inline image whose size says where it ends": {
    content: `q 15 0 0 10 0 0 cm BI/W 2/H 2/CS/G/BPC 8 ID abcd EI Q\n(\x80\x81) pop q ${DRAWS_A}`,
    objects: async () => [jpegImage(A, {}, await colorJpeg())],
    images: HALF,
  },
  "an image after an inline image whose end is not certain": {
    content: `q 15 0 0 10 0 0 cm /A Do BI/W 2/H 2/CS/G/BPC 8/F/Fl ID abcd EI Q\n(\x80\x81) pop q ${DRAWS_A}`,
    objects: async () => [jpegImage(A, {}, await colorJpeg())],
    images: LARGE,
  },
  "an image that is drawn beyond all numbers": {
    content: `${`${"9".repeat(200)} 0 0 ${"9".repeat(200)} 0 0 cm `.repeat(2)}/A Do`,
    objects: async () => [jpegImage(A, {}, await colorJpeg())],
    images: LARGE,
  },
  "an image in content that cannot be followed": {
    content: `q ${DRAWS_A} Q 1 cm`,
    objects: async () => [jpegImage(A, {}, await colorJpeg())],
    images: LARGE,
  },
  "an image in a glyph": {
    content: "BT /T 10 Tf (a) Tj ET",
    resources: `/Font<</T<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a ${B} 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1]/Resources<</XObject<</A ${A} 0 R>>>>>>>>/XObject<</A ${A} 0 R>>`,
    objects: async () => [
      jpegImage(A, {}, await colorJpeg()),
      { num: B, body: "<<>>", stream: "1 0 d0 /A Do" },
    ],
    images: LARGE,
  },
  "an image with a soft mask, which stays exact": {
    objects: async () => [
      jpegImage(A, { entries: `/SMask ${B} 0 R` }, await colorJpeg()),
      flateImage(B, { space: "/DeviceGray" }, gray()),
    ],
    images: [...HALF, "300x200 FlateDecode DeviceGray"],
  },
  "a soft mask that is drawn by itself, too": {
    content: `${DRAWS_A} /C Do`,
    resources: `/XObject<</C ${C} 0 R/A ${A} 0 R>>`,
    objects: async () => [
      jpegImage(A, { entries: `/SMask ${B} 0 R` }, await colorJpeg()),
      flateImage(B, { space: "/DeviceGray" }, gray()),
      flateImage(C, { space: "/DeviceGray" }, gray()),
    ],
    images: [...HALF, "300x200 FlateDecode DeviceGray"],
  },
  "an image that its soft mask is mixed into": {
    objects: async () => [
      jpegImage(A, { entries: `/SMask ${B} 0 R` }, await colorJpeg()),
      flateImage(B, { space: "/DeviceGray", entries: "/Matte[0 0 0]" }, gray()),
    ],
    images: ["600x400 DCTDecode DeviceRGB", "600x400 FlateDecode DeviceGray"],
    difference: 0,
  },
  "an image with a color key": {
    objects: () => [flateImage(A, { entries: "/Mask[0 90 0 255 0 255]" }, rgb())],
    images: ["600x400 FlateDecode DeviceRGB"],
    difference: 0,
  },
  "a CMYK image": {
    objects: () => [flateImage(A, { space: "/DeviceCMYK" }, samplesOf(600, 400, 4, PHOTO))],
    images: ["600x400 FlateDecode DeviceCMYK"],
    difference: 0,
  },
  "an image in Lab": {
    objects: () => [flateImage(A, { space: "[/Lab<</WhitePoint[.95 1 1.09]>>]" }, rgb())],
    images: ["600x400 FlateDecode Lab"],
    difference: 0,
  },
  "a bilevel image": {
    objects: () => [flateImage(A, { space: "/DeviceGray", bits: 1 }, samplesOf(75, 400, 1, PHOTO))],
    images: ["600x400 FlateDecode DeviceGray"],
    difference: 0,
  },
  "a JPEG of another size than the image": {
    objects: async () => [jpegImage(A, { width: 500 }, await colorJpeg())],
    images: ["500x400 DCTDecode DeviceRGB"],
    difference: 0,
  },
  "a cut off JPEG": {
    objects: async () => [jpegImage(A, {}, (await colorJpeg()).subarray(0, 20_000))],
    images: LARGE,
    difference: 0,
  },
  "two equal images": {
    content: `q ${DRAWS_A} Q q 36 0 0 24 160 0 cm /B Do Q`,
    resources: `/XObject<</A ${A} 0 R/B ${B} 0 R>>`,
    objects: async () => {
      const jpeg = await colorJpeg();
      return [jpegImage(A, {}, jpeg), jpegImage(B, {}, jpeg)];
    },
    images: HALF,
  },
};

describe.skipIf(missing.length > 0)(SUITE, () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());
  test.each(Object.entries(CASES))("%s", async (_, one) => {
    const page = {
      content: one.content ?? DRAWS_A,
      entries: one.entries ?? BOX,
      resources: one.resources ?? `/XObject<</A ${A} 0 R>>`,
    };
    const input = drawnPdf([page], { objects: await one.objects() });
    const output = await compressBytes(input);
    const [before, path] = [onDisk(scratch, input), onDisk(scratch, output)];
    expect(output.length).toBeLessThanOrEqual(input.length);
    // That of the cut off JPEG is a warning.
    expect((await qpdfCheck(path)).verdict).toBe((await qpdfCheck(before)).verdict);
    expect(await imagesOf(path)).toEqual(one.images);
    expect(await difference(before, path)).toBeLessThanOrEqual(one.difference ?? 2.5);
  });

  test("deflates a drawing again at its size", async () => {
    const object = flateImage(A, {}, rgb(DRAWING));
    const stored = Buffer.from(zlibSync(rgb(DRAWING), { level: 0 })).toString("latin1");
    const page = { content: "400 0 0 300 0 0 cm /A Do", entries: BOX, resources: `/XObject<</A ${A} 0 R>>` };
    const input = drawnPdf([page], { objects: [{ ...object, stream: stored }] });
    const output = await compressBytes(input);
    const [before, path] = [onDisk(scratch, input), onDisk(scratch, output)];
    expect(output.length).toBeLessThan(0.1 * input.length);
    expect(await imagesOf(path)).toEqual(["600x400 FlateDecode DeviceRGB"]);
    expect(await difference(before, path)).toBe(0);
  });

  /** Returns the mean difference of the drawn pages. */
  async function difference(one: string, other: string): Promise<number> {
    const [before, after] = [await popplerDrawsAll(one), await popplerDrawsAll(other)];
    const [first, second] = [before[0] ?? new Uint8Array(), after[0] ?? new Uint8Array()];
    expect(second.length).toBe(first.length);
    const sum = first.reduce((total, value, at) => total + Math.abs(value - (second[at] ?? 0)), 0);
    return sum / first.length;
  }
});
