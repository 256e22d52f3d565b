import { zlibSync } from "fflate";
import { describe, expect, test } from "vitest";
import { type Png, readPng } from "../../../../../../workers/image/formats/png/read-png.ts";
import { bufferSource } from "../../../../../../workers/io/source.ts";
import { concatBytes, latin1 } from "../../../../../support/fixtures/image/bytes.ts";
import { tiff } from "../../../../../support/fixtures/image/jpeg.ts";
import { makePng, type PngPlan, pngRawProfile } from "../../../../../support/fixtures/image/png.ts";

function read(recipe: Partial<PngPlan>): Png {
  const plan = { width: 5, height: 7, colorType: 0, bitDepth: 8, sample: () => [9] } as const;
  return readPng(bufferSource(makePng({ ...plan, ...recipe })));
}

function withChunks(...chunks: readonly (readonly [string, Uint8Array])[]): Png {
  return read({ chunks });
}

describe("metadata of a PNG", () => {
  test.each([false, true])("XMP, compressed: %s", (isCompressed) => {
    const text = latin1("<x:xmpmeta/>");
    const head = latin1(`XML:com.adobe.xmp\0${isCompressed ? "\x01" : "\0"}\0en\0key\0`);
    const { xmp } = withChunks(["iTXt", concatBytes([head, isCompressed ? zlibSync(text) : text])]);
    expect(xmp).toEqual(text);
  });

  const signed = (signature: string, content: Uint8Array) => concatBytes([latin1(signature), content]);
  const EXIF = tiff({ littleEndian: false, orientation: 6, resolution: { x: [90, 1], y: [90, 1], unit: 2 } });
  const XMP = latin1("<x:xmpmeta/>");

  test.each(["tEXt", "zTXt", "iTXt"] as const)("EXIF and XMP in %s as hex digits", (name) => {
    const exif = pngRawProfile(name, "exif", signed("Exif\0\0", EXIF));
    const xmp = pngRawProfile(name, "xmp", XMP);
    // By such EXIF, browsers turn nothing.
    expect(withChunks(exif, xmp)).toMatchObject({
      exif: EXIF,
      xmp: XMP,
      orientation: 1,
      disputedChunks: new Set(),
    });
    expect(read({ lateChunks: [exif] })).toMatchObject({ exif: EXIF, resolution: { x: 90, y: 90 } });
    const app1 = (content: Uint8Array) => withChunks(pngRawProfile(name, "APP1", content));
    expect(app1(signed("Exif\0\0", EXIF))).toMatchObject({ exif: EXIF, xmp: undefined });
    expect(app1(signed("http://ns.adobe.com/xap/1.0/\0", XMP))).toMatchObject({ exif: undefined, xmp: XMP });
    expect(app1(EXIF)).toMatchObject({ exif: undefined, xmp: undefined });
  });

  test("takes a chunk of its own before hex digits, and the first of these", () => {
    const other = tiff({ littleEndian: true, orientation: 3 });
    const raw = [
      pngRawProfile("zTXt", "exif", other),
      pngRawProfile("zTXt", "xmp", latin1("other")),
    ] as const;
    const xmp = concatBytes([latin1("XML:com.adobe.xmp\0\0\0\0\0"), XMP]);
    expect(withChunks(...raw, ["eXIf", EXIF], ["iTXt", xmp])).toMatchObject({
      exif: EXIF,
      xmp: XMP,
      orientation: 6,
    });
    expect(withChunks(raw[0], pngRawProfile("tEXt", "exif", EXIF)).exif).toEqual(other);
  });

  test.each([
    ["no digits", "\nexif\n       2\n4d4x\n"],
    ["too few", "\nexif\n       3\n4d4d\n"],
    ["too few, for what is between them", "\nexif\n       3\n4d\n4d\n\n"],
    ["no length", "\nexif\n4d4d\n"],
    ["a length that cannot be", "\nexif\n999999999\n4d4d\n"],
    ["nothing", ""],
  ])("digits that make no sense are none: %s", (_, text) => {
    expect(withChunks(["tEXt", latin1(`Raw profile type exif\0${text}`)]).exif).toBeUndefined();
  });

  test("reads EXIF of up to 64 MiB, and compressed EXIF of up to 16 MiB", () => {
    const long = concatBytes([EXIF, new Uint8Array(5_000_000)]);
    expect(withChunks(["eXIf", long])).toMatchObject({ orientation: 6 });
    expect(withChunks(["eXIf", long]).exif?.length).toBe(long.length);
    const endless = withChunks(["eXIf", concatBytes([EXIF, new Uint8Array(64 * 1024 * 1024)])]);
    expect(endless).toMatchObject({ exif: undefined, isTooLong: true, orientation: 1 });
    const bomb = concatBytes([
      latin1("Raw profile type exif\0\0"),
      zlibSync(new Uint8Array(17 * 1024 * 1024)),
    ]);
    expect(withChunks(["zTXt", bomb])).toMatchObject({ exif: undefined, isTooLong: true });
    expect(withChunks(["zTXt", bomb], ["eXIf", EXIF])).toMatchObject({ exif: EXIF, isTooLong: undefined });
  });
});
