import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jpegContent } from "../../../../../../workers/image/formats/jpg/content.ts";
import { mendedJpeg } from "../../../../../../workers/image/formats/jpg/decoders.ts";
import { readJpeg } from "../../../../../../workers/image/formats/jpg/read-jpeg.ts";
import { readScans } from "../../../../../../workers/image/formats/jpg/scans.ts";
import { withJpegMetadata } from "../../../../../../workers/image/formats/jpg/write-metadata.ts";
import { bufferSource } from "../../../../../../workers/io/source.ts";
import { codeOf } from "../../../../../support/code-of.ts";
import { concatBytes, latin1, uint32s } from "../../../../../support/fixtures/image/bytes.ts";
import {
  exifSegment,
  iccHeader,
  jpegSegment,
  tiff,
  withSegments,
} from "../../../../../support/fixtures/image/jpeg.ts";

const FRAME = jpegSegment(0xc0, Uint8Array.of(8, 0, 30, 0, 40, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1));
const TABLE = jpegSegment(0xc4, Uint8Array.of(0, 1, 2, 3));
const SCAN = concatBytes([
  jpegSegment(0xda, Uint8Array.of(1, 1, 0, 0, 63, 0)),
  Uint8Array.of(1, 0xff, 0, 2, 0xff, 0xd0, 3),
]);
const SOI = Uint8Array.of(0xff, 0xd8);
const EOI = Uint8Array.of(0xff, 0xd9);
const JFIF = jpegSegment(0xe0, "JFIF\0", Uint8Array.of(1, 2, 1, 0, 200, 0, 100, 0, 0));
const PLAIN = concatBytes([SOI, FRAME, TABLE, SCAN, EOI]);

function read(bytes: Uint8Array) {
  return readJpeg(bufferSource(bytes));
}

function content(bytes: Uint8Array, keepMetadata = false): Uint8Array {
  const source = bufferSource(bytes);
  const pieces = jpegContent(source, readJpeg(source), keepMetadata);
  return concatBytes(
    pieces.map((piece) => (piece.kind === "bytes" ? piece.bytes : source.read(piece.start, piece.end))),
  );
}

describe("readJpeg reads", () => {
  test("the size and the frame", () => {
    expect(read(PLAIN)).toMatchObject({
      width: 40,
      height: 30,
      frame: { process: 0xc0, precision: 8, components: [1, 2, 3] },
      hasJfif: false,
      adobeTransform: undefined,
      resolution: undefined,
      orientation: 1,
      icc: undefined,
    });
  });

  test("the density of JFIF before that of EXIF", () => {
    const exif = exifSegment(
      tiff({ littleEndian: true, resolution: { x: [72, 1], y: [72, 1], unit: 2 }, orientation: 6 }),
    );
    expect(read(withSegments(PLAIN, [JFIF, exif]))).toMatchObject({
      resolution: { x: 200, y: 100 },
      orientation: 6,
    });
    expect(read(withSegments(PLAIN, [exif])).resolution).toEqual({ x: 72, y: 72 });
  });

  test.each<[string, number, number, { x: number; y: number } | undefined]>([
    ["1 to the inch, written where none is meant", 1, 1, undefined],
    ["1 to the centimeter", 2, 1, undefined],
    ["72 with its bytes swapped", 1, 18_432, undefined],
    ["300 with its bytes swapped", 1, 0x2c01, undefined],
    ["10", 1, 10, { x: 10, y: 10 }],
    ["3,937 to the centimeter", 2, 3937, { x: 3937 * 2.54, y: 3937 * 2.54 }],
  ])("a plausible density: %s", (_, unit, density, resolution) => {
    const [high, low] = [density >> 8, density & 255];
    const jfif = jpegSegment(0xe0, "JFIF\0", Uint8Array.of(1, 2, unit, high, low, high, low, 0, 0));
    expect(read(withSegments(PLAIN, [jfif])).resolution).toEqual(resolution);
  });

  test("the density of EXIF if that of JFIF is implausible", () => {
    const jfif = jpegSegment(0xe0, "JFIF\0", Uint8Array.of(1, 2, 1, 0, 1, 0, 1, 0, 0));
    const exif = exifSegment(tiff({ littleEndian: true, resolution: { x: [300, 1], y: [300, 1], unit: 2 } }));
    expect(read(withSegments(PLAIN, [jfif, exif])).resolution).toEqual({ x: 300, y: 300 });
  });

  test("the color transform of Adobe", () => {
    const adobe = jpegSegment(0xee, "Adobe", Uint8Array.of(0, 100, 0, 0, 0, 0, 2));
    expect(read(withSegments(PLAIN, [adobe])).adobeTransform).toBe(2);
  });

  test("a profile in parts in any order, if it is complete", () => {
    const profile = iccHeader("RGB ", 900);
    const part = (number: number, count: number, start: number, end: number) =>
      jpegSegment(0xe2, "ICC_PROFILE\0", Uint8Array.of(number, count), profile.subarray(start, end));
    const shuffled = [part(3, 3, 700, 900), part(1, 3, 0, 300), part(2, 3, 300, 700)];
    expect(read(withSegments(PLAIN, shuffled)).icc).toEqual(profile);
    expect(read(withSegments(PLAIN, shuffled.slice(1))).icc).toBeUndefined();
  });

  test("XMP and the extended XMP that it names", () => {
    const name = "0123456789ABCDEF0123456789ABCDEF";
    const note = `<x xmpNote:HasExtendedXMP="${name.toLowerCase()}"/>`;
    const extension = (text: string, at: number, of = name) =>
      jpegSegment(0xe1, "http://ns.adobe.com/xmp/extension/\0", of, uint32s(8, at), text);
    const parts = [extension("staleold", 0, "F".repeat(32)), extension("fgh", 5), extension("abcde", 0)];
    const jpeg = withSegments(PLAIN, [jpegSegment(0xe1, "http://ns.adobe.com/xap/1.0/\0", note), ...parts]);
    const { xmp, extendedXmp } = read(jpeg);
    expect(Buffer.from(xmp ?? []).toString()).toBe(note);
    expect(Buffer.from(extendedXmp ?? []).toString()).toBe("abcdefgh");
  });

  test("across fill bytes and junk between segments", () => {
    const [fill, junk] = [Uint8Array.of(0xff, 0xff), Uint8Array.of(7, 7, 7)];
    const jpeg = concatBytes([SOI, fill, FRAME, junk, TABLE, SCAN, EOI]);
    expect(read(jpeg)).toMatchObject({ width: 40, height: 30 });
    expect(content(jpeg)).toEqual(concatBytes([SOI, FRAME, TABLE, SCAN, EOI]));
  });
});

