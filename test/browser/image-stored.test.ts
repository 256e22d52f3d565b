import { describe, expect, test } from "vitest";
import { neutralProfile } from "../../workers/image/color/neutral-profile.ts";
import { readJpeg } from "../../workers/image/formats/jpg/read-jpeg.ts";
import { readPng } from "../../workers/image/formats/png/read-png.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { concatBytes, latin1, uint32s } from "../support/fixtures/image/bytes.ts";
import { displayP3 } from "../support/fixtures/image/icc.ts";
import { jpegSegment, withSegments } from "../support/fixtures/image/jpeg.ts";
import { jpegWith, makeExif, makeXmp } from "../support/fixtures/image/metadata.ts";
import { makePng, type PngPlan, pngChunks, pngProfile } from "../support/fixtures/image/png.ts";
import { bytesOf, convert, drawing, largestDifference, shown } from "./pictures.ts";

const text = async (blob: Blob) => new TextDecoder("latin1").decode(await blob.arrayBuffer());
/** What every encoding but the one that it has would change. */
const noise = (context: OffscreenCanvasRenderingContext2D) => {
  const { width, height } = context.canvas;
  const image = context.createImageData(width, height);
  for (let at = 0; at < image.data.length; at++) image.data[at] = at % 4 === 3 ? 255 : (at * 7919) % 251;
  context.putImageData(image, 0, 0);
};
const photo = () => drawing("image/jpeg", 120, 80, noise, 0.6);
/** From the first scan to the end marker. */
const scansOf = (jpeg: Uint8Array<ArrayBuffer>) => jpeg.slice(readJpeg(bufferSource(jpeg)).scans);

describe("a JPEG converted to JPEG", () => {
  test("keeps its coded data and drops metadata", async () => {
    const plain = await photo();
    const source = jpegWith(plain, { exif: makeExif(1), xmp: makeXmp(1) });
    const made = await convert(concatBytes([source, latin1("a video behind the picture")]), "jpg");
    expect(made.type).toBe("image/jpeg");
    expect(scansOf(await bytesOf(made))).toEqual(scansOf(plain));
    expect(largestDifference(await shown(made), await shown(new Blob([plain])))).toBe(0);
    expect(await text(made)).not.toMatch(/Exif\0\0|xmpmeta|a camera|a video/);
  });

  test("keeps its colors, and profile and metadata with keep_metadata", async () => {
    const source = jpegWith(await photo(), { icc: displayP3(), exif: makeExif(1), xmp: makeXmp(1) });
    const made = await convert(source, "jpg");
    expect(readJpeg(bufferSource(await bytesOf(made))).icc).toEqual(neutralProfile(displayP3()));
    expect(largestDifference(await shown(made), await shown(new Blob([source])))).toBe(0);
    const kept = await bytesOf(await convert(source, "jpg", { keep_metadata: true }));
    expect(scansOf(kept)).toEqual(scansOf(source));
    expect(readJpeg(bufferSource(kept))).toMatchObject({ icc: displayP3(), exif: makeExif(1) });
    expect(await text(new Blob([kept]))).toContain("a camera");
  });

  test("is encoded again for a given quality, and rotated upright", async () => {
    const source = await photo();
    const smaller = await bytesOf(await convert(source, "jpg", { quality: 0.2 }));
    expect(smaller.length).toBeLessThan(0.8 * source.length);
    const { width, height } = await shown(await convert(jpegWith(source, { exif: makeExif(6) }), "jpg"));
    expect([width, height]).toEqual([80, 120]);
    const turned = await text(await convert(jpegWith(source, { exif: makeExif(6) }), "jpg"));
    expect(turned).not.toContain("Exif");
  });

  test("is encoded again for max_bytes only when it is larger", async () => {
    const source = await photo();
    const fits = await bytesOf(await convert(source, "jpg", { max_bytes: source.length }));
    expect(scansOf(fits)).toEqual(scansOf(source));
    const max_bytes = Math.round(0.7 * source.length);
    const made = await convert(source, "jpg", { max_bytes });
    expect(made.size).toBeLessThanOrEqual(max_bytes);
    expect(made.size).toBeGreaterThan(0.6 * max_bytes);
  });

  test("is encoded again when its components are RGB, which some viewers do not support", async () => {
    const plain = await photo();
    const { segments } = readJpeg(bufferSource(plain));
    // Without JFIF's segment, which would say YCbCr.
    const rest = concatBytes([plain.subarray(0, 2), plain.subarray(segments[0]?.end)]);
    const adobe = jpegSegment(0xee, "Adobe", Uint8Array.of(0, 100, 0, 0, 0, 0, 0));
    const source = withSegments(rest, [adobe]);
    const made = await convert(source, "jpg", {});
    expect(scansOf(await bytesOf(made))).not.toEqual(scansOf(plain));
    expect(readJpeg(bufferSource(await bytesOf(made))).adobeTransform).not.toBe(0);
    expect(await text(made)).not.toContain("Adobe");
  });

  test("is encoded again when it is damaged, and refused when it is truncated", async () => {
    const source = await photo();
    const half = readJpeg(bufferSource(source)).scans + 2000;
    const damaged = concatBytes([source.subarray(0, half), Uint8Array.of(0xff, 0x50), source.subarray(half)]);
    const made = await convert(damaged, "jpg");
    expect(await text(made)).not.toContain("\xff\x50");
    expect((await shown(made)).width).toBe(120);
    await expect(convert(source.slice(0, half), "jpg")).rejects.toMatchObject({ code: "damaged_file" });
  });
});

