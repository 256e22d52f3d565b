import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { embedJpeg } from "../../workers/image/to-pdf/embed-jpeg.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { latin1 } from "../support/fixtures/image/bytes.ts";
import { displayP3 } from "../support/fixtures/image/icc.ts";
import { inkProfile } from "../support/fixtures/image/ink-profile.ts";
import {
  exifSegment,
  iccHeader,
  JPEG_TABLES,
  jpegSegment,
  tiff,
  withSegments,
} from "../support/fixtures/image/jpeg.ts";
import { HEIGHT, plan, WIDTH } from "../support/fixtures/image/noisy-png.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { missing, pdfChecker, pdfOf } from "../support/image-pdf.ts";
import {
  largestDifference,
  mutoolDraws,
  popplerDraws,
  vips,
  vipsDecodes,
} from "../support/native-pictures.ts";
import { runTool, Scratch } from "../support/native-tools.ts";
import { popplerInfo } from "../support/oracles.ts";

const scratch = new Scratch();
afterAll(() => scratch.remove());

const checked = pdfChecker(scratch);

describe.skipIf(missing.length > 0).concurrent("a JPEG in a PDF", () => {
  /** A picture without symmetry, as a JPEG by libvips. */
  async function photo(bands: 1 | 3, ...options: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
    const { recipe } = plan(bands === 1 ? 0 : 2, 8, "opaque");
    const png = scratch.path("photo.png");
    const jpeg = scratch.path("photo.jpg");
    writeFileSync(
      png,
      makePng({ ...recipe, sample: (x, y) => [0, 60, 120].map((more) => (x * 5 + y * 2 + more) % 256) }),
    );
    await vips("jpegsave", png, jpeg, ...options);
    return new Uint8Array(readFileSync(jpeg));
  }

  /** A new file for libvips. */
  function saved(jpeg: Uint8Array): string {
    const path = scratch.path("image.jpg");
    writeFileSync(path, jpeg);
    return path;
  }

  test.each<[string, 1 | 3, string[]]>([
    ["gray", 1, []],
    ["baseline", 3, []],
    ["progressive", 3, ["--interlace"]],
    ["with all its colors", 3, ["--subsample-mode", "off"]],
  ])("is drawn as libvips decodes it: %s", async (_, bands, options) => {
    const jpeg = await photo(bands, ...options);
    const path = await checked(jpeg, "jpg");
    const expected = await vipsDecodes(saved(jpeg), scratch.path("decoded"));
    expect(largestDifference(await mutoolDraws(path, WIDTH, HEIGHT), expected)).toBe(0);
    expect(largestDifference(await popplerDraws(path, WIDTH, HEIGHT), expected)).toBe(0);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("of orientation %i is upright", async (orientation) => {
    const exif = exifSegment(tiff({ littleEndian: orientation % 2 === 0, orientation }));
    const jpeg = withSegments(await photo(3, "--strip"), [exif]);
    const path = await checked(jpeg, "jpg");
    const expected = await vipsDecodes(saved(jpeg), scratch.path("decoded"));
    expect(expected.width).toBe(orientation >= 5 ? HEIGHT : WIDTH);
    const { width, height } = expected;
    expect(largestDifference(await mutoolDraws(path, width, height), expected)).toBe(0);
    expect(largestDifference(await popplerDraws(path, width, height), expected)).toBe(0);
  });

  const SECRETS = [
    exifSegment(Uint8Array.of(...tiff({ littleEndian: true, hasPosition: true }), ...latin1("SECRET"))),
    jpegSegment(0xe1, "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>SECRET</x:xmpmeta>"),
    jpegSegment(0xed, "Photoshop 3.0\0SECRET"),
    jpegSegment(0xfe, "SECRET"),
  ];

  test("keeps its coded data and loses its GPS position", async () => {
    const plain = await photo(3, "--strip");
    const pdf = await pdfOf(withSegments(plain, SECRETS), "jpg");
    expect(Buffer.from(pdf).includes(Buffer.from(plain))).toBe(true);
    expect(Buffer.from(pdf).includes("SECRET")).toBe(false);
  });

  test("keeps EXIF and XMP with keep_metadata", async () => {
    const jpeg = withSegments(await photo(3, "--strip"), SECRETS);
    const path = await checked(jpeg, "jpg", { keepMetadata: true });
    expect(readFileSync(path).includes(Buffer.from(jpeg))).toBe(true);
    expect((await popplerInfo(path)).get("Metadata Stream")).toBe("yes");
  });

  test("has its profile as its color space only when the profile fits its components", async () => {
    const plain = await photo(3, "--strip");
    const withProfile = (profile: Uint8Array) =>
      withSegments(plain, [jpegSegment(0xe2, "ICC_PROFILE\0\x01\x01", profile)]);
    const list = async (jpeg: Uint8Array<ArrayBuffer>) =>
      (await runTool("pdfimages", ["-list", await checked(jpeg, "jpg")])).stdout.toString("utf8");
    expect(await list(withProfile(displayP3()))).toMatch(/\bicc\b/);
    expect(await list(withProfile(inkProfile()))).toMatch(/\brgb\b/);
    // A damaged profile is ignored.
    expect(await list(withProfile(iccHeader("RGB ")))).toMatch(/\brgb\b/);
  });

  test("is decoded when its segments contradict each other about colors", async () => {
    const yCbCr = jpegSegment(0xe0, "JFIF\0", Uint8Array.of(1, 1, 0, 0, 1, 0, 1, 0, 0));
    const asTheyAre = jpegSegment(0xee, "Adobe", Uint8Array.of(0, 100, 0, 0, 0, 0, 0));
    const jpeg = await photo(3, "--strip");
    expect(embedJpeg(bufferSource(withSegments(jpeg, [asTheyAre])), false)).toBeDefined();
    expect(embedJpeg(bufferSource(withSegments(jpeg, [yCbCr, asTheyAre])), false)).toBeUndefined();
  });

  test("is inverted when it is CMYK, with the segment of Adobe or without", async () => {
    const frame = jpegSegment(0xc0, Uint8Array.of(8, 0, 8, 0, 8, 4, 1, 17, 0, 2, 17, 0, 3, 17, 0, 4, 17, 0));
    const scan = jpegSegment(0xda, Uint8Array.of(4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0));
    const tables = JPEG_TABLES.flatMap((table) => [...table]);
    const cmyk = Uint8Array.of(0xff, 0xd8, ...tables, ...frame, ...scan, 0, 0xff, 0xd9);
    const adobe = jpegSegment(0xee, "Adobe", Uint8Array.of(0, 100, 0, 0, 0, 0, 2));
    const text = async (jpeg: Uint8Array<ArrayBuffer>) =>
      Buffer.from(await pdfOf(jpeg, "jpg")).toString("latin1");
    expect(await text(cmyk)).toMatch(/\/DeviceCMYK/);
    expect(await text(cmyk)).toMatch(/\/Decode \[1 0 1 0 1 0 1 0\]/);
    expect(await text(withSegments(cmyk, [adobe]))).toMatch(/\/Decode \[1 0 1 0 1 0 1 0\]/);
  });

  test("is placed on a page of a paper size", async () => {
    const path = await checked(await photo(3), "jpg", { pageSize: "a4" });
    expect((await popplerInfo(path)).get("Page size")).toBe("841.89 x 595.276 pts (A4)");
  });
});
