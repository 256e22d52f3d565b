import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Conversion, judgePictures } from "../corpus/image/judge.ts";
import { type NativePicture, vipsDecode } from "../corpus/image/native-decode.ts";
import { vips } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";

const missing = announceMissing("the comparison of images in the corpus", ["vips"]);

describe.skipIf(missing.length > 0)("the comparison of images in the corpus", () => {
  const scratch = new Scratch();
  const png = scratch.path("source.png");
  let native: readonly NativePicture[] = [];

  beforeAll(async () => {
    const pixmap = scratch.path("source.ppm");
    const values = Buffer.from(
      Array.from({ length: 3 * 60 * 40 }, (_, at) => (at % 180) + Math.floor(at / 180)),
    );
    writeFileSync(pixmap, Buffer.concat([Buffer.from("P6\n60 40\n255\n"), values]));
    await vips("copy", pixmap, png);
    native = await vipsDecode(png, scratch);
  });
  afterAll(() => scratch.remove());

  async function judge(output: string, changes: Partial<Conversion> = {}): Promise<string> {
    const fileName = `a.${changes.to ?? "png"}`;
    const conversion: Conversion = { from: "png", to: "png", output, fileName, png: undefined, ...changes };
    return (await judgePictures(conversion, native, scratch)).problem;
  }

  test("accepts a copy and a JPEG", async () => {
    expect(await judge(png)).toBe("");
    const jpg = scratch.path("made.jpg");
    await vips("copy", png, `${jpg}[Q=90]`);
    expect(await judge(jpg, { to: "jpg" })).toBe("");
  });

  test("reports a rotated, a mirrored and a slightly brighter picture", async () => {
    const made = scratch.path("made.png");
    await vips("rot", png, made, "d90");
    expect(await judge(made)).toBe("40 × 60, not 60 × 40");
    await vips("flip", png, made, "horizontal");
    expect(await judge(made)).toMatch(/^differs by up to/);
    await vips("linear", png, made, "1", "1", "--uchar");
    expect(await judge(made)).toBe("differs by up to 1, 0.750 on average");
  });

  test("reports a lossy picture with large errors", async () => {
    const made = scratch.path("made.jpg");
    await vips("linear", png, `${made}[Q=90]`, "1", "5", "--uchar");
    expect(await judge(made, { to: "jpg" })).toMatch(/^differs by [4-6]\.\d\d on average/);
  });

  test("reports a wrong file extension and a truncated file", async () => {
    expect(await judge(png, { fileName: "a.zip" })).toBe("it is called a.zip");
    const cut = scratch.path("cut.png");
    writeFileSync(cut, readFileSync(png).subarray(0, 40));
    await expect(judge(cut)).rejects.toThrow("vips");
  });
});
