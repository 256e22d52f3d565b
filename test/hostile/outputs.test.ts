import JSZip from "jszip";
import { expect, test, vi } from "vitest";
import { zip } from "../../workers/archive/zip.ts";
import { BlobSink } from "../../workers/io/blob-sink.ts";

const KB = 1024;
const MB = 1024 * KB;

test("a scan of 8 GB is built from at most 10,000 parts, whose sizes grow", () => {
  const parts: number[] = [];
  const total = 8 * 1024 * MB;
  const slice = vi.fn(() => ({ size: 0 }) as Blob);
  const file = { size: total, slice } as never;
  const zeros = new Uint8Array(512 * KB);
  const source = { size: total, file, read: (start: number, end: number) => zeros.subarray(0, end - start) };
  vi.stubGlobal(
    "Blob",
    class {
      constructor(of: unknown[]) {
        parts.push(of.length);
      }
    },
  );
  const sink = new BlobSink();
  const header = new Uint8Array(200);
  for (let at = 0; at < total; at += 300 * KB) {
    sink.write(header);
    sink.copy(source, at, at + 299 * KB);
  }
  sink.toBlob();
  vi.unstubAllGlobals();
  expect(Math.max(...parts)).toBeLessThanOrEqual(10_000);
  expect(slice.mock.calls.length).toBeLessThan(2000);
});

test("65,535 files need the ZIP64 end of central directory", async () => {
  const newSink = () => new BlobSink();
  const content = newSink();
  content.write(Buffer.from("page"));
  const output = newSink();
  const count = 65_535;
  await zip(
    (async function* () {
      for (let index = 0; index < count; index++) yield { name: `a-${index}.pdf`, content };
    })(),
    output,
    1e12,
  );
  const bytes = Buffer.from(await output.toBlob().arrayBuffer());
  expect(bytes.includes("PK\x06\x06")).toBe(true);
  // JSZip refuses an archive whose end counts otherwise than its directory.
  expect(Object.keys((await JSZip.loadAsync(bytes)).files)).toHaveLength(count);
});
