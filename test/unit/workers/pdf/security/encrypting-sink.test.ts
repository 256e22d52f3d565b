import { createCipheriv } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { BlobSink } from "../../../../../workers/io/blob-sink.ts";
import { BlobSource } from "../../../../../workers/io/blob-source.ts";
import { bufferSource } from "../../../../../workers/io/source.ts";
import type { Helper } from "../../../../../workers/parallel/helper.ts";
import type { LeaseOptions } from "../../../../../workers/parallel/helper-pool.ts";
import { protect } from "../../../../../workers/pdf/protect.ts";
import { ChunkEncryptor } from "../../../../../workers/pdf/security/chunk-encryptor.ts";
import { EncryptingSink } from "../../../../../workers/pdf/security/encrypting-sink.ts";
import type { EncryptionChunk } from "../../../../../workers/pdf/security/encryption-chunk.ts";
import type { EncryptionRequest } from "../../../../../workers/pdf/security/encryption-helper.ts";
import { unlockBytes } from "../../../../support/engine.ts";
import { makePdf, pageText } from "../../../../support/fixtures/pdf.ts";
import { CountingReader, numberedBytes, ReadableBlob } from "../../../../support/readable-blob.ts";

const lease = vi.hoisted(() => vi.fn());
vi.mock("../../../../../workers/parallel/helper-pool.ts", () => ({ helperPool: { lease } }));

const MB = 1024 * 1024;
const bytes = numberedBytes(60 * MB + 77);
const file = new Blob([bytes]);
const source = bufferSource(bytes);
const raw = numberedBytes(32);
const key = crypto.subtle.importKey("raw", raw, "AES-CBC", false, ["encrypt"]);
const ivOf = (index: number) => new Uint8Array(16).fill(index + 1);

/** What a helper does with a chunk. `made` makes it as it should be. */
type Way = (made: () => Promise<Blob>, index: number) => Promise<Blob | undefined>;

/** Lets the sink lease one helper. */
function haveHelper(way: Way) {
  const asked: EncryptionChunk[] = [];
  const release = vi.fn();
  lease.mockImplementation(({ count, kind, request }: LeaseOptions<EncryptionRequest>) => {
    expect([count, kind]).toEqual([1, "pdf/encryption"]);
    const maker = new ChunkEncryptor(request.file, request.key);
    let isResponsive = false;
    const ask = async (chunk: EncryptionChunk) => {
      // As over a message port.
      const sent = structuredClone(chunk);
      const made = await way(() => maker.make(sent), asked.push(chunk) - 1);
      isResponsive ||= made !== undefined;
      return made;
    };
    const helper: Helper<EncryptionChunk, Blob> = {
      get isResponsive() {
        return isResponsive;
      },
      ask,
      suspect: () => {},
      release,
    };
    return [helper];
  });
  return { asked, release };
}

beforeEach(() => {
  lease.mockReset().mockReturnValue([]);
});

function newSink(helpers = 1, of: Blob = file): EncryptingSink {
  return new EncryptingSink(of, new BlobSink(of, source), helpers);
}

/** What {@link writeAll} writes, each time the same. */
let all: Buffer | undefined;

/** Writes an output of all that there can be, and gives what it should be. */
async function writeAll(sink: EncryptingSink): Promise<Buffer> {
  const expected: Uint8Array[] = [];
  const isFirst = all === undefined;
  const write = (length: number) => {
    const written = numberedBytes(length).map((byte) => byte ^ 0x55);
    sink.write(written);
    if (isFirst) expected.push(written);
  };
  let count = 0;
  const encrypt = async (start: number, end: number) => {
    const iv = ivOf(count++);
    sink.encryptor?.take(start, end, { key, iv });
    if (isFirst) {
      const cipher = createCipheriv("aes-256-cbc", raw, iv);
      expected.push(cipher.update(bytes.subarray(start, end)), cipher.final());
    }
    if (sink.backpressure) await sink.drain();
  };
  write(100);
  for (let at = 500; at < 30 * MB; at += 2 * MB) {
    await encrypt(at, at + 2 * MB - 300 - (at % 7));
    write(50);
  }
  // Too long to be part of a chunk.
  write(3 * MB);
  // Longer than what is read at once, and not whole blocks.
  await encrypt(31 * MB, 56 * MB + 5);
  sink.copy(1000, 2 * MB);
  if (isFirst) expected.push(bytes.subarray(1000, 2 * MB));
  // Backwards, and far apart.
  await encrypt(8 * MB, 10 * MB);
  await encrypt(3 * MB, 5 * MB);
  await encrypt(50 * MB, 52 * MB);
  write(20);
  all ??= Buffer.concat(expected);
  expect(sink.length).toBe(all.length);
  return all;
}

async function expectAll(sink: EncryptingSink): Promise<void> {
  const expected = await writeAll(sink);
  await sink.end();
  const blob = sink.toBlob("application/pdf");
  sink.close();
  expect(blob.type).toBe("application/pdf");
  expect(Buffer.compare(Buffer.from(await blob.arrayBuffer()), expected)).toBe(0);
}

