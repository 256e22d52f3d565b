import { readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readJpeg } from "../../workers/image/formats/jpg/read-jpeg.ts";
import { readScans } from "../../workers/image/formats/jpg/scans.ts";
import { MARKER } from "../../workers/image/formats/jpg/segments.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { ServedClient } from "../support/browsers/served-client.ts";
import { joined } from "../support/fixtures/image/bytes.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { largestDifference, vips, vipsDecodes } from "./pictures.ts";

const missing = announceMissing("JPEGs that are cut off", ["vips"]);
const END = Uint8Array.of(0xff, MARKER.EOI);

describe.skipIf(missing.length > 0)("a JPEG, as libjpeg writes it", () => {
  const scratch = new Scratch();
  const plain = scratch.path("plain.png");
  let served: ServedClient;
  let page: Page;

  beforeAll(async () => {
    served = await ServedClient.start();
    page = await served.open("/test/native/image-page.html");
    const sample = (x: number, y: number) => [(x * y * 7) % 256, (x * x + y) % 256, (x + y * y) % 256];
    writeFileSync(plain, makePng({ width: 96, height: 80, colorType: 2, bitDepth: 8, sample }));
  });
  afterAll(async () => {
    await served.close();
    scratch.remove();
  });

  const KINDS = {
    baseline: "rgb.jpg",
    progressive: "rgb.jpg[interlace]",
    "baseline, in inks": "cmyk.jpg",
    "progressive, in inks": "cmyk.jpg[interlace]",
  };

  async function made(kind: keyof typeof KINDS): Promise<Uint8Array<ArrayBuffer>> {
    const target = scratch.path(KINDS[kind]);
    if (target.includes("cmyk"))
      await vips("icc_transform", plain, target, "cmyk", "--input-profile", "srgb");
    else await vips("copy", plain, target);
    return Uint8Array.from(readFileSync(target.replace(/\[.*$/, "")));
  }

  /** What it is called as a PNG, or why it is none. */
  async function converted(jpeg: Uint8Array, to = scratch.path("made.png")): Promise<string> {
    const from = scratch.path("given.jpg");
    writeFileSync(from, jpeg);
    writeFileSync(to, "");
    return page.evaluate(
      ([given, taken]) => window.convertImage(given, taken, "a.jpg", { output_format: "png" }),
      [served.share(from), served.share(to)] as const,
    );
  }

  function scansOf(jpeg: Uint8Array) {
    const source = bufferSource(jpeg);
    return readScans(source, readJpeg(source)).segments.filter(({ marker }) => marker === MARKER.SOS);
  }

  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];

  test.each(kinds)("%s, is damaged_file wherever it is cut off", async (kind) => {
    const whole = await made(kind);
    const places = scansOf(whole).flatMap(({ start, end }) => [
      start + 6,
      (start + end) >> 1,
      end - 20,
      end,
      end + 9,
    ]);
    const found: string[] = [];
    for (const place of places.filter((one) => one < whole.length - 2))
      found.push(await converted(whole.subarray(0, place)));
    expect(found.length).toBeGreaterThan(2);
    expect(new Set(found)).toEqual(new Set(["damaged_file"]));
  });

  test.each(kinds)("%s, is decoded when it lacks nothing but its end marker", async (kind) => {
    const whole = await made(kind);
    expect(await converted(whole)).toBe("a.png");
    expect(await converted(whole.subarray(0, -2))).toBe("a.png");
    expect(await converted(joined([whole.subarray(0, -2), Uint8Array.of(0xff, 0xc4, 0, 99)]))).toBe("a.png");
  });

  test("progressive, is decoded without its finest scans, when it ends as it should", async () => {
    const whole = await made("progressive");
    const [, second] = scansOf(whole).toReversed();
    const coarse = joined([whole.subarray(0, second?.end), END]);
    const [path, png] = [scratch.path("coarse.jpg"), scratch.path("coarse.png")];
    expect(await converted(coarse, png)).toBe("a.png");
    writeFileSync(path, coarse);
    const expected = await vipsDecodes(path, scratch.path("expected"));
    const found = await vipsDecodes(png, scratch.path("found"));
    expect(largestDifference(found, expected)).toBeLessThanOrEqual(3);
    // A table whose length is wrong stands before the end, behind which cameras write what is their own.
    const hidden = joined([coarse.subarray(0, -2), Uint8Array.of(0xff, 0xc4, 0, 99), END]);
    expect(await converted(hidden)).toBe("a.png");
    expect(await converted(joined([hidden, Uint8Array.of(0, 1, 2, 3)]))).toBe("a.png");
  });
});
