import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { vipsDecode } from "../corpus/image/native-decode.ts";
import { type ImageSubject, startImages } from "../corpus/image/subject.ts";
import { announceBrowser, madeFile } from "../support/browsers/browser-session.ts";
import { makePng, type PngPlan } from "../support/fixtures/image/png.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { vips } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";

const missing = announceMissing("Damage that browsers overlook", ["vips"]);

const WHOLE: PngPlan = {
  ...{ width: 120, height: 90, colorType: 2, bitDepth: 8 },
  sample: (x, y) => [(37 * x * y + x) & 255, (91 * y + x * x) & 255, 5 * x],
};

/** Some browsers decode damaged files without an error, in part or not at all. */
describe.each(["chromium", "firefox", "webkit"] as const)("damage in %s", (browser) => {
  const absent = missing.length > 0 || !announceBrowser(browser, "damage");

  describe.skipIf(absent)("is detected:", () => {
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

    test.each([
      { colorType: 2, interlaced: false },
      { colorType: 2, interlaced: true },
      { colorType: 6, interlaced: false },
    ] as const)("a PNG with damaged pixels returns damaged_file (%o)", async (kind) => {
      const sample = (x: number, y: number) => [6 * x, 8 * y, (37 * x * y) & 255, 100 + y];
      const bytes = makePng({ ...{ width: 40, height: 32, bitDepth: 8, chunkBytes: 1e6 }, ...kind, sample });
      const start = bytes.length >> 1;
      for (let at = start; at < start + 24; at++) bytes[at] = ~(bytes[at] ?? 0);
      const input = onDisk(scratch, bytes, "damaged.png");
      const answer = await subject.run({ to: "png" }, input, scratch.path("made.png"));
      expect(answer).toMatchObject({ kind: "typed error", code: "damaged_file" });
    });

    test("keeps a sound picture unchanged, whatever its last row", async () => {
      const plan = {
        ...WHOLE,
        sample: (x: number, y: number) => (y > 60 ? [255, 255, 255] : [2 * x, 3 * y, 9]),
      };
      const png = onDisk(scratch, makePng(plan), "whole.png");
      const [webp, gif] = [scratch.path("whole.webp"), scratch.path("whole.gif")];
      await vips("copy", png, `${webp}[lossless]`);
      // Noise fills the code table of the GIF.
      await vips("copy", onDisk(scratch, makePng(WHOLE), "noise.png"), gif);
      for (const input of [png, webp, gif]) {
        const output = scratch.path("made.png");
        madeFile(await subject.run({ to: "png" }, input, output));
        const [native, made] = [await vipsDecode(input, scratch), await vipsDecode(output, scratch)];
        expect(made[0]?.stored).toEqual(native[0]?.stored);
      }
    });
  });
});
