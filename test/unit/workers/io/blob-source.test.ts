import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BlobSource } from "../../../../workers/io/blob-source.ts";
import { CountingReader, numberedBytes, ReadableBlob } from "../../../support/readable-blob.ts";

const MB = 1024 * 1024;
const KB64 = 64 * 1024;

function setUp(length: number) {
  const bytes = numberedBytes(length);
  const reader = new CountingReader();
  return { bytes, reader, source: new BlobSource(new ReadableBlob(bytes), reader) };
}

describe("reads return the bytes of the file", () => {
  const { bytes, source } = setUp(3 * MB + 12_345);
  const position = fc.integer({ min: -10, max: bytes.length + 10 });
  const nearEdge = fc
    .tuple(fc.integer({ min: 0, max: 48 }), fc.integer({ min: -2, max: 2 }))
    .map(([block, shift]) => block * KB64 + shift);
  const length = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 2 * MB }));

  test("at any position", () => {
    fc.assert(
      fc.property(fc.oneof(position, nearEdge), length, (start, wanted) => {
        const read = source.read(start, start + wanted);
        const expected = bytes.subarray(Math.max(0, start), Math.max(0, start + wanted));
        expect(Buffer.compare(read, expected)).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  test("from beginning to end, in chunks", () => {
    for (const step of [1000, KB64 - 1, KB64, 100_000]) {
      const { bytes, source } = setUp(MB + 1);
      for (let at = 0; at < bytes.length; at += step) {
        expect(Buffer.compare(source.read(at, at + step), bytes.subarray(at, at + step))).toBe(0);
      }
    }
  });

  test("without bytes after its end", () => {
    expect(source.size).toBe(bytes.length);
    expect(source.read(bytes.length, bytes.length + 5)).toHaveLength(0);
    expect(source.read(-5, 0)).toHaveLength(0);
    expect(source.read(9, 3)).toHaveLength(0);
    expect(source.read(bytes.length - 1, Infinity)).toHaveLength(1);
    expect(new BlobSource(new Blob([]), new CountingReader()).read(0, 10)).toHaveLength(0);
  });
});

describe("the number of reads", () => {
  test("reads a small file in one call", () => {
    const { bytes, reader, source } = setUp(MB);
    for (const at of [MB - 8, 0, 500_000, MB - 8]) {
      expect(source.read(at, at + 8)).toEqual(bytes.subarray(at, at + 8));
    }
    expect(reader).toMatchObject({ calls: 1, bytesRead: MB });
  });

  test("reads one block for small reads at one place", () => {
    const { reader, source } = setUp(4 * MB);
    for (let at = 500_000; at < 500_100; at++) source.read(at, at + 8);
    expect(reader).toMatchObject({ calls: 1, bytesRead: KB64 });
  });

  test("reads a file once in order, in steps of up to 4 MB", () => {
    const { bytes, reader, source } = setUp(32 * MB);
    for (let at = 0; at < bytes.length; at += 5000) source.read(at, at + 5000);
    expect(reader.bytesRead).toBe(bytes.length);
    expect(reader.calls).toBeLessThan(16);
  });

  test("reads one block after a jump", () => {
    const { reader, source } = setUp(32 * MB);
    for (let at = 0; at < 32 * MB; at += MB) source.read(at, at + 100);
    expect(reader).toMatchObject({ calls: 32, bytesRead: 32 * KB64 });
  });

  test("reads a large range in one call", () => {
    const { reader, source } = setUp(8 * MB);
    source.read(1, 5 * MB);
    expect(reader).toMatchObject({ calls: 1, bytesRead: 5 * MB - 1 });
  });

  test("reads large ranges in order in windows", () => {
    const { bytes, reader, source } = setUp(24 * MB);
    const record = 2 * MB;
    for (let at = 0; at + record <= bytes.length; at += record) {
      expect(source.read(at, at + 100)).toHaveLength(100);
      const large = source.read(at + 100, at + record - 100);
      expect(Buffer.compare(large, bytes.subarray(at + 100, at + record - 100))).toBe(0);
    }
    expect(reader.calls).toBeLessThan(8);
    expect(reader.bytesRead).toBeLessThan(1.3 * bytes.length);
  });

  test("caches up to 16 MB", () => {
    const { bytes, reader, source } = setUp(80 * MB);
    for (let at = 0; at < bytes.length; at += 50_000) {
      source.read(at, at + 50_000);
      source.read(0, 100);
    }
    const before = reader.calls;
    source.read(0, 100);
    source.read(bytes.length - 8 * MB, bytes.length - 8 * MB + 100);
    expect(reader.calls).toBe(before);
    source.read(bytes.length - 24 * MB, bytes.length - 24 * MB + 100);
    expect(reader.calls).toBe(before + 1);
  });
});

describe("a file that cannot be read any more", () => {
  const file = new ReadableBlob(numberedBytes(1000));

  const reading = (readAsArrayBuffer: () => ArrayBuffer) => () =>
    new BlobSource(file, { readAsArrayBuffer }).read(0, 10);
  const failing = (error: Error) =>
    reading(() => {
      throw error;
    });

  test.each([
    ["NotReadableError", failing(new DOMException("changed", "NotReadableError"))],
    ["NotFoundError", failing(new DOMException("changed", "NotFoundError"))],
    ["shorter", reading(() => new ArrayBuffer(5))],
  ])("(%s) is damaged_file", (_, read) => {
    expect(read).toThrow(
      expect.objectContaining({ code: "damaged_file", message: expect.stringContaining("Choose it again") }),
    );
  });

  test("throws the browser's error when memory runs out", () => {
    const error = new RangeError("Array buffer allocation failed");
    expect(failing(error)).toThrow(error);
  });
});
