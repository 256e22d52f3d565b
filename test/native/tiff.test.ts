import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { tiffCodec } from "../../workers/image/formats/tiff/codec.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makeTiff, TIFF_TAG } from "../support/fixtures/image/tiff.ts";
import { missing as missingForPdf, pdfChecker, pdfOf } from "../support/image-pdf.ts";
import {
  largestDifference,
  mutoolDraws,
  type NativePicture,
  popplerDraws,
  vips,
  vipsDecodes,
} from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { mustRun, popplerInfo } from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";

const missing = [...announceMissing("TIFF", ["tiffcp"]), ...missingForPdf];
const scratch = new Scratch();
afterAll(() => scratch.remove());
const checked = pdfChecker(scratch);

const WIDTH = 203;
const HEIGHT = 131;

const bytesOf = (path: string) => new Uint8Array(readFileSync(path));

/** The images of a TIFF, decoded here. JPEG needs a browser. */
async function decodeAll(path: string): Promise<readonly NativePicture[]> {
  const noJpeg = { open: () => Promise.reject(new Error("a JPEG")) };
  const images = (await tiffCodec(noJpeg).decoder?.open(new Blob([bytesOf(path)]))) ?? [];
  return Promise.all(
    images.map(async ({ decoders }) => {
      const picture = await decoders.pixels?.(0);
      if (picture === undefined) throw new Error("there is no picture");
      const { width, height, pixels } = picture;
      return { width, height, rgb: new Uint8Array(pixels.filter((_, at) => at % 4 < 3)) };
    }),
  );
}

/** Whether the pixel of a drawing is black: letters of all widths, in noise of a few lines. */
function isBlack(x: number, y: number): boolean {
  if (y > 100) return ((x * 7919 + y * 104_729) >> 3) % 5 < 2;
  return (x >> (y % 6)) % 3 === 0 && y % 25 > 4;
}

/** A bilevel TIFF of one strip, and changes of its fields. */
function bilevel(fields: Readonly<Record<number, readonly number[]>> = {}): string {
  const rowBytes = Math.ceil(WIDTH / 8);
  const data = new Uint8Array(rowBytes * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const at = y * rowBytes + (x >> 3);
      if (isBlack(x, y)) data[at] = (data[at] ?? 0) | (128 >> (x & 7));
    }
  }
  const usual = {
    ...{ [TIFF_TAG.PhotometricInterpretation]: [0] },
    ...{ [TIFF_TAG.XResolution]: [200], [TIFF_TAG.YResolution]: [200] },
  };
  const page = { width: WIDTH, height: HEIGHT, bits: 1, data: [data], fields: { ...usual, ...fields } };
  return onDisk(scratch, makeTiff([page]), "bilevel.tif");
}

/** A copy made by libtiff. */
async function tiffcp(input: string, ...options: readonly string[]): Promise<string> {
  const path = scratch.path("copy.tif");
  await mustRun("tiffcp", [...options, input, path]);
  return path;
}

const png = (colorType: 0 | 2, bitDepth: 8 | 16) =>
  onDisk(
    scratch,
    makePng({
      ...{ width: WIDTH, height: HEIGHT, colorType, bitDepth },
      sample: (x, y) => {
        const most = 2 ** bitDepth - 1;
        const color = [x / WIDTH, y / HEIGHT, isBlack(x, y) ? 0.2 : 0.9].map((share) =>
          Math.round(share * most),
        );
        return colorType === 0 ? color.slice(0, 1) : color;
      },
    }),
    "picture.png",
  );

/** Compares our pixels with those of libvips, of another file if libvips does not read this one. */
async function expectAsByVips(path: string, native = path): Promise<void> {
  const [picture] = await decodeAll(path);
  if (picture === undefined) throw new Error("there is no picture");
  expect(largestDifference(picture, await vipsDecodes(native, scratch.path("decoded")))).toBe(0);
}

