import { describe, expect, test, vi } from "vitest";
import { compressedPixels } from "../../../../../../../workers/image/formats/png/own-decoder/compressed-pixels.ts";
import { joined } from "../../../../../../fixtures/image/bytes.ts";
import { pngChunk } from "../../../../../../fixtures/image/png.ts";

const BEFORE = Uint8Array.of(1, 2, 3);
const END = pngChunk("IEND", new Uint8Array());
const some = (length: number, from = 0) => Uint8Array.from({ length }, (_, at) => from + at);

/** What the chunks of a file hold, behind three bytes of others. */
async function contentOf(parts: readonly Uint8Array[], file = new Blob([joined([BEFORE, ...parts])])) {
  const content: Uint8Array[] = [];
  for await (const pieces of compressedPixels(file, BEFORE.length)) {
    for (const piece of pieces) content.push(piece.slice());
  }
  return [...joined(content)];
}

/** A file that is read in stretches of so many bytes, into memory of its own. */
function readIn(bytes: Uint8Array<ArrayBuffer>, length: number): Blob {
  const file = new Blob([bytes]);
  vi.spyOn(file, "slice").mockImplementation((start = 0) => {
    const part = new Blob([bytes.subarray(start)]);
    part.stream = () =>
      new ReadableStream({
        start(controller) {
          for (let at = start; at < bytes.length; at += length) {
            controller.enqueue(bytes.slice(at, at + length));
          }
          controller.close();
        },
      });
    return part;
  });
  return file;
}

describe("a PNG's compressed pixels", () => {
  const parts = [
    pngChunk("IDAT", some(100)),
    pngChunk("IDAT", some(0)),
    pngChunk("IDAT", some(50, 100)),
    END,
  ];

  test("are what its chunks hold, one after the other", async () => {
    expect(await contentOf(parts)).toEqual([...some(150)]);
  });

  test.each([1, 2, 7, 8, 12, 13, 111, 1000])(
    "are the same where %d bytes are read at a time",
    async (length) => {
      const file = readIn(joined([BEFORE, ...parts]), length);
      expect(await contentOf([], file)).toEqual([...some(150)]);
    },
  );

  test("are more than is read at a time", async () => {
    const large = some(3_000_000);
    const content = await contentOf([pngChunk("IDAT", large), END]);
    expect(content.length).toBe(large.length);
    expect(content.every((value, at) => value === (at & 255))).toBe(true);
  });

  test.each<[string, readonly Uint8Array[]]>([
    ["another chunk is between them", [parts[0] ?? END, pngChunk("tEXt", some(5)), ...parts.slice(2)]],
    ["another chunk is behind them", [...parts.slice(0, 3), pngChunk("tEXt", some(5)), END]],
    ["anything is behind the end", [...parts, some(1)]],
    ["the end has something in it", [...parts.slice(0, 3), pngChunk("IEND", some(1))]],
    ["the end is cut off", [...parts.slice(0, 3), END.subarray(0, -1)]],
    ["the end is missing", parts.slice(0, 3)],
    ["a chunk is cut off", [pngChunk("IDAT", some(100)).subarray(0, 50)]],
    ["there is nothing", []],
  ])("are refused where %s", async (_, parts) => {
    await expect(contentOf(parts)).rejects.toThrow();
  });
});

test("whoever has seen enough ends the reading", async () => {
  const file = new Blob([pngChunk("IDAT", some(5_000_000)), END]);
  const canceled = vi.fn();
  vi.spyOn(file, "slice").mockImplementation(() => {
    const part = new Blob([]);
    part.stream = () =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(pngChunk("IDAT", some(1000))),
        cancel: canceled,
      });
    return part;
  });
  for await (const _ of compressedPixels(file, 0)) break;
  expect(canceled).toHaveBeenCalledOnce();
});
