import { PDFDict, PDFDocument, PDFName, PDFRawStream } from "@cantoo/pdf-lib";
import JSZip from "jszip";
import { describe, expect, test } from "vitest";
import { inkProfile } from "../support/fixtures/image/ink-profile.ts";
import { makeTiff, TIFF_TAG, type TiffPage } from "../support/fixtures/image/tiff.ts";
import {
  blobOf,
  bytesOf,
  convert,
  drawing,
  largestDifference,
  pixel,
  quarters,
  shared,
  shown,
} from "./pictures.ts";

const { Compression, ICCProfile, JPEGTables, PhotometricInterpretation, RowsPerStrip } = TIFF_TAG;
const { TileLength, TileWidth, XMP, XResolution, YResolution } = TIFF_TAG;

/** Bits of a text as bytes. */
function bits(text: string): Uint8Array {
  const padded = text.padEnd(Math.ceil(text.length / 8) * 8, "0");
  return Uint8Array.from(padded.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

/** 8 × 8 pixels of T.6: white on the left, black on the right. */
const HALVES = bits(`001${"1011"}${"011"}${"11".repeat(7)}${"000000000001".repeat(2)}`);

/** A fax of 8 × 16 pixels in two strips. */
const FAX: TiffPage = {
  ...{ width: 8, height: 16, bits: 1, data: [HALVES, HALVES] },
  fields: {
    ...{ [PhotometricInterpretation]: [0], [Compression]: [4], [RowsPerStrip]: [8] },
    ...{ [XResolution]: [72], [YResolution]: [72] },
  },
};

/** The images on the first page of a PDF. */
async function imagesIn(pdf: Blob): Promise<readonly PDFRawStream[]> {
  const document = await PDFDocument.load(await bytesOf(pdf));
  const objects = document.getPage(0).node.Resources()?.lookup(PDFName.of("XObject"), PDFDict);
  return (objects?.keys() ?? []).flatMap((key) => {
    const image = objects?.lookup(key);
    return image instanceof PDFRawStream ? [image] : [];
  });
}

/** A JPEG without its tables, and the tables alone, as in most TIFFs. */
async function abbreviated(width: number, height: number) {
  const jpeg = await drawing("image/jpeg", width, height, quarters);
  const [tables, rest] = [
    [0xff, 0xd8],
    [0xff, 0xd8],
  ];
  for (let at = 2; ; ) {
    const marker = jpeg[at + 1] ?? 0;
    const end = at + 2 + ((jpeg[at + 2] ?? 0) << 8) + (jpeg[at + 3] ?? 0);
    const isTable = marker === 0xc4 || marker === 0xdb;
    if (marker === 0xda) {
      rest.push(...jpeg.subarray(at));
      return { jpeg, data: Uint8Array.from(rest), tables: Uint8Array.from([...tables, 0xff, 0xd9]) };
    }
    if (isTable) tables.push(...jpeg.subarray(at, end));
    else if (marker >= 0xc0 && marker < 0xd0) rest.push(...jpeg.subarray(at, end));
    at = end;
  }
}

describe("a TIFF of several images", () => {
  const white: TiffPage = { ...FAX, bits: 8, data: [new Uint8Array(128)], fields: {} };
  const file = new File([makeTiff([FAX, white])], "scan.tif");

  test("becomes a zip of images", async () => {
    const result = await shared.convert({ file, output_format: "png" });
    expect(result.file_name).toBe("scan.zip");
    const zip = await JSZip.loadAsync(await bytesOf(await blobOf(result)));
    expect(Object.keys(zip.files)).toEqual(["scan-1.png", "scan-2.png"]);
    expect(await shared.inspect({ file })).toMatchObject({ format: "tiff", images: 2 });
  });

  test("becomes one image if one is selected", async () => {
    const result = await shared.convert({ file, output_format: "png", pages: "primary" });
    expect(result.file_name).toBe("scan.png");
    const picture = await shown(await blobOf(result));
    expect([picture.width, picture.height]).toEqual([8, 16]);
    expect([pixel(picture, 3, 15), pixel(picture, 4, 0)]).toEqual([
      [255, 255, 255, 255],
      [0, 0, 0, 255],
    ]);
  });

  test("becomes a PDF with the fax as it is coded, which PDFium draws", async () => {
    const pdf = await convert(makeTiff([FAX, white]), "pdf");
    const images = await imagesIn(pdf);
    expect(images.map(({ contents }) => contents)).toEqual([HALVES, HALVES]);
    expect(String(images[0]?.dict.lookup(PDFName.of("Filter")))).toBe("/CCITTFaxDecode");
    const page = await shown(await convert(pdf, "png", { dpi: 72, pages: "1" }));
    expect([page.width, page.height]).toEqual([8, 16]);
    expect([pixel(page, 2, 15), pixel(page, 5, 0)]).toEqual([
      [255, 255, 255, 255],
      [0, 0, 0, 255],
    ]);
  });

  test("is rotated in a PDF with all its strips, and its coded data stays", async () => {
    const pdf = await convert(makeTiff([FAX, white]), "pdf", { rotate: "90:1" });
    expect((await imagesIn(pdf)).map(({ contents }) => contents)).toEqual([HALVES, HALVES]);
    const page = await shown(await convert(pdf, "png", { dpi: 72, pages: "1" }));
    expect([page.width, page.height]).toEqual([16, 8]);
    for (const x of [2, 13]) {
      expect(pixel(page, x, 1)).toEqual([255, 255, 255, 255]);
      expect(pixel(page, x, 6)).toEqual([0, 0, 0, 255]);
    }
  });

  test("goes into a merge page by page, in any order, rotated", async () => {
    const file = new File([makeTiff([FAX, white])], "scan.tif");
    const sequence = [
      { file: 0, page: 2, rotate: 90 },
      { file: 0, page: 1 },
      { file: 0, page: 1, rotate: -90 },
    ] as const;
    const merged = await blobOf(await shared.mergePdf({ file, sequence }));
    const { page_sizes } = await shared.inspect({ file: merged });
    expect(page_sizes?.slice(1)).toEqual([
      { width: 8, height: 16 },
      { width: 16, height: 8 },
    ]);
    expect(page_sizes).toHaveLength(3);
    const page = await shown(await convert(merged, "png", { dpi: 72, pages: "3" }));
    // White is at the bottom now.
    expect([pixel(page, 2, 1), pixel(page, 2, 6)]).toEqual([
      [0, 0, 0, 255],
      [255, 255, 255, 255],
    ]);
  });
});

describe("a JPEG in a TIFF", () => {
  const fields = { [PhotometricInterpretation]: [6], [Compression]: [7] };

  test("in one strip becomes the pixels of the JPEG, and goes into a PDF as it is", async () => {
    const { jpeg, data, tables } = await abbreviated(64, 32);
    const page = {
      width: 64,
      height: 32,
      samples: 3,
      data: [data],
      fields: { ...fields, [JPEGTables]: tables },
    };
    const tiff = makeTiff([page]);
    const difference = largestDifference(
      await shown(await convert(tiff, "png")),
      await shown(new Blob([jpeg], { type: "image/jpeg" })),
    );
    expect(difference).toBeLessThanOrEqual(2);
    const [image] = await imagesIn(await convert(tiff, "pdf"));
    expect(String(image?.dict.lookup(PDFName.of("Filter")))).toBe("/DCTDecode");
    expect(image?.contents.subarray(-20)).toEqual(data.subarray(-20));
  });

  test("in tiles is put together", async () => {
    const { jpeg, data, tables } = await abbreviated(32, 16);
    const tiled = { ...fields, [JPEGTables]: tables, [TileWidth]: [32], [TileLength]: [16] };
    const page = { width: 40, height: 16, samples: 3, data: [data, data], fields: tiled };
    const picture = await shown(await convert(makeTiff([page]), "png"));
    const tile = await shown(new Blob([jpeg], { type: "image/jpeg" }));
    expect([picture.width, picture.height]).toEqual([40, 16]);
    for (const [x, from] of [
      [3, 3],
      [28, 28],
      [35, 3],
    ] as const) {
      for (const [index, value] of pixel(tile, from, 12).entries())
        expect(Math.abs((pixel(picture, x, 12)[index] ?? 0) - value)).toBeLessThanOrEqual(2);
    }
  });
});

describe("the colors of a TIFF", () => {
  test("in CMYK are converted by its profile", async () => {
    const inks = { [PhotometricInterpretation]: [5], [ICCProfile]: inkProfile() };
    const data = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0);
    const picture = await shown(
      await convert(makeTiff([{ width: 3, height: 1, samples: 4, data: [data], fields: inks }]), "png"),
    );
    const near = (x: number, gray: number) =>
      pixel(picture, x, 0)
        .slice(0, 3)
        .every((value) => Math.abs(value - gray) <= 2);
    expect([near(0, 255), near(1, 0), near(2, 162)]).toEqual([true, true, true]);
  });
});

test("the XMP of a TIFF is kept on request", async () => {
  const packet = new TextEncoder().encode("<x:xmpmeta>a name</x:xmpmeta>");
  const page = { ...FAX, fields: { ...FAX.fields, [XMP]: packet } };
  for (const to of ["png", "pdf"]) {
    const holds = async (keep_metadata: boolean) =>
      (await (await convert(makeTiff([page]), to, { keep_metadata })).text()).includes("a name");
    expect([await holds(true), await holds(false)]).toEqual([true, false]);
  }
});
