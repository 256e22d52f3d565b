import { appendFileSync, statSync, truncateSync, unlinkSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServedClient } from "../support/browsers/served-client.ts";
import { makePng, type PngPlan } from "../support/fixtures/image/png.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";

/** Longer than the part that format detection reads. */
const NOISE: PngPlan = {
  width: 400,
  height: 300,
  colorType: 2,
  bitDepth: 8,
  sample: (x, y) => [(x * x * y) & 255, (x * y * y) & 255, (x * x + y * y * 7) & 255],
};
const FORMATS = ["jpg", "png", "pdf"];

describe("files on disk that the user has chosen", () => {
  const scratch = new Scratch();
  let served: ServedClient;

  beforeAll(async () => {
    served = await ServedClient.start();
  });
  afterAll(async () => {
    await served.close();
    scratch.remove();
  });

  test.each([
    ["longer", (path: string) => appendFileSync(path, " ")],
    ["shorter", (path: string) => truncateSync(path, statSync(path).size >> 1)],
    ["gone", unlinkSync],
  ])("that become %s before they are read are damaged_file", async (how, change) => {
    const changed = [
      onDisk(scratch, makePng(NOISE), `${how}.png`),
      onDisk(scratch, makePdf({ pages: 3, ballastPerPage: 1_200_000 }), `${how}.pdf`),
    ];
    const kept = onDisk(scratch, makePdf({ pages: 1 }), "kept.pdf");
    const page = await served.open("test/native/chosen-files-page.ts");
    await page.setInputFiles("input", [...changed, kept]);
    const wanted = changed.flatMap((path) => FORMATS.map((format) => [basename(path), format] as const));
    await page.evaluate((all) => window.beginConversions(all), [...wanted, [basename(kept), "pdf"] as const]);
    for (const path of changed) change(path);
    const outcomes = await page.evaluate(() => window.conversions());
    await page.close();
    const chooseAgain = expect.stringMatching(/^damaged_file: The file cannot be read: it was changed/);
    expect(outcomes).toEqual([...wanted.map(() => chooseAgain), basename(kept)]);
  });
});
