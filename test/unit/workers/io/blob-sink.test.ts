import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { BlobSink } from "../../../../workers/io/blob-sink.ts";
import { bufferSource } from "../../../../workers/io/source.ts";
import { numberedBytes } from "../../../support/readable-blob.ts";

const KB = 1024;
const MB = 1024 * KB;

function setUp(length: number) {
  const bytes = numberedBytes(length);
  const file = new Blob([bytes]);
  const slice = vi.spyOn(file, "slice");
  const source = { ...bufferSource(bytes), file };
  const read = vi.spyOn(source, "read");
  return { bytes, source, slice, read, sink: new BlobSink() };
}

async function bytesOf(blob: Blob): Promise<Buffer> {
  return Buffer.from(await blob.arrayBuffer());
}

describe("the output has all bytes", () => {
  const { bytes, source } = setUp(3 * MB);
  const size = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 700 * KB }));
  const action = fc.oneof(
    fc.record({ kind: fc.constant("write" as const), size }),
    fc.record({ kind: fc.constant("copy" as const), size, start: fc.integer({ min: 0, max: 2 * MB }) }),
    fc.record({ kind: fc.constant("continue" as const), size }),
    fc.record({ kind: fc.constant("append" as const), size }),
  );

  test("in order, for all sizes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
        const sink = new BlobSink();
        const expected: Uint8Array[] = [];
        let copied = 0;
        const copy = (start: number, end: number, to: BlobSink) => {
          to.copy(source, start, end);
          expected.push(bytes.subarray(start, end));
          copied = end;
        };
        for (const action of actions) {
          if (action.kind === "write") {
            const written = numberedBytes(action.size).map((byte) => byte ^ 0x55);
            sink.write(written);
            expected.push(written);
          } else if (action.kind === "copy") {
            copy(action.start, Math.min(action.start + action.size, bytes.length), sink);
          } else if (action.kind === "continue") {
            copy(copied, Math.min(copied + action.size, bytes.length), sink);
          } else {
            const other = new BlobSink();
            copy(0, action.size, other);
            sink.append(other);
          }
        }
        const all = Buffer.concat(expected);
        expect(sink.length).toBe(all.length);
        expect(Buffer.compare(await bytesOf(sink.toBlob()), all)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test("with the given type", () => {
    const sink = new BlobSink();
    expect(sink.toBlob("application/pdf").type).toBe("application/pdf");
    expect(sink.toBlob().size).toBe(0);
  });

  test("again, with later bytes", async () => {
    const sink = new BlobSink();
    sink.write(Buffer.from("before"));
    sink.copy(source, 0, MB);
    sink.write(Buffer.from("between"));
    const first = Buffer.concat([Buffer.from("before"), bytes.subarray(0, MB), Buffer.from("between")]);
    expect(Buffer.compare(await bytesOf(sink.toBlob()), first)).toBe(0);
    expect(Buffer.compare(await bytesOf(sink.toBlob()), first)).toBe(0);
    sink.write(Buffer.from("after"));
    sink.copy(source, MB, 2 * MB);
    const all = Buffer.concat([first, Buffer.from("after"), bytes.subarray(MB, 2 * MB)]);
    expect(Buffer.compare(await bytesOf(sink.toBlob()), all)).toBe(0);
    expect(sink.holdsInput).toBe(true);
  });

  test("after a restart, without earlier bytes", async () => {
    const sink = new BlobSink();
    sink.write(new Uint8Array(5 * MB));
    sink.copy(source, 0, MB);
    sink.write(new Uint8Array(10));
    sink.restart();
    expect(sink.length).toBe(0);
    sink.write(Buffer.from("new"));
    expect(await sink.toBlob().text()).toBe("new");
  });

  test("from shared memory", async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(100 * KB)).fill(7);
    const sink = new BlobSink();
    sink.write(shared);
    sink.write(shared.subarray(0, 10));
    const out = await bytesOf(sink.toBlob());
    expect(out).toHaveLength(100 * KB + 10);
    expect(out.every((byte) => byte === 7)).toBe(true);
  });
});

describe("ranges of the input", () => {
  test("below 256 KB are read", async () => {
    const { bytes, source, sink, slice } = setUp(MB);
    sink.copy(source, 100, 99 + 256 * KB);
    expect(Buffer.compare(await bytesOf(sink.toBlob()), bytes.subarray(100, 99 + 256 * KB))).toBe(0);
    expect(slice).not.toHaveBeenCalled();
  });

  test("that are adjacent become one slice, which is not read", async () => {
    const { bytes, source, sink, slice, read } = setUp(MB);
    for (let at = 0; at < MB; at += 1000) sink.copy(source, at, Math.min(at + 1000, MB));
    expect(Buffer.compare(await bytesOf(sink.toBlob()), bytes)).toBe(0);
    expect(slice).toHaveBeenCalledTimes(1);
    expect(read).not.toHaveBeenCalled();
  });
});

describe("a long output", () => {
  test("joins small chunks into few parts and passes them to the browser", () => {
    const made = vi.fn<(bytes: number) => void>();
    vi.stubGlobal("Blob", countingBlob(made));
    const { sink } = setUp(0);
    made.mockClear();
    const chunk = new Uint8Array(100);
    for (let index = 0; index < 400_000; index++) sink.write(chunk);
    expect(made.mock.calls.length).toBeGreaterThanOrEqual(4);
    expect(made.mock.calls.length).toBeLessThan(60);
    for (const [bytes] of made.mock.calls) expect(bytes).toBeLessThan(9 * MB);
    vi.unstubAllGlobals();
  });

  test("appends a small output by its bytes, and a large one as a Blob", () => {
    const { sink } = setUp(0);
    expect(sink.isWorthASlice(256 * KB - 1)).toBe(false);
    expect(sink.isWorthASlice(256 * KB)).toBe(true);
  });
});

function countingBlob(made: (bytes: number) => void) {
  return class extends Blob {
    constructor(parts: BlobPart[] = []) {
      super(parts);
      made(this.size);
    }
  };
}

test("makes no Blob of its own for held parts", async () => {
  const { bytes, source, slice, sink } = setUp(MB);
  sink.write(Buffer.from("head"));
  sink.copy(source, 0, MB);
  sink.write(Buffer.from("tail"));
  const made = vi.fn<(bytes: number) => void>();
  vi.stubGlobal("Blob", countingBlob(made));
  const blob = sink.toBlob();
  vi.unstubAllGlobals();
  expect(made).toHaveBeenCalledOnce();
  expect(slice).toHaveBeenCalledTimes(1);
  const all = Buffer.concat([Buffer.from("head"), bytes, Buffer.from("tail")]);
  expect(Buffer.compare(await bytesOf(blob), all)).toBe(0);
});

test("signals backpressure and drains", async () => {
  const sink = new BlobSink();
  const chunk = new Uint8Array(8 * MB);
  while (!sink.backpressure && sink.length < 1024 * MB) sink.write(chunk);
  expect(sink.length).toBeLessThan(200 * MB);
  await sink.drain();
  expect(sink.backpressure).toBe(false);
});
