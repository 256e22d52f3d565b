import { describe, expect, test } from "vitest";
import { readJpeg } from "../../../../../../workers/image/formats/jpg/read-jpeg.ts";
import { readScans } from "../../../../../../workers/image/formats/jpg/scans.ts";
import { hasSoundTables } from "../../../../../../workers/image/formats/jpg/tables.ts";
import { bufferSource } from "../../../../../../workers/io/source.ts";
import { concatBytes } from "../../../../../support/fixtures/image/bytes.ts";
import { JPEG_TABLES, jpegSegment } from "../../../../../support/fixtures/image/jpeg.ts";

const EMPTY = new Uint8Array();
const [QUANTIZATION = EMPTY, DC = EMPTY, AC = EMPTY] = JPEG_TABLES;
const CUT_OFF = jpegSegment(0xdb, Uint8Array.of(0), new Uint8Array(63).fill(1));
const FRAME = jpegSegment(0xc0, Uint8Array.of(8, 0, 8, 0, 8, 1, 1, 0x11, 0));
const scan = (...header: readonly number[]) =>
  concatBytes([jpegSegment(0xda, Uint8Array.from(header)), Uint8Array.of(0x3f)]);
const SCAN = scan(1, 1, 0x00, 0, 63, 0);

const TOO_MANY_CODES = jpegSegment(0xc4, Uint8Array.of(0, 3, ...new Uint8Array(15), 0, 1, 2));

function isSound(...segments: readonly Uint8Array[]): boolean {
  const source = bufferSource(
    concatBytes([Uint8Array.of(0xff, 0xd8), ...segments, Uint8Array.of(0xff, 0xd9)]),
  );
  const jpeg = readJpeg(source);
  return hasSoundTables(source, [...jpeg.segments, ...readScans(source, jpeg).segments]);
}

describe("a JPEG has sound tables", () => {
  test("if its scan has the tables that it names", () => {
    expect(isSound(QUANTIZATION, FRAME, DC, AC, SCAN)).toBe(true);
  });

  test("if they are behind its frame header, or several in a segment", () => {
    const both = jpegSegment(0xc4, DC.subarray(4), AC.subarray(4));
    expect(isSound(FRAME, QUANTIZATION, both, SCAN)).toBe(true);
  });

  test("if a scan has the tables that it needs only", () => {
    const progressive = FRAME.slice();
    progressive[1] = 0xc2;
    const refinement = scan(1, 1, 0x11, 0, 0, 0x10);
    expect(isSound(QUANTIZATION, progressive, DC, scan(1, 1, 0x00, 0, 0, 1), refinement)).toBe(true);
    expect(isSound(QUANTIZATION, progressive, AC, scan(1, 1, 0x00, 1, 63, 0))).toBe(true);
  });

  test("if the unsound ones follow the only scan, because decoders do not read them", () => {
    expect(isSound(QUANTIZATION, FRAME, DC, AC, SCAN, TOO_MANY_CODES, SCAN)).toBe(true);
  });

  test.each([
    ["DC and AC coefficients", 0, 63, 0],
    ["more coefficients than there are", 1, 64, 0],
    ["a refinement of a bit that is not the next", 1, 63, 0x31],
    ["a bit that is too low", 0, 0, 0x0e],
  ])("but not if a progressive scan has %s", (_, first, last, approximation) => {
    const progressive = FRAME.slice();
    progressive[1] = 0xc2;
    expect(isSound(QUANTIZATION, progressive, DC, AC, scan(1, 1, 0, first, last, approximation))).toBe(false);
  });

  test("if it uses arithmetic coding, whose tables are others", () => {
    const arithmetic = FRAME.slice();
    arithmetic[1] = 0xc9;
    expect(isSound(QUANTIZATION, arithmetic, SCAN)).toBe(true);
  });
});

describe("a JPEG has unsound tables", () => {
  test.each<[string, ...Uint8Array[]]>([
    ["without a quantization table", FRAME, DC, AC, SCAN],
    ["without a Huffman table for DC", QUANTIZATION, FRAME, AC, SCAN],
    ["without a Huffman table for AC", QUANTIZATION, FRAME, DC, SCAN],
    ["if a table comes after the scan that needs it", QUANTIZATION, FRAME, DC, SCAN, AC, SCAN],
    ["if a quantization table is cut off", CUT_OFF, FRAME, DC, AC, SCAN],
    [
      "if a Huffman table has more codes than there can be",
      ...[QUANTIZATION, FRAME, DC, AC],
      TOO_MANY_CODES,
      SCAN,
    ],
    [
      "if a scan has a component that the frame has not",
      QUANTIZATION,
      FRAME,
      DC,
      AC,
      scan(1, 2, 0, 0, 63, 0),
    ],
    ["if the header of a scan is too long", QUANTIZATION, FRAME, DC, AC, scan(1, 1, 0, 0, 63, 0, 0)],
    ["with two frame headers", QUANTIZATION, FRAME, FRAME, DC, AC, SCAN],
    [
      "if the restart interval is too long",
      QUANTIZATION,
      FRAME,
      DC,
      AC,
      jpegSegment(0xdd, new Uint8Array(3)),
      SCAN,
    ],
  ])("%s", (_, ...segments) => {
    expect(isSound(...segments)).toBe(false);
  });
});
