import { unzipSync } from "fflate";
import JSZip from "jszip";
import { describe, expect, test, vi } from "vitest";
import { ServiceError } from "../../../../src/shared/errors.ts";
import { zip } from "../../../../workers/archive/zip.ts";
import { BlobSink } from "../../../../workers/io/blob-sink.ts";
import { bufferSource } from "../../../../workers/io/source.ts";
import { numberedBytes } from "../../../support/readable-blob.ts";

const MB = 1024 * 1024;
const input = numberedBytes(5 * MB);
const file = new Blob([input]);
const source = { ...bufferSource(input), file };
const newSink = () => new BlobSink();

async function* files(contents: Readonly<Record<string, Uint8Array>>) {
  for (const [name, bytes] of Object.entries(contents)) {
    const content = newSink();
    content.write(bytes);
    yield { name, content };
  }
}

async function zipped(contents: Readonly<Record<string, Uint8Array>>, lastModified = Date.now()) {
  const output = newSink();
  await zip(files(contents), output, lastModified);
  const bytes = new Uint8Array(await output.toBlob().arrayBuffer());
  expect(output.length).toBe(bytes.length);
  return bytes;
}

describe("zip", () => {
  const contents = {
    "a-1.pdf": Buffer.from("one"),
    "a-2 (2).pdf": new Uint8Array(),
    "Übersicht 最終版-3.pdf": numberedBytes(3 * MB + 1),
    "b.pdf": numberedBytes(300_000),
  };

  test("stores bytes", async () => {
    async function* bytes() {
      for (const [name, content] of Object.entries(contents))
        yield { name, content: new Uint8Array(content) };
    }
    const output = newSink();
    await zip(bytes(), output, 1_700_000_000_000);
    const made = new Uint8Array(await output.toBlob().arrayBuffer());
    expect(Buffer.compare(made, await zipped(contents, 1_700_000_000_000))).toBe(0);
  });

  test("writes an archive that other programs read", async () => {
    const bytes = await zipped(contents);
    const opened = unzipSync(bytes);
    const jszip = await JSZip.loadAsync(bytes, { checkCRC32: true });
    expect(Object.keys(opened)).toEqual(Object.keys(contents));
    for (const [name, content] of Object.entries(contents)) {
      expect(Buffer.compare(opened[name] ?? Buffer.from("missing"), content)).toBe(0);
      const same = await jszip.file(name)?.async("nodebuffer");
      expect(Buffer.compare(same ?? Buffer.from("missing"), content)).toBe(0);
    }
  });

  test("writes the date in UTC, and 1980 for earlier dates", async () => {
    const date = Date.UTC(2023, 4, 6, 7, 8, 10);
    expect(await dateOf(date)).toEqual(new Date(date));
    expect(await dateOf(0)).toEqual(new Date(Date.UTC(1980, 0, 1)));
  });
});

describe("ranges of the input", () => {
  const archived = async (content: BlobSink, output: BlobSink) => {
    const write = vi.spyOn(output, "write");
    const one = async function* () {
      yield { name: "scan.pdf", content };
    };
    await zip(one(), output, 1e12);
    expect(write.mock.calls.reduce((sum, [bytes]) => sum + bytes.length, 0)).toBeLessThan(1000);
    return unzipSync(new Uint8Array(await output.toBlob().arrayBuffer()))["scan.pdf"];
  };

  test("are read together with their neighbors, a few megabytes at a time", async () => {
    const [output, content] = [newSink(), newSink()];
    const slice = vi.spyOn(file, "slice");
    content.write(Buffer.from("before"));
    content.copy(source, 100, 3 * MB);
    content.write(Buffer.from("after"));
    const made = await archived(content, output);
    const expected = Buffer.concat([
      Buffer.from("before"),
      input.subarray(100, 3 * MB),
      Buffer.from("after"),
    ]);
    expect(Buffer.compare(made ?? Buffer.alloc(0), expected)).toBe(0);
    // For the output alone.
    expect(slice).toHaveBeenCalledTimes(1);
    slice.mockRestore();
  });

  test("stay slices when they are large", async () => {
    const [output, content] = [newSink(), newSink()];
    for (let round = 0; round < 2; round++) content.copy(source, 0, input.length);
    const made = await archived(content, output);
    expect(Buffer.compare(made ?? Buffer.alloc(0), Buffer.concat([input, input]))).toBe(0);
  });
});

test("rejects with the error of a file", async () => {
  const error = new ServiceError("damaged_file", "Page 2 is damaged.");
  const failing = (async function* () {
    yield* files({ "a.pdf": numberedBytes(1000) });
    throw error;
  })();
  await expect(zip(failing, newSink(), 1e12)).rejects.toBe(error);
});

test("refuses a name that was not shortened", async () => {
  const names = zip(files({ [`${"ü".repeat(126)}.pdf`]: new Uint8Array() }), newSink(), 1e12);
  await expect(names).rejects.toThrow(RangeError);
});

test("reads a small Blob once", async () => {
  const content = new Blob([numberedBytes(1000)]);
  const read = vi.spyOn(content, "arrayBuffer");
  const output = newSink();
  await zip(
    (async function* () {
      yield { name: "small.jpg", content };
    })(),
    output,
    1e12,
  );
  const opened = unzipSync(new Uint8Array(await output.toBlob().arrayBuffer()));
  expect(Buffer.compare(opened["small.jpg"] ?? Buffer.from("missing"), numberedBytes(1000))).toBe(0);
  expect(read).toHaveBeenCalledTimes(1);
});

async function dateOf(lastModified: number): Promise<Date | undefined> {
  const bytes = await zipped({ "a.pdf": new Uint8Array(1) }, lastModified);
  // JSZip reads the time in an archive as UTC.
  return (await JSZip.loadAsync(bytes)).file("a.pdf")?.date;
}