describe("the coded data that is kept", () => {
  const secrets = [
    exifSegment(concatBytes([tiff({ littleEndian: false, hasPosition: true }), latin1("SECRET")])),
    jpegSegment(0xe1, "http://ns.adobe.com/xap/1.0/\0", "SECRET"),
    jpegSegment(0xe2, "MPF\0SECRET"),
    jpegSegment(0xed, "Photoshop 3.0\0SECRET"),
    jpegSegment(0xfe, "SECRET"),
  ];
  const adobe = jpegSegment(0xee, "Adobe", Uint8Array.of(0, 100, 0, 0, 0, 0, 1));
  const icc = jpegSegment(0xe2, "ICC_PROFILE\0", Uint8Array.of(1, 1), iccHeader("RGB "));
  const trailer = latin1("SECRET behind the picture");

  test("has no metadata and nothing after its end", () => {
    const jpeg = concatBytes([withSegments(PLAIN, [JFIF, ...secrets, adobe, icc]), trailer]);
    expect(content(jpeg)).toEqual(concatBytes([SOI, JFIF, adobe, FRAME, TABLE, SCAN, EOI]));
  });

  test("gets another profile in parts", async () => {
    const jpeg = withSegments(PLAIN, [JFIF, icc, adobe, icc]);
    const other = new Uint8Array(70_000).fill(7);
    const parts = [other.subarray(0, 65_519), other.subarray(65_519)].map((part, index) =>
      jpegSegment(0xe2, "ICC_PROFILE\0", Uint8Array.of(index + 1, 2), part),
    );
    const made = withJpegMetadata(Uint8Array.from(content(jpeg)), { icc: other });
    const expected = concatBytes([SOI, JFIF, ...parts, adobe, FRAME, TABLE, SCAN, EOI]);
    expect(new Uint8Array(await made.arrayBuffer())).toEqual(expected);
  });

  test("has no metadata between scans", () => {
    const jpeg = concatBytes([SOI, FRAME, TABLE, SCAN, ...secrets, TABLE, SCAN, EOI]);
    expect(content(jpeg)).toEqual(concatBytes([SOI, FRAME, TABLE, SCAN, TABLE, SCAN, EOI]));
  });

  test("has no JFIF thumbnail", () => {
    const thumbnail = jpegSegment(0xe0, "JFIF\0", Uint8Array.of(1, 2, 1, 0, 200, 0, 100, 1, 1), "SEC");
    expect(content(withSegments(PLAIN, [thumbnail]))).toEqual(withSegments(PLAIN, [JFIF]));
    const extension = jpegSegment(0xe0, "JFXX\0SECRET");
    expect(content(withSegments(PLAIN, [extension]))).toEqual(PLAIN);
  });

  test("is the file up to its end if metadata is kept", () => {
    const jpeg = withSegments(PLAIN, [JFIF, icc, ...secrets]);
    expect(content(concatBytes([jpeg, trailer]), true)).toEqual(jpeg);
  });
});

