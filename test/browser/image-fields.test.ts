import { zlibSync } from "fflate";
import { describe, expect, test } from "vitest";
import { concatBytes, latin1, uint32s } from "../support/fixtures/image/bytes.ts";
import { jpegSegment, withSegments } from "../support/fixtures/image/jpeg.ts";
import { jpegWith, makeExif, makeXmp, webpWithExif } from "../support/fixtures/image/metadata.ts";
import { makePng, pngRawProfile } from "../support/fixtures/image/png.ts";
import { bytesOf, convert, drawing, pixel, quarters, shown } from "./pictures.ts";

describe("metadata", () => {
  const text = async (blob: Blob) => new TextDecoder("latin1").decode(await blob.arrayBuffer());
  const photo = async () =>
    jpegWith(await drawing("image/jpeg", 64, 32, quarters), { exif: makeExif(6), xmp: makeXmp(6) });

  test.each(["jpg", "png", "webp", "avif"])("is gone from a %s", async (to) => {
    const made = await text(await convert(await photo(), to));
    expect(made).not.toMatch(/Exif\0\0|eXIf|EXIF|xmpmeta|a camera/);
  });

  test.each(["jpg", "png", "webp"])(
    "is kept in a %s with keep_metadata, and rotates nothing twice",
    async (to) => {
      const made = await convert(await photo(), to, { keep_metadata: true });
      const inside = await text(made);
      const exif = new TextDecoder("latin1").decode(makeExif(1));
      expect(inside).toContain(exif);
      expect(inside).toContain('tiff:Orientation="1" dc:source="a camera"');
      const { width, height } = await shown(made);
      expect([width, height]).toEqual([32, 64]);
      // And once more, from the format that it is in now.
      const again = await text(await convert(made, "jpg", { keep_metadata: true }));
      expect(again).toContain(exif);
      expect(again).toContain("a camera");
    },
  );

  test.each(["jpg", "png", "webp"])(
    "is kept in a %s without the Exif header of JPEG, also from files that contain the header",
    async (to) => {
      const signed = concatBytes([latin1("Exif\0\0"), makeExif(6)]);
      const webp = webpWithExif(await drawing("image/webp", 64, 32, quarters), signed, 64, 32);
      const plan = { width: 64, height: 32, colorType: 0, bitDepth: 8, sample: () => [9] } as const;
      for (const file of [webp, makePng({ ...plan, chunks: [["eXIf", signed]] })]) {
        const made = await convert(file, to, { keep_metadata: true });
        const { width, height } = await shown(made);
        expect([width, height]).toEqual([32, 64]);
        const inside = await text(made);
        expect(inside).toContain(new TextDecoder("latin1").decode(makeExif(1)));
        expect(inside.split("Exif\0\0")).toHaveLength(to === "jpg" ? 2 : 1);
      }
    },
  );

  test.each(["jpg", "png", "webp"])("is kept in a %s if it fills several segments", async (to) => {
    const name = "0123456789ABCDEF0123456789ABCDEF";
    const rdf = (content: string) =>
      latin1(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${content}</rdf:RDF>`);
    const note = `<rdf:Description xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="${name}"/>`;
    const rest = rdf('<rdf:Description xmlns:d="urn:d" d:map="a depth map"/>');
    const extension = jpegSegment(
      0xe1,
      `http://ns.adobe.com/xmp/extension/\0${name}`,
      uint32s(rest.length, 0),
      rest,
    );
    const source = jpegWith(await drawing("image/jpeg", 64, 32, quarters), { xmp: rdf(note) });
    const made = await convert(withSegments(source, [extension]), to, { keep_metadata: true });
    expect(await text(made)).toContain('d:map="a depth map"');
    expect(await text(await convert(withSegments(source, [extension]), to))).not.toContain("a depth map");
  });

  test.each(["jpg", "png", "webp"])(
    "of a PNG that decompresses to too much fails with an error in a %s",
    async (to) => {
      const keyword = latin1("XML:com.adobe.xmp\0\u0001\0\0\0");
      const data = concatBytes([keyword, zlibSync(new Uint8Array(17 * 1024 * 1024))]);
      const plan = { width: 64, height: 32, colorType: 0, bitDepth: 8, sample: () => [9] } as const;
      const file = makePng({ ...plan, chunks: [["iTXt", data]] });
      expect((await shown(await convert(file, to))).width).toBe(64);
      await expect(convert(file, to, { keep_metadata: true })).rejects.toMatchObject({
        code: "invalid_parameter",
        details: { parameter: "keep_metadata" },
      });
    },
  );

  test.each([
    ["as it is", []],
    // Colors that PDF cannot name: it is decoded.
    ["decoded", [["cICP", Uint8Array.of(9, 16, 0, 1)]]],
  ] as const)("fails in a PDF, %s, and is ignored without keep_metadata", async (_, chunks) => {
    const keyword = latin1("XML:com.adobe.xmp\0\u0001\0\0\0");
    const data = concatBytes([keyword, zlibSync(new Uint8Array(17 * 1024 * 1024))]);
    const plan = { width: 64, height: 32, colorType: 2, bitDepth: 8, sample: () => [9, 9, 9] } as const;
    const file = makePng({ ...plan, chunks: [...chunks, ["iTXt", data]] });
    expect((await convert(file, "pdf")).type).toBe("application/pdf");
    await expect(convert(file, "pdf", { keep_metadata: true })).rejects.toMatchObject({
      code: "invalid_parameter",
      details: { parameter: "keep_metadata" },
    });
  });

  test.each(["jpg", "png", "webp"])(
    "in hex digits of a PNG is kept in a %s and does not rotate the picture",
    async (to) => {
      const file = makePng({
        ...({ width: 64, height: 32, colorType: 0, bitDepth: 8, sample: () => [9] } as const),
        chunks: [
          pngRawProfile("zTXt", "exif", concatBytes([latin1("Exif\0\0"), makeExif(6)])),
          pngRawProfile("tEXt", "xmp", makeXmp(6)),
        ],
      });
      const made = await convert(file, to, { keep_metadata: true });
      const { width, height } = await shown(made);
      expect([width, height]).toEqual([64, 32]);
      const inside = await text(made);
      expect(inside).toContain(new TextDecoder("latin1").decode(makeExif(1)));
      expect(inside).toContain('tiff:Orientation="1" dc:source="a camera"');
      expect(await text(await convert(file, to))).not.toMatch(/a camera|Raw profile/);
    },
  );

  test.each([
    ["as it is, as it stands", [], 6],
    // Colors that PDF cannot name: it is decoded, and turned.
    ["decoded, as upright", [["cICP", Uint8Array.of(9, 16, 0, 1)]], 1],
  ] as const)("is kept in a PDF of a picture %s", async (_, chunks, orientation) => {
    const plan = { width: 64, height: 32, colorType: 2, bitDepth: 8, sample: () => [9, 9, 9] } as const;
    const xmp = concatBytes([latin1("XML:com.adobe.xmp\0\0\0\0\0"), makeXmp(6)]);
    const own = [["iTXt", xmp]] as const;
    const digits = [pngRawProfile("zTXt", "xmp", makeXmp(6))];
    for (const told of [own, digits]) {
      const file = makePng({ ...plan, chunks: [...chunks, ["eXIf", makeExif(6)], ...told] });
      const made = await text(await convert(file, "pdf", { keep_metadata: true }));
      expect(made).toContain("/MediaBox [0 0 24 48]");
      expect(made).toContain(`tiff:Orientation="${orientation}" dc:source="a camera"`);
      expect(await text(await convert(file, "pdf"))).not.toContain("a camera");
    }
  });

  test.each(["jpg", "pdf"])("of a PNG with too long EXIF fails with an error in a %s", async (to) => {
    const plan = { width: 64, height: 32, colorType: 2, bitDepth: 8, sample: () => [9, 9, 9] } as const;
    const data = concatBytes([
      latin1("Raw profile type exif\0\0"),
      zlibSync(new Uint8Array(17 * 1024 * 1024)),
    ]);
    const file = makePng({ ...plan, chunks: [["zTXt", data]] });
    await expect(convert(file, to, { keep_metadata: true })).rejects.toMatchObject({
      code: "invalid_parameter",
      details: { parameter: "keep_metadata" },
    });
  });

  test("fails with an error in an AVIF", async () => {
    await expect(convert(await photo(), "avif", { keep_metadata: true })).rejects.toMatchObject({
      code: "invalid_parameter",
      details: { parameter: "keep_metadata" },
    });
  });
});

