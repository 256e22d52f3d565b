import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judgePictures } from "../corpus/image/judge.ts";
import { vipsDecode } from "../corpus/image/native-decode.ts";
import { vips } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";

const missing = announceMissing("the comparison of images in the corpus", ["vips"]);

describe.skipIf(missing.length > 0)("the comparison of images in the corpus", () => {
  const scratch = new Scratch();
  const png = scratch.path("source.png");

  beforeAll(async () => {
    const pixmap = scratch.path("source.ppm");
    const values = Array.from({ length: 3 * 60 * 40 }, (_, at) => (at % 180) + Math.floor(at / 180));
    writeFileSync(pixmap, Buffer.concat([Buffer.from("P6\n60 40\n255\n"), Buffer.from(values)]));
    await vips("copy", pixmap, png);
  });
  afterAll(() => scratch.remove());

  test.each([
    ["accepts a copy", "png", ["copy"], [], /^$/],
    ["accepts a JPEG", "jpg", ["copy"], [], /^$/],
    ["reports a rotated picture", "png", ["rot"], ["d90"], /^40 × 60, not 60 × 40$/],
    ["reports a mirrored picture", "png", ["flip"], ["horizontal"], /^differs by up to/],
    [
      "reports a slightly brighter picture",
      "png",
      ["linear"],
      ["1", "1", "--uchar"],
      /^differs by up to 1, 0\.750/,
    ],
    [
      "reports a much brighter JPEG",
      "jpg",
      ["linear"],
      ["1", "5", "--uchar"],
      /^differs by [4-6]\.\d\d on average/,
    ],
  ] as const)("%s", async (_, to, [operation], args, problem) => {
    const output = scratch.path(`made.${to}`);
    await vips(operation, png, to === "jpg" ? `${output}[Q=90]` : output, ...args);
    const conversion = { from: "png", to, output, fileName: `a.${to}`, png: undefined };
    const verdict = await judgePictures(conversion, await vipsDecode(png, scratch), scratch);
    expect(verdict.problem).toMatch(problem);
  });
});
