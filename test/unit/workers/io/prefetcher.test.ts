import { expect, test, vi } from "vitest";
import { BlobSource } from "../../../../workers/io/blob-source.ts";
import { CountingReader, numberedBytes, ReadableBlob } from "../../../support/readable-blob.ts";

const MB = 1024 * 1024;
const KB = 1024;
const bytes = numberedBytes(40 * MB);
const PLACES = [5 * MB, 15 * MB, 25 * MB];

function setUp() {
  const file = new ReadableBlob(bytes);
  const reader = new CountingReader();
  return { file, reader, source: new BlobSource(file, reader) };
}

test("prefetches the bytes around the next stream end, without the synchronous reader", async () => {
  const { file, reader, source } = setUp();
  const slice = vi.spyOn(file, "slice");
  for (const [index, place] of PLACES.entries()) source.prefetch(index === 0 ? 0 : place - 9 * MB, place);
  let before = 0;
  for (const place of PLACES) {
    await source.readAhead(before);
    const [start, end] = [place - 100, place + 8 * KB];
    expect(Buffer.compare(source.read(start, end), bytes.subarray(start, end))).toBe(0);
    before = place;
  }
  expect(reader.calls).toBe(0);
  const lengths = slice.mock.calls.map(([start = 0, end = 0]) => end - start);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(100 * KB);
});

test("reads other bytes with the synchronous reader", async () => {
  const { reader, source } = setUp();
  source.prefetch(0, 5 * MB);
  await source.readAhead(0);
  expect(source.read(7 * MB, 7 * MB + 10)).toEqual(bytes.slice(7 * MB, 7 * MB + 10));
  expect(source.read(5 * MB + 14 * KB, 5 * MB + 16 * KB)).toEqual(
    bytes.slice(5 * MB + 14 * KB, 5 * MB + 16 * KB),
  );
  expect(reader.calls).toBeGreaterThan(0);
});

test("reads ahead after the last prefetch", async () => {
  const { reader, source } = setUp();
  source.prefetch(0, 5 * MB);
  await source.readAhead(6 * MB);
  expect(source.read(10 * MB, 12 * MB)).toHaveLength(2 * MB);
  expect(reader.calls).toBe(0);
});

test("reads ahead far before the next prefetch", async () => {
  const { reader, source } = setUp();
  source.prefetch(30 * MB, 35 * MB);
  await source.readAhead(1 * MB);
  expect(source.read(2 * MB, 4 * MB)).toHaveLength(2 * MB);
  expect(reader.calls).toBe(0);
});

test("does not reject when a prefetch fails", async () => {
  const { file, source } = setUp();
  vi.spyOn(file, "slice").mockImplementation(() => {
    const broken = new Blob();
    broken.arrayBuffer = () => Promise.reject(new DOMException("changed", "NotReadableError"));
    return broken;
  });
  source.prefetch(0, 5 * MB);
  await expect(source.readAhead(0)).resolves.toBeUndefined();
});
