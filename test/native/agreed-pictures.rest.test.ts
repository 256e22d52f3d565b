import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ImageSubject, startImages } from "../corpus/image/subject.ts";
import { announceBrowser, madeFile } from "../support/browsers/browser-session.ts";
import { makeAlphaBmp, makeBmp, makeDividedBmp } from "../support/fixtures/image/gif-and-bmp.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { largestDifference, vipsDecodes } from "../support/native-pictures.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";
import { AVIF_TRANSFORMS, makeAvif } from "./made-avif.ts";

const missing = announceMissing("what browsers do not agree on", ["vips", "heif-convert"]);

describe.each(["chromium", "firefox", "webkit"] as const)("conversion in %s", (browser) => {
  const absent = missing.length > 0 || !announceBrowser(browser, "what browsers do not agree on");

  describe.skipIf(absent)("gives the picture of native programs for", () => {
    const scratch = new Scratch();
    let subject: ImageSubject;
    beforeAll(async () => {
      subject = await startImages(browser, HANG_LIMIT_MS);
      await subject.prepare();
    });
    afterAll(async () => {
      await subject.close();
      scratch.remove();
    });

    /** The largest difference between our PNG of a file and a native program's picture of it. */
    async function error(input: string, native = input): Promise<number> {
      const output = scratch.path("made.png");
      madeFile(await subject.run({ to: "png" }, input, output));
      const [made, wanted] = [
        await vipsDecodes(output, scratch.path("raw")),
        await vipsDecodes(native, scratch.path("raw")),
      ];
      return largestDifference(made, wanted);
    }

    test.each(Object.entries(AVIF_TRANSFORMS))("an AVIF that is %s", async (_, transforms) => {
      const picture = makePng({
        ...{ width: 48, height: 32, colorType: 2, bitDepth: 8 },
        sample: (x, y) => [5 * x, 7 * y, 90],
      });
      const png = onDisk(scratch, picture, "picture.png");
      const input = onDisk(scratch, await makeAvif(scratch, png, transforms), "picture.avif");
      const native = scratch.path("native.png");
      expect(await runTool("heif-convert", [input, native])).toMatchObject({ code: 0 });
      expect(await error(input, native)).toBeLessThanOrEqual(6);
    });

    const color = (x: number, y: number) => [6 * x, 8 * y, (x * y) % 256] as const;

    test.each(["5, 5 and 5 bits", "5, 6 and 5 bits"] as const)("a BMP of pixels of %s", async (kind) => {
      // WebKit shifts the bits, so that its white is 248. Safari has another decoder.
      const tolerance = browser === "webkit" ? 7 : 1;
      const bmp = onDisk(scratch, makeDividedBmp(kind, 40, 32, color), "picture.bmp");
      expect(await error(bmp)).toBeLessThanOrEqual(tolerance);
    });

    test("a BMP with an unused byte in each pixel", async () => {
      const bmp = onDisk(scratch, makeDividedBmp("8, 8, 8 and 8 bits", 40, 32, color), "picture.bmp");
      // libvips reads the unused byte as alpha.
      expect(await error(bmp, onDisk(scratch, makeBmp(40, 32, color), "native.bmp"))).toBe(0);
    });

    test.each([52, 56])("a BMP with a header of %i bytes", async (headerBytes) => {
      const bmp = makeAlphaBmp(40, 32, (x, y) => [...color(x, y), 255]);
      const header = new DataView(bmp.buffer);
      header.setUint32(14, headerBytes, true);
      header.setUint32(30, 3, true);
      const input = onDisk(scratch, bmp, "picture.bmp");
      expect(await error(input, onDisk(scratch, makeBmp(40, 32, color), "native.bmp"))).toBe(0);
    });
  });
});
