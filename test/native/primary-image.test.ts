import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { announceBrowser } from "../support/browsers/browser-session.ts";
import { Converter } from "../support/browsers/converter.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { mustRun } from "../support/oracles.ts";

const missing = announceMissing("the primary image", ["vipsheader", "heif-enc", "heif-info", "pdfinfo"]);
const hasBrowser = announceBrowser("chromium", "the primary image");

describe.skipIf(missing.length > 0 || !hasBrowser)("the primary image of a file", () => {
  const scratch = new Scratch();
  let converter: Converter;
  beforeAll(async () => {
    converter = await Converter.start("chromium");
  });
  afterAll(async () => {
    await converter.close();
    scratch.remove();
  });

  function savedPng(width: number, height: number): string {
    const path = scratch.path(`${width}.png`);
    writeFileSync(path, makePng({ width, height, colorType: 2, bitDepth: 8, sample: (x, y) => [x, y, 99] }));
    return path;
  }

  /** A HEIC of two images, of which the second is primary. */
  async function heicOfTwo(): Promise<string> {
    const path = scratch.path("two.heic");
    await mustRun("heif-enc", [savedPng(64, 48), savedPng(80, 40), "-o", path]);
    const bytes = readFileSync(path);
    const info = (await mustRun("heif-info", [path])).toString();
    const [, second] = [...info.matchAll(/\(id=(\d+)\)/g)];
    // The item follows the type, version and flags (ISO/IEC 14496-12, 8.11.4).
    bytes.writeUInt16BE(Number(second?.[1]), bytes.indexOf("pitm") + 8);
    writeFileSync(path, bytes);
    return path;
  }

  const sizeOf = async (path: string) =>
    / (\d+x\d+) /.exec((await mustRun("vipsheader", [path])).toString())?.[1];

  test("is the one that libvips shows", async () => {
    const file = await heicOfTwo();
    expect(await sizeOf(file)).toBe("80x40");
    const made = await converter.convert(file, { output_format: "jpg", pages: "primary" });
    expect(await sizeOf(made)).toBe("80x40");
    const second = await converter.convert(file, { output_format: "jpg", pages: "2" });
    expect(readFileSync(made)).toEqual(readFileSync(second));
    const all = await converter.convert(file, { output_format: "jpg" });
    expect(readFileSync(all).toString("latin1", 0, 2)).toBe("PK");
    const pdf = await converter.convert(file, { output_format: "pdf", pages: "Primary" });
    expect((await mustRun("pdfinfo", [pdf])).toString()).toMatch(/Pages: +1\n/);
  });

  test("is the first one of other formats", async () => {
    const png = savedPng(64, 48);
    for (const output_format of ["jpg", "png"])
      expect(await sizeOf(await converter.convert(png, { output_format, pages: "primary" }))).toBe("64x48");
    await converter.convert(png, { output_format: "pdf", pages: "primary" });
  });
});