describe("a quality of 0", () => {
  const types: Record<string, string> = { jpg: "image/jpeg", png: "image/png", webp: "image/webp" };
  /** A picture that a lower quality makes shorter at each step. */
  const grain = (from: string) =>
    drawing(
      types[from] ?? "",
      160,
      120,
      (context) => {
        const image = context.createImageData(160, 120);
        for (let at = 0; at < image.data.length; at++)
          image.data[at] = at % 4 === 3 ? 255 : Math.imul(at ^ (at >> 7), 2_654_435_761) >>> 24;
        context.putImageData(image, 0, 0);
      },
      1,
    );

  test.each([
    ["jpg", "jpg"],
    ["jpg", "webp"],
    ["png", "jpg"],
    ["png", "webp"],
    ["png", "avif"],
    ["webp", "webp"],
    ["webp", "pdf"],
  ])("is the lowest one, and neither the default nor a copy: %s to %s", async (from, to) => {
    const source = await grain(from);
    const sizeAt = async (quality: number) => (await convert(source, to, { quality })).size;
    const lowest = await sizeAt(0);
    expect(lowest).toBeLessThan(await sizeAt(0.2));
  });

  test("is not exceeded to use up max_bytes", async () => {
    const lowest = await convert(await grain("png"), "jpg", { quality: 0 });
    const made = await convert(await grain("png"), "jpg", { quality: 0, max_bytes: 10 * lowest.size });
    expect(made.size).toBe(lowest.size);
  });
});

