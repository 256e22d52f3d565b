import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { announceBrowser } from "../browsers/browser-seat.ts";
import { judgePictures } from "../corpus/image/judge.ts";
import { vipsDecode } from "../corpus/image/native-decode.ts";
import { ImageSubject } from "../corpus/image/subject.ts";
import { BrowserSubject } from "../corpus/pdf/browser-subject.ts";
import { makePng } from "../fixtures/image/png.ts";
import { makePdf } from "../fixtures/pdf.ts";
import { qpdfPageCount } from "./oracles.ts";
import { onDisk } from "./pdf-files.ts";
import { announceMissing, Scratch } from "./tools.ts";

const missing = announceMissing("Firefox and WebKit", ["qpdf", "unzip", "vips"]);

describe.each(["firefox", "webkit"] as const)("the client in %s", (browser) => {
  const absent = missing.length > 0 || !announceBrowser(browser, "the client");

  describe.skipIf(absent)("with its workers", () => {
    const scratch = new Scratch();
    afterAll(() => scratch.remove());

    describe("works on PDFs", () => {
      let subject: BrowserSubject;
      let input = "";
      beforeAll(async () => {
        subject = await BrowserSubject.start(browser);
        await subject.prepare();
        input = onDisk(scratch, makePdf({ pages: 3 }));
      });
      afterAll(() => subject.close());

      const outputs = () => {
        const directory = scratch.path("outputs");
        mkdirSync(directory);
        return directory;
      };

      test("protects and unlocks", async () => {
        const locked = await subject.run({ kind: "protect", password: "key" }, input, outputs());
        const lockedPath = locked.kind === "files" ? (locked.paths[0] ?? "") : "";
        expect(await qpdfPageCount(lockedPath, "key")).toBe(3);
        const open = await subject.run({ kind: "unlock", password: "key" }, lockedPath, outputs());
        expect(await qpdfPageCount(open.kind === "files" ? (open.paths[0] ?? "") : "")).toBe(3);
        const refused = await subject.run({ kind: "unlock", password: "no" }, lockedPath, outputs());
        expect(refused).toMatchObject({ kind: "typed error", code: "wrong_password" });
      });

      test("splits", async () => {
        const split = await subject.run({ kind: "split", pages: "1,2-3" }, input, outputs());
        if (split.kind !== "files") throw new Error(split.message);
        expect(await Promise.all(split.paths.map((path) => qpdfPageCount(path)))).toEqual([1, 2]);
      });
    });

    describe("converts images", () => {
      let subject: ImageSubject;
      beforeAll(async () => {
        subject = await ImageSubject.start(browser);
        await subject.prepare();
      });
      afterAll(() => subject.close());

      test.each(["jpg", "png", "webp", "avif"] as const)("a PNG with transparency to %s", async (to) => {
        const input = onDisk(
          scratch,
          makePng({
            ...{ width: 64, height: 48, colorType: 6, bitDepth: 8 },
            sample: (x, y) => [2 * x, 3 * y, 128, 4 * x],
          }),
          "gradient.png",
        );
        const output = scratch.path(`made.${to}`);
        const answer = await subject.convert(input, to, output);
        if (answer.kind !== "file") throw new Error(answer.message);
        const { fileName } = answer;
        const native = await vipsDecode(input, scratch);
        const png = { sixteenBit: false, gamma: undefined };
        const conversion = { from: "png", to, output, fileName, png };
        expect(await judgePictures(conversion, native, scratch)).toEqual({ problem: "", isExcused: false });
      });
    });
  });
});
