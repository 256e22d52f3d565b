import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { announceBrowser } from "../browsers/browser-seat.ts";
import { vipsDecode } from "../corpus/image/native-decode.ts";
import { ImageSubject } from "../corpus/image/subject.ts";
import { damagedPixels, FEWER_ROWS } from "../fixtures/image/damaged-pixels.ts";
import { onDisk } from "./pdf-files.ts";
import { announceMissing, Scratch } from "./tools.ts";

const missing = announceMissing("Damage that browsers overlook", ["vips"]);

/** Some browsers make what they can of damaged pixels, which may be nothing, and say nothing. */
describe.each(["chromium", "firefox", "webkit"] as const)("a PNG with whole chunks in %s", (browser) => {
  const absent = missing.length > 0 || !announceBrowser(browser, "damage");

  describe.skipIf(absent)("whose pixels", () => {
    const scratch = new Scratch();
    let subject: ImageSubject;
    beforeAll(async () => {
      subject = await ImageSubject.start(browser);
      await subject.prepare();
    });
    afterAll(async () => {
      await subject.close();
      scratch.remove();
    });

    const cases = (["opaque", "transparent"] as const).flatMap((kind) =>
      Object.entries(damagedPixels(kind)).map(([damage, file]) => ({ kind, damage, file })),
    );
    const isRefused = ({ damage }: { damage: string }) => damage === FEWER_ROWS;

    test.each(cases.filter((one) => !isRefused(one)))(
      "($kind) $damage is what libvips makes of it",
      async ({ file }) => {
        const input = onDisk(scratch, file, "damaged.png");
        const output = scratch.path("made.png");
        expect(await subject.convert(input, "png", output)).toMatchObject({ kind: "file" });
        const [native, made] = [await vipsDecode(input, scratch), await vipsDecode(output, scratch)];
        expect(native[0]?.stored.rgba.some((value) => value !== 0)).toBe(true);
        expect(made[0]?.stored).toEqual(native[0]?.stored);
      },
    );

    test.each(cases.filter(isRefused))("($kind) $damage is damaged_file", async ({ file }) => {
      const input = onDisk(scratch, file, "damaged.png");
      const answer = await subject.convert(input, "png", scratch.path("made.png"));
      expect(answer).toMatchObject({ kind: "typed error", code: "damaged_file" });
    });
  });
});
