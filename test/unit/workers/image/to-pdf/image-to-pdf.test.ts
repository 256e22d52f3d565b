import { expect, test } from "vitest";
import { imageToPdf } from "../../../../../workers/image/to-pdf/image-to-pdf.ts";
import { type ByteSource, bufferSource } from "../../../../../workers/io/source.ts";
import { concatBytes } from "../../../../support/fixtures/image/bytes.ts";
import { JPEG_TABLES, jpegSegment } from "../../../../support/fixtures/image/jpeg.ts";
import { MemorySink } from "../../../../support/memory-sink.ts";

const COMMENT_BYTES = 1000;

/** A JPEG with a comment, which stays behind, and so many bytes of coded data. */
function jpeg(codedBytes: number): Uint8Array<ArrayBuffer> {
  const frame = jpegSegment(0xc0, Uint8Array.of(8, 0, 8, 0, 8, 1, 1, 0x11, 0));
  const scan = jpegSegment(0xda, Uint8Array.of(1, 1, 0, 0, 63, 0));
  const comment = jpegSegment(0xfe, new Uint8Array(COMMENT_BYTES));
  const coded = new Uint8Array(codedBytes).fill(0x55);
  return concatBytes([
    Uint8Array.of(0xff, 0xd8),
    comment,
    ...JPEG_TABLES,
    frame,
    scan,
    coded,
    Uint8Array.of(0xff, 0xd9),
  ]);
}

/** Which ranges of a JPEG its PDF asks the file for again, after it has been read and looked through. */
async function rangesRead(bytes: Uint8Array<ArrayBuffer>): Promise<readonly (readonly [number, number])[]> {
  const ranges: [number, number][] = [];
  const held = bufferSource(bytes);
  const source: ByteSource = {
    size: bytes.length,
    read(start, end) {
      ranges.push([start, end]);
      return held.read(start, end);
    },
  };
  const file = new Blob([bytes]);
  const sink = new MemorySink();
  const context = { open: () => source, sink, report: () => undefined, helpers: 0 };
  await imageToPdf(context, { inputs: [{ file, name: "photo", format: "jpg" }] });
  return ranges;
}

test("of a JPEG, reads only the slice for the output again", async () => {
  const large = jpeg(400_000);
  expect(await rangesRead(large)).toEqual([[COMMENT_BYTES + 6, large.length]]);
  expect(await rangesRead(jpeg(1000))).toEqual([]);
});

test("releases each of several files before it opens the next", async () => {
  const bytes = jpeg(1000);
  const inputs = ["a", "b", "c"].map((name) => ({ file: new Blob([bytes]), name, format: "jpg" as const }));
  const events: string[] = [];
  const open = (file: Blob): ByteSource => {
    const name = inputs.find((input) => input.file === file)?.name;
    events.push(`open ${name}`);
    return { ...bufferSource(bytes), release: () => events.push(`release ${name}`) };
  };
  await imageToPdf({ open, sink: new MemorySink(), report: () => undefined, helpers: 0 }, { inputs });
  expect(events).toEqual(["a", "b", "c"].flatMap((name) => [`open ${name}`, `release ${name}`]));
});
