import { describe, expect, test } from "vitest";
import { plainBmp } from "../../../../../workers/image/formats/bmp/plain-copy.ts";
import { readBmp } from "../../../../../workers/image/formats/bmp/read-bmp.ts";
import { readGif } from "../../../../../workers/image/formats/gif/read-gif.ts";
import { concatBytes } from "../../../../support/fixtures/image/bytes.ts";
import {
  makeAlphaBmp,
  makeBmp,
  makeDividedBmp,
  makeGif,
} from "../../../../support/fixtures/image/gif-and-bmp.ts";

const plain = (bytes: Uint8Array) => plainBmp(bytes, readBmp(bytes));

describe("GIF and BMP", () => {
  const black = [0, 0, 0];
  const gif = makeGif(9, 7, [black, black, black, black], () => 0);

  test("have their size and transparency", () => {
    expect(readGif(gif)).toEqual({ width: 9, height: 7, hasAlpha: false });
    const control = Uint8Array.of(0x21, 0xf9, 4, 1, 0, 0, 0, 0);
    const transparent = concatBytes([gif.subarray(0, 25), control, gif.subarray(25)]);
    expect(readGif(transparent)).toEqual({ width: 9, height: 7, hasAlpha: true });
    expect(readBmp(makeBmp(8, 5, () => [0, 0, 0]))).toMatchObject({ width: 8, height: 5, hasAlpha: false });
  });

  test("takes plausible pixels per meter of a BMP as its resolution", () => {
    const resolutionOf = (...pixelsPerMetre: [number, number]) =>
      readBmp(makeBmp(8, 5, () => [0, 0, 0], pixelsPerMetre)).resolution;
    expect(resolutionOf(11_811, 5_906)).toEqual({ x: 300, y: 150 });
    for (const none of [0, -2_835, 1]) expect(resolutionOf(none, 2_835)).toBeUndefined();
  });

  test("is transparent around a GIF frame that does not fill the screen", () => {
    const colors = [black, black, black, black];
    const at = (left: number, top: number) =>
      makeGif(9, 7, colors, () => 0, { width: 9, height: 7, left, top });
    expect(readGif(at(2, 0))).toEqual({ width: 11, height: 7, hasAlpha: true });
    expect(readGif(at(0, 3))).toEqual({ width: 9, height: 10, hasAlpha: true });
  });

  test("reads an alpha mask after the header", () => {
    const bmp = makeAlphaBmp(2, 3, () => [1, 2, 3, 4]);
    expect(readBmp(bmp)).toMatchObject({ width: 2, height: 3, hasAlpha: true });
    expect(readBmp(concatBytes([bmp.subarray(0, 66), new Uint8Array(4), bmp.subarray(70)])).hasAlpha).toBe(
      false,
    );
    const cut = makeAlphaBmp(0, 0, () => [1, 2, 3, 4]).subarray(0, 68);
    for (const short of [cut, bmp.subarray(0, -1)])
      expect(() => readBmp(short)).toThrow(expect.objectContaining({ code: "damaged_file" }));
  });

  test("keeps a BMP that all browsers read alike", () => {
    const usual = makeBmp(8, 5, () => [1, 2, 3]);
    expect(plain(usual)).toEqual(usual);
    const transparent = makeAlphaBmp(2, 3, () => [1, 2, 3, 4]);
    expect(plain(transparent)).toEqual(transparent);
  });

  test("makes fourth bytes of a BMP opaque if they are not alpha", () => {
    const bmp = makeDividedBmp("8, 8, 8 and 8 bits", 2, 1, () => [1, 2, 3]);
    const footer = Uint8Array.of(9, 9, 9, 9);
    const opaque = concatBytes([bmp.subarray(0, 54), Uint8Array.of(3, 2, 1, 255, 3, 2, 1, 255), footer]);
    expect(plain(concatBytes([bmp, footer]))).toEqual(opaque);
  });

  test.each([
    ["24 bits", makeBmp(4, 2, (x, y) => [x, y, 9])],
    ["32 bits", makeDividedBmp("8, 8, 8 and 8 bits", 2, 2, (x, y) => [x, y, 9])],
    ["15 bits", makeDividedBmp("5, 5 and 5 bits", 2, 2, (x, y) => [255 * x, 255 * y, 9])],
    ["16 bits", makeDividedBmp("5, 6 and 5 bits", 2, 2, (x, y) => [255 * x, 255 * y, 9])],
    ["32 bits with alpha", makeAlphaBmp(2, 2, (x, y) => [x, y, 9, 8])],
  ])("reads pixels after the headers of a BMP of %s without an offset", (_, bmp) => {
    for (const nothing of [0, 14]) {
      const silent = bmp.slice();
      new DataView(silent.buffer).setUint32(10, nothing, true);
      expect(plain(silent)).toEqual(plain(bmp));
      const cut = silent.slice(0, -1);
      expect(() => plain(cut)).toThrow(expect.objectContaining({ code: "damaged_file" }));
    }
  });

  test("reads pixels after the palette of a BMP without an offset", () => {
    const place = (headerBytes: number, bits: number, colors: number) => {
      const view = new DataView(new ArrayBuffer(2000));
      for (const [at, value] of [
        [14, headerBytes],
        [headerBytes === 12 ? 24 : 28, bits],
      ] as const)
        view.setUint32(at, value, true);
      if (headerBytes >= 40) view.setUint32(46, colors, true);
      return readBmp(new Uint8Array(view.buffer)).pixelsAt;
    };
    expect(place(40, 8, 0)).toBe(54 + 4 * 256);
    expect(place(40, 8, 7)).toBe(54 + 4 * 7);
    expect(place(124, 4, 0xffffffff)).toBe(138 + 4 * 16);
    expect(place(12, 1, 0)).toBe(26 + 3 * 2);
  });

  test("reads a short header of OS/2 2 as uncompressed", () => {
    const head = new DataView(new ArrayBuffer(30));
    head.setUint32(10, 42, true);
    head.setUint32(14, 16, true);
    head.setUint32(18, 2, true);
    head.setUint32(22, 3, true);
    head.setUint16(28, 8, true);
    const palette = new Uint8Array(12).fill(7);
    const bmp = concatBytes([new Uint8Array(head.buffer), palette, new Uint8Array(12)]);
    expect(readBmp(bmp)).toMatchObject({ width: 2, height: 3, hasAlpha: false });
    expect(() => readBmp(bmp.subarray(0, -1))).toThrow(expect.objectContaining({ code: "damaged_file" }));
  });

  test("returns damaged_file when the file ends before the picture", () => {
    for (const cut of [0, 6, 12, 20, gif.length - 5])
      expect(() => readGif(gif.subarray(0, cut))).toThrow(expect.objectContaining({ code: "damaged_file" }));
    for (const cut of [0, 14, 30, 54 + 47]) {
      const bmp = makeBmp(4, 4, () => [0, 0, 0]).subarray(0, cut);
      expect(() => readBmp(bmp)).toThrow(expect.objectContaining({ code: "damaged_file" }));
    }
  });
});