describe("the mended copy of a damaged JPEG", () => {
  const scansOf = (bytes: Uint8Array) => {
    const source = bufferSource(bytes);
    return readScans(source, readJpeg(source));
  };
  const mended = (bytes: Uint8Array<ArrayBuffer>) => mendedJpeg(bytes, scansOf(bytes));
  const foreign = (code: number) => Uint8Array.of(0xff, code, 0, 2);

  test.each([0xf7, 0xcc, 0x35, 0xd8])("ends at the marker %i in a scan", async (code) => {
    const damaged = concatBytes([SOI, FRAME, TABLE, SCAN, foreign(code), SCAN.subarray(-6), EOI]);
    expect(scansOf(damaged).ending).toBe("foreign marker");
    expect(await mended(damaged)).toEqual(PLAIN);
    expect(await codeOf(() => content(damaged))).toBe("damaged_file");
  });

  test("ends before a table without a scan", async () => {
    const damaged = concatBytes([SOI, FRAME, TABLE, SCAN, TABLE, EOI]);
    expect(scansOf(damaged).ending).toBe("foreign marker");
    expect(await mended(damaged)).toEqual(PLAIN);
  });

  test("continues after invalid markers at a restart", () => {
    const restart = jpegSegment(0xdd, Uint8Array.of(0, 4));
    const invalid = Uint8Array.of(0xff, 0x35, 7, 0xff, 0xd1, 8);
    const jpeg = concatBytes([SOI, FRAME, restart, TABLE, SCAN, invalid, EOI]);
    expect(scansOf(jpeg).ending).toBe("whole");
  });

  test("is refused when the file ends within a segment", async () => {
    expect(scansOf(PLAIN).ending).toBe("whole");
    expect(scansOf(PLAIN.subarray(0, -2)).ending).toBe("no end marker");
    const cut = concatBytes([PLAIN.subarray(0, -2), TABLE.subarray(0, -1)]);
    expect(scansOf(cut).ending).toBe("cut off");
    await expect(mended(cut)).rejects.toMatchObject({ code: "damaged_file" });
  });
});

describe("readJpeg returns damaged_file for", () => {
  test("a truncated file", async () => {
    for (let length = 0; length < PLAIN.length; length++) {
      expect(await codeOf(() => content(PLAIN.subarray(0, length)))).toBe("damaged_file");
    }
  });

  test.each([
    ["no frame", concatBytes([SOI, TABLE, SCAN, EOI])],
    ["no scan", concatBytes([SOI, FRAME, EOI])],
    [
      "no pixels",
      concatBytes([SOI, jpegSegment(0xc0, Uint8Array.of(8, 0, 30, 0, 0, 1, 1, 0x11, 0)), SCAN, EOI]),
    ],
    ["no components", concatBytes([SOI, jpegSegment(0xc0, Uint8Array.of(8, 0, 30, 0, 9, 0)), SCAN, EOI])],
  ])("%s", async (_, bytes) => {
    expect(await codeOf(() => read(bytes))).toBe("damaged_file");
  });

  test("very many segments", async () => {
    const flood = concatBytes(Array.from({ length: 30_000 }, () => jpegSegment(0xe5)));
    expect(await codeOf(() => read(withSegments(PLAIN, [flood])))).toBe("damaged_file");
  });

  test("any bytes, unless they are a JPEG", async () => {
    const byte = fc.oneof(fc.constantFrom(0xff, 0, 0xd8, 0xd9, 0xda, 0xc0, 0xe1, 0xe2), fc.nat(255));
    const segments = fc.constantFrom(FRAME, TABLE, SCAN, JFIF, EOI, jpegSegment(0xdc, Uint8Array.of(0, 9)));
    const noise = fc.array(byte, { maxLength: 30 }).map((bytes) => Uint8Array.from(bytes));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(segments, noise), { maxLength: 12 }), async (parts) => {
        const bytes = concatBytes([SOI, ...parts]);
        expect(["none", "damaged_file"]).toContain(await codeOf(() => content(bytes)));
      }),
      { numRuns: 500 },
    );
  });

  test("a long run with or without markers, in linear time", async () => {
    for (const fill of [0, 0xff]) {
      const bytes = new Uint8Array(20_000_000).fill(fill);
      bytes.set(SOI);
      expect(await codeOf(() => read(bytes))).toBe("damaged_file");
    }
  });
});