describe.skipIf(missing.length > 0).concurrent("a TIFF is decoded as by libtiff", () => {
  const colors = [
    ["gray", 0, 8],
    ["RGB", 2, 8],
    ["gray of 16 bits", 0, 16],
    ["RGB of 16 bits", 2, 16],
  ] as const;
  const ways: readonly (readonly string[])[] = [
    ["--compression=none"],
    ["--compression=lzw"],
    ["--compression=lzw", "--predictor=horizontal"],
    ["--compression=deflate"],
    ["--compression=deflate", "--predictor=horizontal", "--tile", "--tile-width=64", "--tile-height=32"],
    ["--compression=packbits"],
    ["--compression=lzw", "--bigtiff"],
  ];
  const cases = colors.flatMap(([name, colorType, bits]) =>
    ways.map((way) => [name, way.join(" "), colorType, bits, way] as const),
  );
  test.each(cases)("%s, %s", async (_name, _way, colorType, bits, way) => {
    const path = scratch.path("made.tif");
    await vips("tiffsave", png(colorType, bits), path, ...way);
    await expectAsByVips(path);
  });

  test.each([1, 2, 4])("gray of %i bits", async (bits) => {
    const path = scratch.path("made.tif");
    await vips("tiffsave", png(0, 8), path, `--bitdepth=${bits}`);
    await expectAsByVips(path);
  });

  test.each<[options: string, bits: 8 | 16]>([
    ["-p separate", 8],
    ["-p separate -t -w 32 -l 64", 8],
    ["-B", 16],
    ["-L", 16],
  ])("rewritten with %s, of %i bits", async (options, bits) => {
    const plain = scratch.path("plain.tif");
    await vips("copy", png(2, bits), plain);
    const copy = await tiffcp(plain, "-c", "lzw:2", ...options.split(" "));
    await expectAsByVips(copy, plain);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("with the orientation %i", async (orientation) => {
    await expectAsByVips(bilevel({ [TIFF_TAG.Orientation]: [orientation] }));
  });
});

const FAXES: readonly (readonly string[])[] = [["g3:1d"], ["g3:2d"], ["g3:1d:fill"], ["g3:2d:fill"], ["g4"]];
const FAX_OPTIONS: readonly (readonly string[])[] = [
  ["-r", "-1"],
  ["-r", "20"],
  ["-r", "-1", "-f", "lsb2msb"],
  ["-r", "20", "-f", "lsb2msb", "-B"],
];

describe.skipIf(missing.length > 0).concurrent("a fax", () => {
  const cases = FAXES.flatMap(([coding = ""]) =>
    FAX_OPTIONS.flatMap((options) =>
      [0, 1].map((photometric) => [coding, options.join(" "), photometric] as const),
    ),
  );

  test.each(cases)(
    "of %s %s is decoded exactly, photometric interpretation %i",
    async (coding, options, photometric) => {
      const plain = bilevel({ [TIFF_TAG.PhotometricInterpretation]: [photometric] });
      await expectAsByVips(await tiffcp(plain, "-c", coding, ...options.split(" ")));
    },
  );

  test.each(cases)(
    "of %s %s is copied into a PDF, photometric interpretation %i",
    async (coding, options, photometric) => {
      const plain = bilevel({ [TIFF_TAG.PhotometricInterpretation]: [photometric] });
      const fax = await tiffcp(plain, "-c", coding, ...options.split(" "));
      const path = await checked(bytesOf(fax), "tiff");
      const list = (await mustRun("pdfimages", ["-list", path])).toString();
      const strips = options.includes("20") ? Math.ceil(HEIGHT / 20) : 1;
      expect(list.match(/ ccitt /g)).toHaveLength(strips);
      const expected = await vipsDecodes(plain, scratch.path("expected"));
      expect(largestDifference(await popplerDraws(path, WIDTH, HEIGHT), expected)).toBe(0);
      expect(largestDifference(await mutoolDraws(path, WIDTH, HEIGHT), expected)).toBe(0);
    },
  );

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("is upright in a PDF with the orientation %i", async (orientation) => {
    const plain = bilevel({ [TIFF_TAG.Orientation]: [orientation] });
    const expected = await vipsDecodes(plain, scratch.path("expected"));
    for (const rows of ["-1", "20"]) {
      const path = await checked(bytesOf(await tiffcp(plain, "-c", "g4", "-r", rows)), "tiff");
      const drawn = await popplerDraws(path, expected.width, expected.height);
      expect(largestDifference(drawn, expected)).toBe(0);
    }
  });

  test("of rows of bytes is decoded exactly and copied into a PDF", async () => {
    // White runs of 4 and 12 pixels with a black one of 4 between them: 1011 011 001000, and 3 bits of padding.
    const row = [0b10110110, 0b01000000];
    const data = Uint8Array.from({ length: 2 * HEIGHT }, (_, at) => row[at % 2] ?? 0);
    const fields = { [TIFF_TAG.PhotometricInterpretation]: [0], [TIFF_TAG.Compression]: [2] };
    const fax = onDisk(
      scratch,
      makeTiff([{ width: 20, height: HEIGHT, bits: 1, data: [data], fields }]),
      "a.tif",
    );
    await expectAsByVips(fax);
    const drawn = await popplerDraws(await checked(bytesOf(fax), "tiff"), 20, HEIGHT);
    expect(largestDifference(drawn, await vipsDecodes(fax, scratch.path("expected")))).toBe(0);
  });

  test("has a page as large as its resolution says", async () => {
    const fax = bilevel({ [TIFF_TAG.XResolution]: [204], [TIFF_TAG.YResolution]: [98] });
    const path = await checked(bytesOf(await tiffcp(fax, "-c", "g4")), "tiff");
    expect((await popplerInfo(path)).get("Page size")).toMatch(/^71\.647\d* x 96\.244\d* pts/);
  });

  test("of several pages becomes as many pages", async () => {
    const pages = [bilevel(), bilevel({ [TIFF_TAG.Orientation]: [6] })];
    const path = scratch.path("pages.tif");
    await mustRun("tiffcp", ["-c", "g4", ...pages, path]);
    expect(await decodeAll(path)).toMatchObject([
      { width: WIDTH, height: HEIGHT },
      { width: HEIGHT, height: WIDTH },
    ]);
    const pdf = onDisk(scratch, await pdfOf(bytesOf(path), "tiff"), "pages.pdf");
    expect((await popplerInfo(pdf)).get("Pages")).toBe("2");
    const second = onDisk(scratch, await pdfOf(bytesOf(path), "tiff", { pages: "2" }), "page.pdf");
    expect((await popplerInfo(second)).get("Pages")).toBe("1");
  });

  test("that is cut off is damaged_file", async () => {
    const fax = bytesOf(await tiffcp(bilevel(), "-c", "g4", "-r", "-1"));
    // libtiff writes the directory at the end, so the cut is in the code.
    const [image] = (await tiffCodec({ open: async () => [] }).decoder?.open(new Blob([fax]))) ?? [];
    expect(image?.stored?.()).toMatchObject({ kind: "fax", k: -1 });
    const blank = fax.slice().fill(0, 200, 700);
    const [damaged] = (await tiffCodec({ open: async () => [] }).decoder?.open(new Blob([blank]))) ?? [];
    await expect(damaged?.decoders.pixels?.(0)).rejects.toMatchObject({ code: "damaged_file" });
  });
});

describe.skipIf(missing.length > 0).concurrent("a JPEG in a TIFF", () => {
  test.each([
    ["YCbCr", "jpeg"],
    ["RGB", "jpeg:r"],
  ])("of %s in one strip is copied into a PDF", async (_, coding) => {
    const plain = scratch.path("plain.tif");
    await vips("copy", png(2, 8), plain);
    const tiff = await tiffcp(plain, "-c", coding, "-r", "-1");
    const path = await checked(bytesOf(tiff), "tiff");
    expect((await mustRun("pdfimages", ["-list", path])).toString()).toContain(" jpeg ");
    const expected = await vipsDecodes(tiff, scratch.path("expected"));
    expect(largestDifference(await popplerDraws(path, WIDTH, HEIGHT), expected)).toBeLessThanOrEqual(2);
    expect(largestDifference(await mutoolDraws(path, WIDTH, HEIGHT), expected)).toBeLessThanOrEqual(2);
  });
});