describe("the output is complete and in order", () => {
  test("without helpers", async () => {
    await expectAll(newSink(0));
    expect(lease).toHaveBeenCalledWith(expect.objectContaining({ count: 0, kind: "pdf/encryption" }));
  });

  test("with one helper at most, which is released", async () => {
    const { asked, release } = haveHelper((made) => made());
    await expectAll(newSink(3));
    expect(asked.length).toBeGreaterThan(1);
    expect(lease).toHaveBeenCalledOnce();
    expect(release).toHaveBeenCalledOnce();
  });

  test("with a helper that never answers", async () => {
    const { asked } = haveHelper(() => new Promise(() => {}));
    await expectAll(newSink());
    expect(asked.length).toBeGreaterThan(0);
  });

  test("with a helper that answers last", async () => {
    let answer = () => {};
    haveHelper(async (made, index) => {
      if (index === 0) await new Promise<void>((resolve) => (answer = resolve));
      return made();
    });
    const sink = newSink();
    const expected = await writeAll(sink);
    const ended = sink.end();
    answer();
    await ended;
    expect(Buffer.compare(Buffer.from(await sink.toBlob("").arrayBuffer()), expected)).toBe(0);
  });

  test.each([0, 1])("with a helper that fails after %i chunks", async (count) => {
    const { asked } = haveHelper(async (made, index) => (index < count ? made() : undefined));
    await expectAll(newSink());
    expect(asked).toHaveLength(count + 1);
  });

  test("with a helper whose result has a wrong length", async () => {
    const { asked } = haveHelper(async (made) => (await made()).slice(1));
    await expectAll(newSink());
    expect(asked.length).toBeGreaterThan(0);
  });

  test("after a restart", async () => {
    haveHelper((made) => made());
    const sink = newSink();
    await writeAll(sink);
    sink.restart();
    expect(sink.length).toBe(0);
    await expectAll(sink);
  });
});

test("protect passes long streams to it without reading them", async () => {
  const { asked } = haveHelper((made) => made());
  const input = makePdf({ pages: 20, ballastPerPage: 2_100_000 });
  const pdf = new ReadableBlob(input);
  const reader = new CountingReader();
  const pdfSource = new BlobSource(pdf, reader);
  const sink = new EncryptingSink(pdf, new BlobSink(pdf, pdfSource), 1);
  const progress = vi.fn();
  await protect({ source: pdfSource, sink, report: progress }, { password: "key" });
  const locked = new Uint8Array(await sink.toBlob("").arrayBuffer());
  sink.close();
  expect(asked.length).toBeGreaterThan(0);
  expect(reader.bytesRead).toBeLessThan(2 * MB);
  expect(progress.mock.calls.length).toBeGreaterThan(10);
  const open = Buffer.from(await unlockBytes(locked, "key"));
  const streams = Buffer.from(input);
  for (let page = 1; page <= 20; page++) {
    const text = `(${pageText(page)}) Tj ET`;
    const [before, after] = [streams.indexOf(text), open.indexOf(text)];
    expect(after).toBeGreaterThan(0);
    // The stream that ends in it.
    const length = 2_100_000;
    expect(
      Buffer.compare(open.subarray(after - length, after), streams.subarray(before - length, before)),
    ).toBe(0);
  }
});

test("leases no helper for one chunk", async () => {
  const sink = newSink();
  sink.encryptor?.take(0, 2 * MB, { key, iv: ivOf(0) });
  sink.encryptor?.take(2 * MB, 4 * MB, { key, iv: ivOf(1) });
  await sink.end();
  expect(sink.toBlob("").size).toBe(4 * MB + 32);
  expect(lease).not.toHaveBeenCalled();
});

test("encrypts no ranges of a small file", () => {
  expect(newSink(1, new Blob([bytes.subarray(0, 10 * MB)])).encryptor).toBeUndefined();
  expect(newSink().encryptor?.from).toBeLessThan(2 * MB);
});

test("counts the bytes between long streams for backpressure", async () => {
  const sink = newSink(0);
  for (let at = 0; at < 40 * MB; at += 10 * MB) {
    expect(sink.backpressure).toBe(at > 20 * MB);
    sink.write(new Uint8Array(6 * MB));
    sink.encryptor?.take(at, at + MB, { key, iv: ivOf(0) });
  }
  await sink.drain();
  expect(sink.backpressure).toBe(false);
  await sink.end();
});

test("fails soon with damaged_file when the input has changed", async () => {
  haveHelper(async () => undefined);
  const gone = new Blob([bytes]);
  vi.spyOn(gone, "slice").mockImplementation(() => {
    const broken = new Blob();
    broken.arrayBuffer = () => Promise.reject(new DOMException("changed", "NotReadableError"));
    return broken;
  });
  const sink = newSink(1, gone);
  let ranges = 0;
  const writeRanges = async () => {
    for (; ranges < 50; ranges++) {
      sink.encryptor?.take(ranges * MB, (ranges + 1) * MB, { key, iv: ivOf(0) });
      // Too long to be part of a chunk.
      sink.copy(0, MB);
      if (sink.backpressure) await sink.drain();
    }
  };
  await expect(writeRanges()).rejects.toMatchObject({ code: "damaged_file" });
  expect(ranges).toBeLessThan(10);
  await expect(sink.end()).rejects.toMatchObject({ code: "damaged_file" });
});

test("fails with damaged_file when the input has become shorter", async () => {
  const shorter = new Blob([bytes]);
  vi.spyOn(shorter, "slice").mockImplementation(() => new Blob(["short"]));
  const sink = newSink(0, shorter);
  sink.encryptor?.take(0, 2 * MB, { key, iv: ivOf(0) });
  await expect(sink.end()).rejects.toMatchObject({ code: "damaged_file" });
});
