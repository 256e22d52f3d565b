import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readExif, uprightExif } from "../../../../../workers/image/metadata/exif.ts";
import { concatBytes, latin1 } from "../../../../support/fixtures/image/bytes.ts";
import { tiff } from "../../../../support/fixtures/image/jpeg.ts";

describe.each([true, false])("an EXIF block, little endian: %s", (littleEndian) => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("orientation %i", (orientation) => {
    expect(readExif(tiff({ littleEndian, orientation })).orientation).toBe(orientation);
  });

  test.each([0, 9, 65535])("orientation %i is invalid and means upright", (orientation) => {
    expect(readExif(tiff({ littleEndian, orientation })).orientation).toBe(1);
  });

  test("ignores an orientation of another type, as browsers do", () => {
    expect(readExif(tiff({ littleEndian, orientation: 6, orientationType: 4 })).orientation).toBe(1);
  });

  test("replaces the size of the picture", () => {
    const view = new DataView(new ArrayBuffer(80));
    const entry = (at: number, tag: number, type: number, value: number) => {
      view.setUint16(at, tag, littleEndian);
      view.setUint16(at + 2, type, littleEndian);
      view.setUint32(at + 4, 1, littleEndian);
      if (type === 3) view.setUint16(at + 8, value, littleEndian);
      else view.setUint32(at + 8, value, littleEndian);
    };
    view.setUint16(0, littleEndian ? 0x4949 : 0x4d4d);
    view.setUint16(2, 42, littleEndian);
    view.setUint32(4, 8, littleEndian);
    const write = (width: number, height: number) => {
      view.setUint16(8, 2, littleEndian);
      entry(10, 0x0100, 3, width);
      entry(22, 0x8769, 4, 40);
      view.setUint16(40, 2, littleEndian);
      entry(42, 0xa002, 4, width);
      entry(54, 0xa003, 3, height);
    };
    write(4000, 3000);
    const block = uprightExif(new Uint8Array(view.buffer.slice(0)), { width: 1600, height: 1200 });
    write(1600, 1200);
    expect(block).toEqual(new Uint8Array(view.buffer));
  });

  test("resolution in inches and in centimeters", () => {
    const inches = tiff({ littleEndian, resolution: { x: [300, 1], y: [1500, 10], unit: 2 } });
    expect(readExif(inches).resolution).toEqual({ x: 300, y: 150 });
    const centimeters = tiff({ littleEndian, resolution: { x: [100, 1], y: [50, 1], unit: 3 } });
    expect(readExif(centimeters).resolution).toEqual({ x: 254, y: 127 });
  });

  test.each<{ x: [number, number]; y: [number, number]; unit: number }>([
    { x: [72, 1], y: [72, 1], unit: 1 },
    { x: [0, 1], y: [300, 0], unit: 2 },
    { x: [1, 1], y: [1, 1], unit: 2 },
    { x: [300, 1], y: [9, 1], unit: 2 },
    { x: [300, 1], y: [10_001, 1], unit: 2 },
  ])("ignores a resolution that is invalid or without a unit: %o", (resolution) => {
    expect(readExif(tiff({ littleEndian, resolution })).resolution).toBeUndefined();
  });

  test("reads a block with the Exif header of JPEG", () => {
    const block = concatBytes([latin1("Exif\0\0"), tiff({ littleEndian, orientation: 6 })]);
    expect(readExif(block).orientation).toBe(6);
  });

  test("reads the rest of a truncated block, or nothing", () => {
    const whole = tiff({ littleEndian, orientation: 8, hasPosition: true });
    for (let length = 0; length <= whole.length; length++) {
      expect([1, 8]).toContain(readExif(whole.subarray(0, length)).orientation);
    }
  });
});

test("reads or ignores any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, littleEndian) => {
      const start = tiff({ littleEndian }).subarray(0, 8);
      const { orientation } = readExif(concatBytes([start, bytes]));
      expect(orientation).toBeGreaterThanOrEqual(1);
      expect(orientation).toBeLessThanOrEqual(8);
      readExif(bytes);
      const upright = uprightExif(concatBytes([start, bytes]), { width: 3, height: 2 });
      expect(readExif(upright).orientation).toBe(1);
    }),
  );
});