describe("max_bytes", () => {
  const noise = (type: string) =>
    drawing(type, 300, 200, (context) => {
      const image = context.createImageData(300, 200);
      for (let at = 0; at < image.data.length; at++) image.data[at] = at % 4 === 3 ? 255 : (at * 7919) % 251;
      context.putImageData(image, 0, 0);
    });

  test.each(["jpg", "webp"])("is met by %s at a quality that uses it", async (to) => {
    const free = await convert(await noise("image/png"), to, { quality: 0.9 });
    const max_bytes = Math.round(free.size * 0.6);
    const made = await convert(await noise("image/png"), to, { quality: 0.9, max_bytes });
    expect(made.size).toBeLessThanOrEqual(max_bytes);
    expect(made.size).toBeGreaterThan(max_bytes * 0.6);
  });

  test("does not change a file that fits", async () => {
    const free = await bytesOf(await convert(await noise("image/png"), "jpg"));
    expect(await bytesOf(await convert(await noise("image/png"), "jpg", { max_bytes: free.length }))).toEqual(
      free,
    );
  });

  test.each(["jpg", "webp", "png"])("that %s cannot meet names the smallest size", async (to) => {
    await expect(convert(await noise("image/png"), to, { max_bytes: 500 })).rejects.toMatchObject({
      code: "invalid_parameter",
      details: { parameter: "max_bytes", smallest: expect.any(Number) },
    });
  });
});

describe("limits", () => {
  test.each([
    [16_385, 1],
    [1, 16_385],
    [20_000, 20_000],
  ])("%i × %i returns input_too_large, not a blank picture", async (width, height) => {
    // Only the header says so: nothing of the picture may be looked at.
    const file = makePng({
      ...{ width: 1, height: 1, colorType: 0, bitDepth: 8, claims: { width, height } },
      sample: () => [0],
    });
    await expect(convert(file, "png")).rejects.toMatchObject({
      code: "input_too_large",
      message: expect.stringContaining(`${width} × ${height}`),
      details: expect.objectContaining({ width, height, longest_side: 16_384 }),
    });
  });

  test("draws the longest allowed side", async () => {
    const source = makePng({ width: 16_384, height: 2, colorType: 0, bitDepth: 8, sample: (x) => [x % 251] });
    const picture = await shown(await convert(source, "png"));
    expect(picture.width).toBe(16_384);
    expect(pixel(picture, 16_383, 1)[0]).toBe(16_383 % 251);
  });

  test("checks the limit of WebP", async () => {
    const source = makePng({ width: 16_384, height: 1, colorType: 0, bitDepth: 8, sample: () => [0] });
    await expect(convert(source, "webp")).rejects.toMatchObject({
      code: "input_too_large",
      details: { longest_side: 16_383 },
    });
  });

  test("pages of an image can only be 1", async () => {
    const png = await drawing("image/png", 8, 8, quarters);
    expect((await convert(png, "jpg", { pages: "1" })).type).toBe("image/jpeg");
    await expect(convert(png, "jpg", { pages: "1,2" })).rejects.toMatchObject({
      code: "invalid_page_selection",
      details: { page_count: 1 },
    });
  });
});
