import { describe, expect, test } from "vitest";
import { concatBytes, uint32s } from "../support/fixtures/image/bytes.ts";
import { displayP3, p3ToSrgb } from "../support/fixtures/image/icc.ts";
import { jpegWith } from "../support/fixtures/image/metadata.ts";
import { makePng, pngChunks, pngGamma, pngProfile } from "../support/fixtures/image/png.ts";
import { bytesOf, convert, drawing, largestDifference, pixel, shown } from "./pictures.ts";

describe("color", () => {
  // Within sRGB.
  const COLORS = [
    [128, 128, 128],
    [150, 100, 90],
    [90, 140, 110],
    [100, 110, 180],
    [240, 235, 220],
    [30, 25, 40],
  ] as const;
  const patches = (x: number) => COLORS[x >> 4] ?? [0, 0, 0];
  const p3Png = (alpha: boolean) =>
    makePng({
      ...{ width: 96, height: 16, colorType: alpha ? 6 : 2, bitDepth: 8 },
      sample: (x) => [...patches(x), ...(alpha ? [255] : [])],
      chunks: [["iCCP", pngProfile(displayP3())]],
    });
  const plainPng = () =>
    makePng({ width: 96, height: 16, colorType: 2, bitDepth: 8, sample: (x) => [...patches(x)] });
  const plainJpeg = () =>
    drawing("image/jpeg", 96, 16, (context) => {
      for (const [index, color] of COLORS.entries()) {
        context.fillStyle = `rgb(${color.join(" ")})`;
        context.fillRect(16 * index, 0, 16, 16);
      }
    });
  const p3Jpeg = async () => jpegWith(await plainJpeg(), { icc: displayP3() });
  const expectColors = (
    picture: ImageData,
    wanted: (color: readonly [number, number, number]) => number[],
  ) => {
    for (const [index, color] of COLORS.entries()) {
      const found = pixel(picture, 16 * index + 8, 8);
      for (const [channel, value] of wanted(color).entries())
        expect(Math.abs((found[channel] ?? 0) - value)).toBeLessThanOrEqual(2);
    }
  };

  test("of a Display P3 PNG is converted to sRGB in lossy formats", async () => {
    for (const to of ["jpg", "webp"]) {
      const made = await convert(p3Png(false), to, { quality: 0.99 });
      expectColors(await shown(made), p3ToSrgb);
      expectColors(await values(made), p3ToSrgb);
    }
  });

  /** The values of a file as they are in it, whatever it says that they mean. */
  async function values(file: Blob): Promise<ImageData> {
    const bitmap = await createImageBitmap(file, { colorSpaceConversion: "none" });
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context?.drawImage(bitmap, 0, 0);
    const image = context?.getImageData(0, 0, bitmap.width, bitmap.height);
    if (image === undefined) throw new Error("no canvas");
    return image;
  }

  const primaries = uint32s(31_270, 32_900, 70_000, 30_000, 21_000, 69_000, 14_000, 8000);
  test.each([
    ["a profile", [["iCCP", pngProfile(displayP3())]]],
    [
      "primaries and an exponent of its own",
      [
        ["gAMA", pngGamma(0.6)],
        ["cHRM", primaries],
      ],
    ],
    [
      "primaries and the usual exponent",
      [
        ["gAMA", pngGamma(0.45455)],
        ["cHRM", primaries],
      ],
    ],
    ["code points", [["cICP", Uint8Array.of(12, 13, 0, 1)]]],
  ] as const)("of a PNG with %s stays unchanged in a PNG, with its color chunks", async (_, chunks) => {
    for (const colorType of [2, 6] as const) {
      const plan = {
        ...({ width: 96, height: 16, colorType, bitDepth: 8 } as const),
        sample: (x: number, y: number) => [...patches(x), 255 - y],
      };
      const source = makePng({ ...plan, chunks });
      const made = await convert(source, "png");
      const inside = pngChunks(await bytesOf(made));
      for (const [name, data] of chunks) {
        if (name !== "iCCP") expect(inside.get(name)).toEqual(data);
        else expect(inside.has(name)).toBe(true);
      }
      expect(largestDifference(await shown(made), await shown(new Blob([source])))).toBe(0);
      if (colorType === 2)
        expect(largestDifference(await values(made), await shown(new Blob([makePng(plan)])))).toBe(0);
    }
  });

  test("a profile with a wrong checksum is ignored, as in browsers", async () => {
    const broken = pngProfile(displayP3());
    broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1;
    const source = makePng({
      ...{ width: 96, height: 16, colorType: 6, bitDepth: 8 },
      sample: (x, y) => [...patches(x), 255 - y],
      chunks: [["iCCP", broken]],
    });
    const made = await convert(source, "png");
    expect(pngChunks(await bytesOf(made)).has("iCCP")).toBe(false);
    expect(largestDifference(await shown(made), await shown(new Blob([source])))).toBe(0);
  });

  test("a profile with an invalid rendering intent is ignored, as in libpng", async () => {
    const profile = displayP3();
    new DataView(profile.buffer).setUint32(64, 0x01000000);
    for (const colorType of [2, 6] as const) {
      const source = makePng({
        ...{ width: 96, height: 16, colorType, bitDepth: 8 },
        sample: (x) => [...patches(x), ...(colorType === 6 ? [255] : [])],
        chunks: [["iCCP", pngProfile(profile)]],
      });
      for (const to of ["jpg", "webp", "png"]) {
        const made = await convert(source, to, { quality: 0.99 });
        expectColors(await shown(made), (color) => [...color]);
        expectColors(await values(made), (color) => [...color]);
      }
    }
  });

  test("of a Display P3 JPEG is converted to sRGB", async () => {
    const stored = await shown(new Blob([await plainJpeg()]));
    const made = await shown(await convert(await p3Jpeg(), "png"));
    for (let x = 8; x < 96; x += 16) {
      const [red = 0, green = 0, blue = 0] = pixel(stored, x, 8);
      const found = pixel(made, x, 8);
      for (const [channel, value] of p3ToSrgb([red, green, blue]).entries())
        expect(Math.abs((found[channel] ?? 0) - value)).toBeLessThanOrEqual(2);
    }
  });

  test("of a transparent Display P3 PNG stays exact, with its profile", async () => {
    const made = await convert(p3Png(true), "png");
    expect([...pngChunks(await bytesOf(made)).keys()]).toContain("iCCP");
    expectColors(await shown(made), p3ToSrgb);
    expectColors(await shown(await convert(p3Png(true), "webp")), p3ToSrgb);
    expectColors(await shown(await convert(p3Png(true), "jpg", { quality: 1 })), p3ToSrgb);
  });

  test("of Display P3 stays Display P3 with keep_metadata", async () => {
    const p3 = p3Png(false);
    for (const source of [p3, await p3Jpeg()]) {
      const made = await convert(source, "png", { keep_metadata: true });
      expect([...pngChunks(await bytesOf(made)).keys()]).toContain("iCCP");
      expect(largestDifference(await shown(made), await shown(new Blob([source])))).toBeLessThanOrEqual(1);
      const own = await shown(new Blob([source === p3 ? plainPng() : await plainJpeg()]));
      expect(largestDifference(await values(made), own)).toBeLessThanOrEqual(1);
    }
  });

  test.each([
    ["exponent", [["gAMA", pngGamma(0.45455)]]],
    [
      "exponent and primaries",
      [
        ["gAMA", pngGamma(0.45455)],
        ["cHRM", uint32s(31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000)],
      ],
    ],
    ["code points", [["cICP", Uint8Array.of(1, 13, 0, 1)]]],
    ["own chunk", [["sRGB", Uint8Array.of(0)]]],
  ] as const)("of a PNG that declares sRGB by its %s stays unchanged", async (_, chunks) => {
    for (const colorType of [0, 2, 6] as const) {
      const plan = {
        ...({ width: 256, height: 4, colorType, bitDepth: 8 } as const),
        sample: (x: number) => [x, 255 - x, x >> 1, 255],
      };
      for (const to of ["png", "webp", "jpg"]) {
        const made = await convert(makePng({ ...plan, chunks }), to, { quality: 1 });
        const plain = await convert(makePng(plan), to, { quality: 1 });
        expect(largestDifference(await values(made), await values(plain))).toBe(0);
      }
    }
  });

  test.each([
    ["png", 1],
    ["webp", 1],
    ["jpg", 4],
    ["avif", 8],
  ] as const)("of a PNG with its own gamma looks the same as %s", async (to, tolerance) => {
    const source = makePng({
      ...{ width: 128, height: 16, colorType: 0, bitDepth: 8 },
      sample: (x) => [2 * x],
      chunks: [["gAMA", pngGamma(1)]],
    });
    const made = await convert(source, to, { quality: 1 });
    expect(largestDifference(await shown(made), await shown(new Blob([source])))).toBeLessThanOrEqual(
      tolerance,
    );
  });

  test.each([
    ["1-bit gray, interlaced", { colorType: 0, bitDepth: 1, interlaced: true }, 1],
    ["2-bit gray", { colorType: 0, bitDepth: 2 }, 1],
    ["16-bit gray", { colorType: 0, bitDepth: 16 }, 1],
    ["16-bit color, interlaced", { colorType: 2, bitDepth: 16, interlaced: true }, 3],
    ["16-bit gray and alpha", { colorType: 4, bitDepth: 16 }, 2],
    ["16-bit color and alpha", { colorType: 6, bitDepth: 16 }, 4],
    ["8-bit gray and alpha, interlaced", { colorType: 4, bitDepth: 8, interlaced: true }, 2],
  ] as const)("is read correctly: %s", async (_, plan, channels) => {
    const most = 2 ** plan.bitDepth - 1;
    const hasAlpha = plan.colorType >= 4;
    const sample = (x: number, y: number) =>
      Array.from({ length: channels }, (_, channel) =>
        hasAlpha && channel === channels - 1 ? most : Math.floor((((x + y * channel) % 20) / 19) * most),
      );
    const source = makePng({ width: 20, height: 20, ...plan, sample });
    const picture = await shown(await convert(source, "webp", { quality: 1 }));
    for (let y = 0; y < 20; y += 3) {
      for (let x = 0; x < 20; x++) {
        const samples = sample(x, y).map((value) => Math.round((value / most) * 255));
        const [red = 0, green = red, blue = red] = hasAlpha ? samples.slice(0, -1) : samples;
        const found = pixel(picture, x, y);
        for (const [channel, value] of [red, green, blue, 255].entries())
          expect(Math.abs((found[channel] ?? 0) - value)).toBeLessThanOrEqual(1);
      }
    }
  });

  /** Of two frames that do not show what is shown where nothing moves. */
  test.each(["png", "webp", "jpg", "pdf"])(
    "an animation gives its default image, to a smaller %s",
    async (to) => {
      const still = { width: 16, height: 16, colorType: 2, bitDepth: 8 } as const;
      const frames = makePng({ ...still, sample: () => [0, 0, 255] });
      const frame = (number: number) =>
        concatBytes([uint32s(number, 16, 16, 0, 0), Uint8Array.of(0, 1, 0, 10, 0, 0)]);
      const image = (number: number) =>
        concatBytes([uint32s(number), pngChunks(frames).get("IDAT") ?? new Uint8Array()]);
      const plan = { ...still, sample: () => [255, 0, 0] };
      const source = makePng({
        ...plan,
        chunks: [["acTL", uint32s(2, 0)]],
        lateChunks: [
          ["fcTL", frame(0)],
          ["fdAT", image(1)],
          ["fcTL", frame(2)],
          ["fdAT", image(3)],
        ],
      });
      const params = { quality: 1, ...(to !== "pdf" && { max_width: 8 }) };
      const made = await convert(source, to, params);
      const wanted = await convert(makePng(plan), to, params);
      expect(await bytesOf(made)).toEqual(await bytesOf(wanted));
    },
  );

  test("a palette with transparency is read correctly", async () => {
    const source = makePng({
      ...{ width: 4, height: 1, colorType: 3, bitDepth: 2 },
      sample: (x) => [x],
      chunks: [
        ["PLTE", Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9)],
        ["tRNS", Uint8Array.of(255, 255, 0)],
      ],
    });
    const picture = await shown(await convert(source, "webp"));
    expect([0, 1, 2, 3].map((x) => pixel(picture, x, 0))).toEqual([
      [255, 0, 0, 255],
      [0, 255, 0, 255],
      [0, 0, 0, 0],
      [9, 9, 9, 255],
    ]);
  });
});
