import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { announceBrowser } from "../support/browsers/browser-session.ts";
import { Converter } from "../support/browsers/converter.ts";
import { concatBytes, latin1, uint32s } from "../support/fixtures/image/bytes.ts";
import { type Bits, box, codestream, container, u32 } from "../support/fixtures/image/jxl.ts";
import { jpegWith, makeExif } from "../support/fixtures/image/metadata.ts";
import { makePng, type PngPlan } from "../support/fixtures/image/png.ts";
import {
  largestDifference,
  mutoolDraws,
  type NativePicture,
  vips,
  vipsDecodes,
  vipsShows,
} from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { mustRun } from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";

const missing = announceMissing("JPEG XL beside libjxl", ["cjxl", "djxl", "vips", "mutool"]);

const SIZE = { width: 96, height: 64 };
const COLORS: PngPlan = {
  ...{ ...SIZE, colorType: 2, bitDepth: 8 },
  sample: (x, y) => [70 + x, 90 + y, 160 - x],
};
const LOSSLESS = ["-d", "0"];
const LOSSY = ["-d", "1"];

/** Tests how JPEG XL is decoded. Chromium decodes it. Firefox 153 does not, so that jxl-oxide does. */
export function testJpegXl(browser: "chromium" | "firefox"): void {
  const absent = missing.length > 0 || !announceBrowser(browser, "JPEG XL");

  describe.skipIf(absent)(`JPEG XL in ${browser}, beside libjxl:`, () => {
    const scratch = new Scratch();
    let converter: Converter;
    beforeAll(async () => {
      converter = await Converter.start(browser);
    });
    afterAll(async () => {
      await converter.close();
      scratch.remove();
    });

    async function encoded(source: string, ...options: readonly string[]): Promise<string> {
      const path = scratch.path("source.jxl");
      await mustRun("cjxl", [source, path, "--quiet", ...options]);
      return path;
    }

    const encodedPng = (plan: PngPlan, ...options: readonly string[]) =>
      encoded(onDisk(scratch, makePng(plan), "source.png"), ...options);

    /** What djxl decodes. */
    async function witness(path: string): Promise<NativePicture> {
      const png = scratch.path("witness.png");
      await mustRun("djxl", [path, png, "--quiet"]);
      return vipsDecodes(png, scratch.path("decoded"));
    }

    const decoded = (path: string) => vipsDecodes(path, scratch.path("decoded"));
    const converted = (path: string, output_format: string, more: Readonly<Record<string, string>> = {}) =>
      converter.convert(path, { output_format, ...more });

    test.each<[string, Partial<PngPlan>, readonly string[], number]>([
      ["without loss", {}, LOSSLESS, 0],
      ["with loss", {}, LOSSY, 2],
      ["in gray", { colorType: 0 }, LOSSLESS, 0],
      ["in gray with loss", { colorType: 0 }, LOSSY, 3],
      ["with 16 bits", { bitDepth: 16, sample: (x, y) => [600 * x, 900 * y, 30_000] }, LOSSLESS, 1],
      ["with 16 bits and loss", { bitDepth: 16, sample: (x, y) => [600 * x, 900 * y, 30_000] }, LOSSY, 2],
      ["in a container", {}, [...LOSSLESS, "--container=1"], 0],
      [
        "of several groups",
        { width: 700, height: 300, sample: (x, y) => [x % 256, y % 256, 99] },
        LOSSLESS,
        0,
      ],
    ])("%s becomes the PNG that djxl makes", async (_, plan, options, tolerance) => {
      const path = await encodedPng({ ...COLORS, ...plan }, ...options);
      const made = await decoded(await converted(path, "png"));
      expect(largestDifference(made, await witness(path))).toBeLessThanOrEqual(tolerance);
    });

    test.each(["jpg", "webp", "avif"])("becomes a %s", async (to) => {
      const path = await encodedPng(COLORS, ...LOSSLESS);
      const made = await decoded(await converted(path, to, { quality: "1" }));
      expect(largestDifference(made, await witness(path))).toBeLessThanOrEqual(6);
    });

    test("becomes a PDF", async () => {
      const path = await encodedPng(COLORS, ...LOSSLESS);
      const drawn = await mutoolDraws(await converted(path, "pdf"), SIZE.width, SIZE.height);
      expect(largestDifference(drawn, await witness(path))).toBeLessThanOrEqual(3);
    });

    test.each([LOSSLESS, LOSSY])("keeps colors under partial transparency (%s %s)", async (...options) => {
      // Without loss, every value under every alpha.
      const plan: PngPlan = {
        ...{ width: 256, height: 256, colorType: 6, bitDepth: 8 },
        sample: (x, y) => [x, 255 - x, 128, y],
      };
      const path = await encodedPng(plan, ...options);
      const values = async (png: string) => {
        const raw = scratch.path("values.v");
        await vips("copy", png, raw);
        const [out, alpha] = [scratch.path("colors.ppm"), scratch.path("alpha.pgm")];
        await vips("extract_band", raw, out, "0", "--n", "3");
        await vips("extract_band", raw, alpha, "3");
        return Promise.all([out, alpha].map((one) => vipsDecodes(one, scratch.path("decoded"))));
      };
      const png = scratch.path("witness.png");
      await mustRun("djxl", [path, png, "--quiet"]);
      const [colors, alpha] = await values(await converted(path, "png"));
      const [witnessColors, witnessAlpha] = await values(png);
      if (!colors || !alpha || !witnessColors || !witnessAlpha) throw new Error("no values");
      const tolerance = options === LOSSLESS ? 0 : 2;
      expect(largestDifference(colors, witnessColors)).toBeLessThanOrEqual(tolerance);
      expect(largestDifference(alpha, witnessAlpha)).toBeLessThanOrEqual(tolerance);
    });

    test("divides premultiplied colors by alpha", async () => {
      const no: Bits = [[0, 1]];
      const yes: Bits = [[1, 1]];
      const size: Bits = [...yes, [7, 5], [4, 3]];
      const eightBits: Bits = [...no, ...u32(0)];
      // sRGB, to be shown with the perceptual intent.
      const color: Bits = [...no, ...no, ...u32(0), ...u32(1), ...u32(1), ...no, ...u32(2, 11, 4), ...u32(0)];
      const header = (alpha: Bits) =>
        codestream(size, no, no, eightBits, yes, u32(1), alpha, no, color, [[0, 2]], yes);
      const plan = (sample: PngPlan["sample"]): PngPlan => ({ ...SIZE, colorType: 6, bitDepth: 8, sample });
      const straight = (x: number, y: number) => [70 + x, 90 + y, 160 - x, 120 + x];
      const multiplied = (x: number, y: number) => {
        const [red = 0, green = 0, blue = 0, alpha = 0] = straight(x, y);
        return [...[red, green, blue].map((value) => Math.round((value * alpha) / 255)), alpha];
      };
      const bare = await encodedPng(plan(multiplied), ...LOSSLESS, "--container=0");
      const bytes = new Uint8Array(readFileSync(bare));
      // cjxl 0.7 writes no premultiplied alpha. The frame begins at a byte behind the header.
      const usual = header(yes);
      expect(bytes.subarray(0, usual.length)).toEqual(usual);
      const premultiplied = header([...no, ...u32(0), ...eightBits, ...u32(0), ...u32(0), ...yes]);
      const path = onDisk(scratch, concatBytes([premultiplied, bytes.subarray(usual.length)]), "source.jxl");
      const flat = async (png: string) => {
        const ppm = scratch.path("flat.ppm");
        await vips("flatten", png, ppm, "--background", "255");
        return vipsDecodes(ppm, scratch.path("decoded"));
      };
      const original = await flat(onDisk(scratch, makePng(plan(straight)), "original.png"));
      expect(largestDifference(await flat(await converted(path, "png")), original)).toBeLessThanOrEqual(3);
    });

    test.each([2, 3, 5, 6])("is upright with the orientation %i", async (orientation) => {
      const jpeg = scratch.path("turned.jpg");
      await vips("copy", onDisk(scratch, makePng(COLORS), "source.png"), `${jpeg}[Q=100]`);
      const turned = jpegWith(new Uint8Array(readFileSync(jpeg)), { exif: makeExif(orientation) });
      const source = onDisk(scratch, turned, "turned.jpg");
      const path = await encoded(source, "--lossless_jpeg=0", ...LOSSY);
      const made = await decoded(await converted(path, "png"));
      expect([made.width, made.height]).toEqual(orientation < 5 ? [96, 64] : [64, 96]);
      expect(largestDifference(made, await decoded(source))).toBeLessThanOrEqual(8);
    });

    test("of a JPEG is the picture of the JPEG", async () => {
      const jpeg = scratch.path("source.jpg");
      await vips("copy", onDisk(scratch, makePng(COLORS), "source.png"), `${jpeg}[Q=90]`);
      const made = await decoded(await converted(await encoded(jpeg, "--lossless_jpeg=1"), "png"));
      expect(largestDifference(made, await decoded(jpeg))).toBeLessThanOrEqual(3);
    });

    describe("colors:", () => {
      /** The picture in Display P3, as a PNG with a profile. */
      async function inP3(): Promise<string> {
        const path = scratch.path("p3.png");
        const plain = onDisk(scratch, makePng(COLORS), "plain.png");
        await vips("icc_transform", plain, path, "p3", "--input-profile", "srgb");
        return path;
      }
      const original = () => decoded(onDisk(scratch, makePng(COLORS), "plain.png"));

      test.each([
        ["a profile, without loss", LOSSLESS, false],
        ["a profile, with loss", LOSSY, false],
        ["numbers, without loss", LOSSLESS, true],
        ["numbers, with loss", LOSSY, true],
      ] as const)(
        "Display P3 by %s is the sRGB picture that it was made from",
        async (_, options, isEnumerated) => {
          const source = await inP3();
          const values = scratch.path("p3.ppm");
          await vips("copy", source, values);
          const named = ["-x", "color_space=RGB_D65_DCI_Rel_SRG"];
          const path = await (isEnumerated
            ? encoded(values, ...options, ...named)
            : encoded(source, ...options));
          for (const to of ["png", "jpg"]) {
            const made = await converted(path, to, { quality: "1" });
            const shown = await vipsShows(made, scratch.path("shown"));
            expect(largestDifference(shown, await original())).toBeLessThanOrEqual(6);
          }
        },
      );

      // Both map to sRGB, each in its own way.
      test.each(["PeQ", "HLG"])("high dynamic range (%s) becomes sRGB", async (transfer) => {
        const source = onDisk(scratch, makePng(COLORS), "plain.png");
        const ppm = scratch.path("bright.ppm");
        await vips("copy", source, ppm);
        for (const options of [LOSSLESS, LOSSY]) {
          const path = await encoded(ppm, ...options, "-x", `color_space=RGB_D65_202_Rel_${transfer}`);
          const made = await decoded(await converted(path, "png"));
          const difference = largestDifference(made, await original());
          expect(difference).toBeGreaterThan(20);
          expect(difference).toBeLessThan(140);
        }
      });
    });

    describe("metadata:", () => {
      const exif = concatBytes([uint32s(0), makeExif(6)]);
      async function described(...boxes: readonly Uint8Array[]): Promise<string> {
        const bare = await encodedPng(COLORS, ...LOSSLESS, "--container=0");
        const codestream = box("jxlc", new Uint8Array(readFileSync(bare)));
        return onDisk(scratch, container(...boxes, codestream), "described.jxl");
      }

      test("is kept if the caller wants it, and upright", async () => {
        const path = await described(box("Exif", exif), box("xml ", latin1("<x:xmpmeta>words</x:xmpmeta>")));
        const kept = readFileSync(await converted(path, "png", { keep_metadata: "true" })).toString("latin1");
        expect(kept).toContain("eXIf");
        expect(kept).toContain("words");
        const plain = readFileSync(await converted(path, "png")).toString("latin1");
        expect(plain).not.toMatch(/eXIf|words/);
        // The orientation of EXIF counts for nothing in a JPEG XL.
        const made = await decoded(await converted(path, "png", { keep_metadata: "true" }));
        expect(made).toMatchObject(SIZE);
      });

      test("that is compressed is invalid_parameter when it is to be kept", async () => {
        const path = await described(box("brob", concatBytes([latin1("Exif"), brotliCompressSync(exif)])));
        await expect(
          converter.refusalOf(path, { output_format: "png", keep_metadata: "true" }),
        ).resolves.toMatchObject({ code: "invalid_parameter" });
        await expect(decoded(await converted(path, "png"))).resolves.toMatchObject(SIZE);
      });
    });

    test.each([
      ["cut off", (bytes: Uint8Array) => bytes.subarray(0, bytes.length * 0.7)],
      ["without its last byte", (bytes: Uint8Array) => bytes.subarray(0, -1)],
      ["damaged", (bytes: Uint8Array) => bytes.map((byte, at) => (at > 60 ? byte ^ 0x55 : byte))],
    ] as const)("that is %s is damaged_file", async (_, change) => {
      for (const options of [LOSSLESS, LOSSY]) {
        const plan: PngPlan = { ...COLORS, sample: (x, y) => [(x * x * y) % 251, (x + y * y) % 253, x ^ y] };
        const whole = readFileSync(await encodedPng(plan, ...options));
        const path = scratch.path("damaged.jxl");
        writeFileSync(path, change(new Uint8Array(whole)));
        await expect(converter.refusalOf(path, { output_format: "png" })).resolves.toMatchObject({
          code: "damaged_file",
        });
      }
    });
  });
}
