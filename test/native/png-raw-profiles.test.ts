import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { readPng } from "../../workers/image/formats/png/read-png.ts";
import { readWebp } from "../../workers/image/formats/webp/read-webp.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { concatBytes, latin1 } from "../support/fixtures/image/bytes.ts";
import { makeExif, makeXmp } from "../support/fixtures/image/metadata.ts";
import { makePng, type PngPlan, pngRawProfile } from "../support/fixtures/image/png.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";

const missing = announceMissing("metadata that PNGs hold as digits", ["cwebp"]);
const EXIF = concatBytes([latin1("Exif\0\0"), makeExif(6)]);

describe.skipIf(missing.length > 0).concurrent("metadata in a PNG's text chunks as hex digits", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  test.each<[string, NonNullable<PngPlan["chunks"]>]>([
    ["EXIF", [pngRawProfile("zTXt", "exif", EXIF)]],
    ["EXIF, not compressed", [pngRawProfile("tEXt", "exif", EXIF)]],
    ["EXIF as a JPEG's segment", [pngRawProfile("zTXt", "APP1", EXIF)]],
    ["XMP", [pngRawProfile("zTXt", "xmp", makeXmp(6))]],
    ["both", [pngRawProfile("zTXt", "exif", EXIF), pngRawProfile("zTXt", "xmp", makeXmp(6))]],
  ])("is read as cwebp reads it: %s", async (_, chunks) => {
    const plan = { width: 8, height: 8, colorType: 2, bitDepth: 8, sample: () => [9, 9, 9] } as const;
    const png = makePng({ ...plan, chunks });
    const [from, to] = [scratch.path("told.png"), scratch.path("told.webp")];
    writeFileSync(from, png);
    const run = await runTool("cwebp", ["-quiet", "-metadata", "all", from, "-o", to]);
    expect(run.code, run.stderr).toBe(0);
    const native = readWebp(new Uint8Array(readFileSync(to)));
    const { exif, xmp } = readPng(bufferSource(png));
    // cwebp keeps the Exif header of JPEG.
    expect(exif && concatBytes([latin1("Exif\0\0"), exif])).toEqual(native.exif);
    expect(xmp).toEqual(native.xmp);
    expect(exif ?? xmp).toBeDefined();
  });
});
