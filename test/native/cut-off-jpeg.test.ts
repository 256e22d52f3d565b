import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readJpeg } from "../../workers/image/formats/jpg/read-jpeg.ts";
import { readScans } from "../../workers/image/formats/jpg/scans.ts";
import { MARKER } from "../../workers/image/formats/jpg/segments.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { Converter } from "../support/browsers/converter.ts";
import { concatBytes } from "../support/fixtures/image/bytes.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { largestDifference, vips, vipsDecodes } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";

const missing = announceMissing("JPEGs that are cut off", ["vips"]);
const END = Uint8Array.of(0xff, MARKER.EOI);

describe.skipIf(missing.length > 0)("a JPEG that libjpeg wrote", () => {
  const scratch = new Scratch();
  const plain = scratch.path("plain.png");
  let converter: Converter;

  beforeAll(async () => {
    converter = await Converter.start("chromium");
    const sample = (x: number, y: number) => [(x * y * 7) % 256, (x * x + y) % 256, (x + y * y) % 256];
    writeFileSync(plain, makePng({ width: 96, height: 80, colorType: 2, bitDepth: 8, sample }));
  });
  afterAll(async () => {
    await converter.close();
    scratch.remove();
  });

  const KINDS = {
    baseline: "rgb.jpg",
    progressive: "rgb.jpg[interlace]",
    "baseline CMYK": "cmyk.jpg",
    "progressive CMYK": "cmyk.jpg[interlace]",
  };

  async function made(kind: keyof typeof KINDS): Promise<Uint8Array<ArrayBuffer>> {
    const target = scratch.path(KINDS[kind]);
    if (target.includes("cmyk"))
      await vips("icc_transform", plain, target, "cmyk", "--input-profile", "srgb");
    else await vips("copy", plain, target);
    return Uint8Array.from(readFileSync(target.replace(/\[.*$/, "")));
  }

  /** Converts a JPEG and returns the path of the PNG. */
  const converted = (jpeg: Uint8Array) =>
    converter.convert(onDisk(scratch, jpeg, "given.jpg"), { output_format: "png" });

  const codeOf = async (jpeg: Uint8Array) =>
    (await converter.refusalOf(onDisk(scratch, jpeg, "given.jpg"), { output_format: "png" })).code;

  function scansOf(jpeg: Uint8Array) {
    const source = bufferSource(jpeg);
    return readScans(source, readJpeg(source)).segments.filter(({ marker }) => marker === MARKER.SOS);
  }

  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];

  test.each(kinds)("%s: is refused with damaged_file wherever it is cut off", async (kind) => {
    const whole = await made(kind);
    const places = scansOf(whole).flatMap(({ start, end }) => [
      start + 6,
      (start + end) >> 1,
      end - 20,
      end + 9,
    ]);
    const found: string[] = [];
    for (const place of places.filter((one) => one < whole.length - 2))
      found.push(await codeOf(whole.subarray(0, place)));
    expect(found.length).toBeGreaterThan(2);
    expect(new Set(found)).toEqual(new Set(["damaged_file"]));
  });

  test.each(["baseline", "progressive"] as const)(
    "%s: is decoded when only its end marker is missing",
    async (kind) => {
      const whole = await made(kind);
      const expected = await vipsDecodes(await converted(whole), scratch.path("expected"));
      const found = await vipsDecodes(await converted(whole.subarray(0, -2)), scratch.path("found"));
      expect(largestDifference(found, expected)).toBe(0);
    },
  );

  test("progressive: is decoded without its finest scans when it has its end marker", async () => {
    const whole = await made("progressive");
    const [, second] = scansOf(whole).toReversed();
    const coarse = concatBytes([whole.subarray(0, second?.end), END]);
    const expected = await vipsDecodes(onDisk(scratch, coarse, "coarse.jpg"), scratch.path("expected"));
    const found = await vipsDecodes(await converted(coarse), scratch.path("found"));
    expect(largestDifference(found, expected)).toBeLessThanOrEqual(3);
  });
});
