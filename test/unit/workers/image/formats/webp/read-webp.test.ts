import { describe, expect, test } from "vitest";
import {
  plainWebp,
  readWebp,
  withWebpMetadata,
} from "../../../../../../workers/image/formats/webp/read-webp.ts";
import { readExif } from "../../../../../../workers/image/metadata/exif.ts";
import { concatBytes } from "../../../../../support/fixtures/image/bytes.ts";
import { makeExif, makeXmp } from "../../../../../support/fixtures/image/metadata.ts";

const ASCII = new TextEncoder();

function riff(...chunks: readonly (readonly [string, readonly number[]])[]): Uint8Array<ArrayBuffer> {
  const body = concatBytes(
    chunks.map(([name, data]) =>
      concatBytes([
        ASCII.encode(name),
        Uint8Array.of(data.length & 255, data.length >> 8, 0, 0, ...data),
        new Uint8Array(data.length & 1),
      ]),
    ),
  );
  const length = body.length + 4;
  return concatBytes([
    ASCII.encode("RIFF"),
    Uint8Array.of(length & 255, length >> 8, 0, 0),
    ASCII.encode("WEBP"),
    body,
  ]);
}

/** 300 × 200, lossy: three bytes of frame tag, the start code, and the size. */
const LOSSY = ["VP8 ", [0x30, 1, 0, 0x9d, 1, 0x2a, 300 & 255, 300 >> 8, 200, 0, 0]] as const;

describe("WebP", () => {
  test("lossy", () => {
    expect(readWebp(riff(LOSSY))).toMatchObject({
      ...{ width: 300, height: 200, hasAlpha: false, isLossless: false, isAnimated: false },
    });
  });

  test("lossless with alpha", () => {
    const bits = 299 | (199 << 14) | (1 << 28);
    const webp = riff(["VP8L", [0x2f, bits & 255, (bits >> 8) & 255, (bits >> 16) & 255, bits >>> 24]]);
    expect(readWebp(webp)).toMatchObject({ width: 300, height: 200, hasAlpha: true, isLossless: true });
  });

  test("with the size of its first pixels", () => {
    const lossless = ["VP8L", [0x2f, 0, 0, 0, 0]] as const;
    expect(readWebp(riff(LOSSY, lossless))).toMatchObject({ width: 300, height: 200, isLossless: false });
    expect(readWebp(riff(lossless, LOSSY))).toMatchObject({ width: 1, height: 1, isLossless: true });
  });

  test.each([
    ["lossless", ["VP8L", [0x2f, 0, 0, 0, 0x10]]],
    ["lossy", ["ALPH", [0, 0]]],
  ] as const)("%s with alpha that its header does not announce", async (_, pixels) => {
    const webp = riff(["VP8X", [0, 0, 0, 0, 43, 1, 0, 199, 0, 0]], pixels, LOSSY);
    expect(readWebp(webp).hasAlpha).toBe(true);
    const made = new Uint8Array(await withWebpMetadata(webp, {}).arrayBuffer());
    expect(made[20]).toBe(0x10);
    expect(plainWebp(webp, readWebp(webp))[20]).toBe(0x10);
  });

  test.each([
    ["pixels", [LOSSY, ["VP8L", [0x2f, 0, 0, 0, 0]], LOSSY], ["VP8X", "VP8 "]],
    [
      "pixels and the alpha before them",
      [["ALPH", [0]], LOSSY, ["ALPH", [0]], LOSSY],
      ["VP8X", "ALPH", "VP8 "],
    ],
    ["lossless pixels", [["ALPH", [0]], ["VP8L", [0x2f, 0, 0, 0, 0]], LOSSY], ["VP8X", "VP8L"]],
  ] as const)("copies the first %s of a still picture only", async (_, chunks, expected) => {
    const made = new Uint8Array(await withWebpMetadata(riff(...chunks), {}).arrayBuffer());
    const types: string[] = [];
    for (let at = 12; at < made.length; ) {
      types.push(String.fromCharCode(...made.subarray(at, at + 4)));
      const length = new DataView(made.buffer).getUint32(at + 4, true);
      at += 8 + length + (length & 1);
    }
    expect(types).toEqual(expected);
  });

  test("writes, reads and replaces metadata", async () => {
    const metadata = { exif: makeExif(1), xmp: makeXmp(1), icc: Uint8Array.of(1, 2, 3) };
    const once = new Uint8Array(await withWebpMetadata(riff(LOSSY), metadata).arrayBuffer());
    expect(readWebp(once)).toMatchObject({ width: 300, height: 200, hasAlpha: false, ...metadata });
    const view = new DataView(once.buffer);
    expect(view.getUint32(4, true)).toBe(once.length - 8);
    const twice = new Uint8Array(await withWebpMetadata(once, { xmp: makeXmp(2) }).arrayBuffer());
    const { exif, icc, xmp } = readWebp(twice);
    expect({ exif, icc, xmp }).toEqual({ exif: undefined, icc: undefined, xmp: makeXmp(2) });
    expect(readExif(readWebp(plainWebp(once, readWebp(once))).exif ?? ASCII.encode("")).orientation).toBe(1);
    expect(plainWebp(twice, readWebp(twice))).toBe(twice);
  });

  test.each([
    ["nothing", new Uint8Array()],
    ["no picture", riff(["EXIF", [1, 2]])],
    ["a cut", riff(LOSSY).slice(0, -4)],
    ["a length beyond the file", riff(["VP8 ", [1]], LOSSY).fill(0xff, 16, 20)],
  ])("%s is damaged_file", (_, bytes) => {
    expect(() => readWebp(bytes)).toThrow(expect.objectContaining({ code: "damaged_file" }));
  });
});
