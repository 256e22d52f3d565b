import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { vipsDecode } from "../corpus/image/native-decode.ts";
import { type ImageSubject, startImages } from "../corpus/image/subject.ts";
import { announceBrowser, madeFile } from "../support/browsers/browser-session.ts";
import { damagedPixels, READABLE_DAMAGE } from "../support/fixtures/image/damaged-pixels.ts";
import { makePng, type PngPlan } from "../support/fixtures/image/png.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { vips } from "../support/native-pictures.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";

const missing = announceMissing("Damage that browsers overlook", ["vips", "dwebp"]);

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

    const cases = (["opaque", "transparent"] as const).flatMap((kind) =>
      Object.entries(damagedPixels(kind)).map(([damage, file]) => ({ kind, damage, file })),
    );
    const mayBeDecoded = ({ damage }: { damage: string }) => READABLE_DAMAGE.includes(damage);

    test.each(cases.filter(mayBeDecoded))(
      "a PNG ($kind) whose pixels $damage gives the picture of libvips, or damaged_file",
      async ({ file }) => {
        const input = onDisk(scratch, file, "damaged.png");
        const output = scratch.path("made.png");
        const answer = await subject.run({ to: "png" }, input, output);
        if (answer.kind === "typed error") {
          expect(answer.code).toBe("damaged_file");
          return;
        }
        madeFile(answer);
        const [native, made] = [await vipsDecode(input, scratch), await vipsDecode(output, scratch)];
        const values = made[0]?.stored.rgba ?? [];
        // A browser gives approximate colors under partial transparency.
        expect(values.every((value, at) => Math.abs(value - (native[0]?.stored.rgba[at] ?? 0)) <= 2)).toBe(
          true,
        );
        expect(values.length).toBe(native[0]?.stored.rgba.length);
      },
    );

    test.each(cases.filter((one) => !mayBeDecoded(one)))(
      "a PNG ($kind) whose pixels $damage returns damaged_file",
      async ({ file }) => {
        const input = onDisk(scratch, file, "damaged.png");
        const answer = await subject.run({ to: "png" }, input, scratch.path("made.png"));
        expect(answer).toMatchObject({ kind: "typed error", code: "damaged_file" });
      },
    );

    /** A picture by libvips with inverted bytes in its pixel data. */
    const damaged = async (name: string, options: string, place: number) => {
      const whole = scratch.path(name);
      await vips("copy", onDisk(scratch, makePng(WHOLE), "whole.png"), `${whole}${options}`);
      const bytes = new Uint8Array(readFileSync(whole));
      const start = Math.floor(place * bytes.length);
      for (let at = start; at < start + 24; at++) bytes[at] = ~(bytes[at] ?? 0);
      return onDisk(scratch, bytes, name);
    };

    test("a GIF with damaged pixels returns damaged_file", async () => {
      const input = await damaged("damaged.gif", "", 0.5);
      const answer = await subject.run({ to: "png" }, input, scratch.path("made.png"));
      expect(answer).toMatchObject({ kind: "typed error", code: "damaged_file" });
    });

    test.each([
      ["lossy", "[Q=80]", 0.7, "a picture"],
      ["lossless", "[lossless]", 0.3, "a picture"],
      ["lossless", "[lossless]", 0.6, "nothing"],
    ] as const)(
      "a %s WebP with damaged pixels (%s, %d) gives the result of libwebp: %s",
      async (_, options, place, made) => {
        const input = await damaged("damaged.webp", options, place);
        const [native, output] = [scratch.path("native.png"), scratch.path("made.png")];
        expect((await runTool("dwebp", [input, "-o", native])).code === 0).toBe(made === "a picture");
        const answer = await subject.run({ to: "png" }, input, output);
        if (made === "nothing") {
          expect(answer).toMatchObject({ kind: "typed error", code: "damaged_file" });
        } else {
          madeFile(answer);
          const [expected, own] = [await vipsDecode(native, scratch), await vipsDecode(output, scratch)];
          expect(own[0]?.stored).toEqual(expected[0]?.stored);
        }
      },
    );

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