describe("a PNG converted to PNG", () => {
  const secrets = [
    ["eXIf", makeExif(1)],
    ["iTXt", concatBytes([latin1("XML:com.adobe.xmp\0\0\0\0\0"), makeXmp(1)])],
    ["tEXt", latin1("Comment\0a camera")],
  ] as const;
  const still = { width: 20, height: 10, colorType: 2, bitDepth: 16 } as const;
  const plan = { ...still, sample: (x: number, y: number) => [3001 * x, 6007 * y, 65_535 - x] };
  const frame = concatBytes([uint32s(0, 20, 10, 0, 0), Uint8Array.of(0, 1, 0, 10, 0, 0)]);
  const palette = {
    width: 20,
    height: 10,
    colorType: 3,
    bitDepth: 2,
    sample: (x: number) => [x & 3],
  } as const;
  const entries = Uint8Array.from({ length: 12 }, (_, at) => 20 * at);

  test.each<[string, PngPlan]>([
    ["16 bits", plan],
    ["interlaced", { ...plan, interlaced: true }],
    [
      "a palette with transparency",
      {
        ...palette,
        chunks: [
          ["PLTE", entries],
          ["tRNS", Uint8Array.of(9, 99)],
        ],
      },
    ],
    [
      "an animation",
      {
        ...plan,
        chunks: [
          ["acTL", uint32s(1, 0)],
          ["fcTL", frame],
        ],
      },
    ],
  ])("keeps its coded data and drops metadata: %s", async (_, of) => {
    const source = makePng({ ...of, chunks: [...(of.chunks ?? []), ...secrets], lateChunks: secrets });
    for (const params of [{}, { quality: 0.5 }, { max_width: 20 }]) {
      const made = await convert(concatBytes([source, latin1("a video behind the picture")]), "png", params);
      expect(made.type).toBe("image/png");
      expect(await bytesOf(made)).toEqual(makePng(of));
    }
  });

  test("keeps its profile rebuilt, and as it is with keep_metadata", async () => {
    const source = makePng({ ...plan, chunks: [["iCCP", pngProfile(displayP3())], ...secrets] });
    const profileOf = (png: Uint8Array) => readPng(bufferSource(png)).color;
    const made = await bytesOf(await convert(source, "png"));
    expect(profileOf(made)).toEqual({ kind: "icc", profile: neutralProfile(displayP3()) });
    expect(pngChunks(made).get("IDAT")).toEqual(pngChunks(source).get("IDAT"));
    const kept = await bytesOf(await convert(source, "png", { keep_metadata: true }));
    expect(profileOf(kept)).toEqual({ kind: "icc", profile: displayP3() });
    expect(pngChunks(kept).get("eXIf")).toEqual(makeExif(1));
    expect(await text(new Blob([kept]))).toContain("xmpmeta");
    expect(await text(new Blob([kept]))).not.toContain("Comment");
  });

  test("is encoded again when it is turned or becomes smaller, and refused when it is damaged", async () => {
    const turned = await shown(await convert(makePng({ ...plan, chunks: [["eXIf", makeExif(6)]] }), "png"));
    expect([turned.width, turned.height]).toEqual([10, 20]);
    expect((await shown(await convert(makePng(plan), "png", { max_width: 10 }))).width).toBe(10);
    const source = makePng(plan);
    const damaged = source.with(-20, (source.at(-20) ?? 0) ^ 1);
    await expect(convert(damaged, "png")).rejects.toMatchObject({ code: "damaged_file" });
    await expect(convert(source, "png", { max_bytes: 60 })).rejects.toMatchObject({
      code: "invalid_parameter",
      details: { parameter: "max_bytes" },
    });
  });
});

describe("a WebP converted to WebP", () => {
  const webpWith = (webp: Uint8Array, ...chunks: readonly [name: string, data: Uint8Array][]) => {
    const parts = chunks.flatMap(([name, data]) => [latin1(name), littleEndian(data.length), data]);
    const body = concatBytes([webp.subarray(12), ...parts]);
    return concatBytes([latin1("RIFF"), littleEndian(4 + body.length), latin1("WEBP"), body]);
  };
  const littleEndian = (value: number) => uint32s(value).reverse();

  test.each([
    ["opaque", (context: OffscreenCanvasRenderingContext2D) => noise(context)],
    [
      "transparent",
      (context: OffscreenCanvasRenderingContext2D) => {
        noise(context);
        context.clearRect(10, 10, 40, 40);
      },
    ],
  ] as const)("keeps its coded data and drops metadata, %s", async (_, draw) => {
    const source = await drawing("image/webp", 120, 80, draw, 0.6);
    const made = await convert(webpWith(source, ["note", latin1("a camera's secret.")]), "webp");
    expect(largestDifference(await shown(made), await shown(new Blob([source])))).toBe(0);
    expect(made.size).toBeLessThan(source.length + 30);
    expect(await text(made)).not.toContain("secret");
    const smaller = await convert(source, "webp", { quality: 0.2 });
    expect(smaller.size).toBeLessThan(0.8 * source.length);
  });
});
