import { describe, expect, test, vi } from "vitest";
import { BlobSource } from "../../../../workers/io/blob-source.ts";
import { ReadAhead } from "../../../../workers/io/read-ahead.ts";
import { CountingReader, numberedBytes, ReadableBlob } from "../../../support/readable-blob.ts";

const MB = 1024 * 1024;
const bytes = numberedBytes(60 * MB + 123);

function isAsInFile(found: Uint8Array | undefined, start: number, end: number): boolean {
  return found !== undefined && Buffer.compare(found, bytes.subarray(start, end)) === 0;
}

describe("going through a file in order", () => {
  test("reads the file ahead once, without the synchronous reader", async () => {
    const file = new ReadableBlob(bytes);
    const slice = vi.spyOn(file, "slice");
    const reader = new CountingReader();
    const source = new BlobSource(file, reader);
    const step = 700_000;
    for (let at = 0; at < bytes.length; at += step) {
      await source.readAhead(at);
      const end = Math.min(at + step, bytes.length);
      await source.pending(at, end);
      expect(isAsInFile(source.read(at, end), at, end)).toBe(true);
    }
    expect(reader.calls).toBe(0);
    const lengths = slice.mock.calls.map(([start = 0, end = file.size]) => end - start);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(bytes.length);
  });

  test("keeps the bytes around the position", async () => {
    const ahead = new ReadAhead(new ReadableBlob(bytes));
    for (let at = 0; at <= 40 * MB; at += 2 * MB) await ahead.readAhead(at);
    await ahead.pending(40 * MB, 56 * MB);
    expect(isAsInFile(ahead.find(50 * MB, 51 * MB), 50 * MB, 51 * MB)).toBe(true);
    expect(isAsInFile(ahead.find(32 * MB, 33 * MB), 32 * MB, 33 * MB)).toBe(true);
    expect(ahead.find(0, 1)).toBeUndefined();
  });

  test("joins bytes across the end of a chunk", async () => {
    const ahead = new ReadAhead(new ReadableBlob(bytes));
    await ahead.readAhead(0);
    await ahead.pending(8 * MB - 100, 8 * MB + 100);
    expect(isAsInFile(ahead.find(8 * MB - 100, 8 * MB + 100), 8 * MB - 100, 8 * MB + 100)).toBe(true);
  });

  test("starts again after a jump", async () => {
    const ahead = new ReadAhead(new ReadableBlob(bytes));
    await ahead.readAhead(0);
    await ahead.readAhead(50 * MB);
    expect(isAsInFile(ahead.find(50 * MB, 50 * MB + 10), 50 * MB, 50 * MB + 10)).toBe(true);
    expect(ahead.find(0, 10)).toBeUndefined();
  });
});

test("reads a small file ahead only from its beginning", async () => {
  const file = new ReadableBlob(bytes.slice(0, MB));
  const slice = vi.spyOn(file, "slice");
  const ahead = new ReadAhead(file);
  expect(ahead.readAhead(1)).toBeUndefined();
  expect(slice).not.toHaveBeenCalled();
  await ahead.readAhead(0);
  expect(slice).toHaveBeenCalledTimes(1);
  expect(isAsInFile(ahead.find(0, MB), 0, MB)).toBe(true);
});

test("throws in read, not in readAhead, when the file cannot be read", async () => {
  const file = new ReadableBlob(bytes);
  vi.spyOn(file, "slice").mockImplementation(() => {
    const broken = new Blob(["x"]);
    broken.arrayBuffer = () => Promise.reject(new DOMException("changed", "NotReadableError"));
    return broken;
  });
  const readAsArrayBuffer = () => {
    throw new DOMException("changed", "NotReadableError");
  };
  const source = new BlobSource(file, { readAsArrayBuffer });
  await source.readAhead(0);
  expect(() => source.read(0, 10)).toThrow(expect.objectContaining({ code: "damaged_file" }));
});

test("throws in read when the file has become shorter", async () => {
  const file = new ReadableBlob(bytes);
  vi.spyOn(file, "slice").mockImplementation(() => new Blob(["short"]));
  const ahead = new ReadAhead(file);
  await ahead.readAhead(0);
  expect(ahead.find(0, 5)).toBeUndefined();
});
