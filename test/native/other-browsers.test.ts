import { copyFileSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judgePictures } from "../corpus/image/judge.ts";
import { vipsDecode } from "../corpus/image/native-decode.ts";
import { type ImageSubject, startImages } from "../corpus/image/subject.ts";
import { announceBrowser, madeFile } from "../support/browsers/browser-session.ts";
import { nclx } from "../support/fixtures/heif.ts";
import { concatBytes } from "../support/fixtures/image/bytes.ts";
import { displayP3, grayProfile } from "../support/fixtures/image/icc.ts";
import { makePng, pngProfile } from "../support/fixtures/image/png.ts";
import { makeInkJpeg } from "../support/fixtures/ink-jpeg.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import {
  largestDifference,
  type NativePicture,
  vips,
  vipsDecodes,
  vipsShows,
} from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";
import { makeAvif } from "./made-avif.ts";

const missing = announceMissing("Firefox and WebKit", ["qpdf", "unzip", "vips"]);

describe.each(["firefox", "webkit"] as const)("the client in %s", (browser) => {
  const absent = missing.length > 0 || !announceBrowser(browser, "the client");

  describe.skipIf(absent)("runs workers and", () => {
    const scratch = new Scratch();
    afterAll(() => scratch.remove());

    describe("converts images:", () => {
      let subject: ImageSubject;
      beforeAll(async () => {
        subject = await startImages(browser, HANG_LIMIT_MS);
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
        const answer = madeFile(await subject.run({ to }, input, output));
        const { fileName } = answer;
        const native = await vipsDecode(input, scratch);
        const png = { sixteenBit: false, gamma: undefined };
        const conversion = { from: "png", to, output, fileName, png };
        expect(await judgePictures(conversion, native, scratch)).toEqual({ problem: "", isExcused: false });
      });

      /** Some browsers decode parts of damaged files without an error. The checksum of the pixels shows the damage. */
      test("refuses a PNG whose pixels are damaged", async () => {
        const plan = { width: 40, height: 32, colorType: 2, bitDepth: 8 } as const;
        const sample = (x: number, y: number) => [6 * x, 8 * y, 128];
        const damaged = makePng({ ...plan, sample, chunkBytes: 1e6 });
        // A byte of the last rows: before the checksums of the stream and of the chunk, and the last chunk.
        const at = damaged.length - 12 - 4 - 4 - 20;
        damaged[at] = (damaged[at] ?? 0) ^ 0xff;
        const input = onDisk(scratch, damaged, "damaged.png");
        const answer = await subject.run({ to: "png" }, input, scratch.path("made.png"));
        expect(answer).toMatchObject({ kind: "typed error", code: "damaged_file" });
      });

      // WebKit without Apple's libraries, as Playwright builds it, ignores these profiles and code points.
      test.skipIf(browser === "webkit").each([
        ["a gray PNG", "gray.png", "gray.png", 3],
        ["a gray JPEG", "gray.png", "gray.jpg[Q=100]", 3],
        ["a WebP", "p3.png", "p3.webp[lossless]", 3],
        ["an AVIF", "p3.png", "p3.avif[lossless]", 25],
      ] as const)("%s, by its profile", async (_, source, name, tolerance) => {
        const size = { width: 96, height: 64, bitDepth: 8 } as const;
        const picture =
          source === "gray.png"
            ? {
                colorType: 0 as const,
                profile: grayProfile(1.4),
                sample: (x: number, y: number) => [2 * x + y],
              }
            : {
                colorType: 2 as const,
                profile: displayP3(),
                sample: (x: number, y: number) => [60 + x, 200 - y, 70],
              };
        const { profile, ...plan } = picture;
        const png = onDisk(
          scratch,
          makePng({ ...size, ...plan, chunks: [["iCCP", pngProfile(profile)]] }),
          source,
        );
        const input = scratch.path(name.replace(/\[.*/, ""));
        if (source === name) copyFileSync(png, input);
        else await vips("copy", png, `${input}${/\[.*/.exec(name)?.[0] ?? ""}`);
        const [output, expected] = [scratch.path("made.png"), scratch.path("expected.png")];
        await vips("icc_transform", input, expected, "srgb", "--embedded");
        madeFile(await subject.run({ to: "png" }, input, output));
        // A PNG may keep its values and its profile.
        const made = await vipsShows(output, scratch.path("shown"));
        const wanted = await vipsDecodes(expected, scratch.path("raw"));
        expect(largestDifference(made, wanted)).toBeLessThanOrEqual(tolerance);
      });

      test.skipIf(browser === "webkit").each(["PNG", "AVIF"] as const)(
        "%s, by its code points",
        async (kind) => {
          const plan = {
            ...({ width: 48, height: 32, colorType: 2, bitDepth: 8 } as const),
            sample: (x: number, y: number) => [60 + 2 * x, 200 - 2 * y, 70],
          };
          const plain = onDisk(scratch, makePng(plan), "plain.png");
          // Both mean Display P3.
          const [primaries, transfer] = [12, 13];
          const byPoints =
            kind === "PNG"
              ? makePng({ ...plan, chunks: [["cICP", Uint8Array.of(primaries, transfer, 0, 1)]] })
              : await makeAvif(scratch, plain, [], [nclx(primaries, transfer)]);
          const byProfile = makePng({ ...plan, chunks: [["iCCP", pngProfile(displayP3())]] });
          const pictures: NativePicture[] = [];
          for (const [bytes, name] of [
            [byPoints, `points.${kind.toLowerCase()}`],
            [byProfile, "profile.png"],
          ] as const) {
            const output = scratch.path("made.jpg");
            madeFile(await subject.run({ to: "jpg" }, onDisk(scratch, bytes, name), output));
            pictures.push(await vipsDecodes(output, scratch.path("raw")));
          }
          const [points, profile] = pictures;
          if (points === undefined || profile === undefined) throw new Error("no pictures");
          expect(largestDifference(points, profile)).toBeLessThanOrEqual(kind === "PNG" ? 4 : 8);
        },
      );

      test("a JPEG in CMYK, by its profile", async () => {
        const picture = makePng({
          ...{ width: 96, height: 64, colorType: 2, bitDepth: 8 },
          sample: (x, y) => [70 + x, 90 + y, 160 - x],
        });
        const { path, expected } = await makeInkJpeg(scratch, onDisk(scratch, picture, "picture.png"), {
          transform: 0,
        });
        const output = scratch.path("made.png");
        madeFile(await subject.run({ to: "png" }, path, output));
        const [made, wanted] = await Promise.all(
          [output, expected].map((file) => vipsDecodes(file, scratch.path("raw"))),
        );
        if (made === undefined || wanted === undefined) throw new Error("no pictures");
        expect(largestDifference(made, wanted)).toBeLessThanOrEqual(6);
      });

      test("a JPEG with a table in its scan, up to the table", async () => {
        const picture = onDisk(
          scratch,
          makePng({
            ...{ width: 160, height: 160, colorType: 2, bitDepth: 8 },
            sample: (x, y) => [x, y, (x * y) % 256],
          }),
          "picture.png",
        );
        const whole = scratch.path("whole.jpg");
        await vips("copy", picture, whole);
        const bytes = new Uint8Array(readFileSync(whole));
        const middle = bytes.length >> 1;
        const place = bytes[middle - 1] === 0xff ? middle + 1 : middle;
        const table = Uint8Array.of(0xff, 0xc4, 0, 5, 0xee, 0xee, 0xee);
        const input = onDisk(
          scratch,
          concatBytes([bytes.subarray(0, place), table, bytes.subarray(place)]),
          "a.jpg",
        );
        const output = scratch.path("made.png");
        const answer = madeFile(await subject.run({ to: "png" }, input, output));
        const conversion = {
          from: "jpg",
          to: "png",
          output,
          fileName: answer.fileName,
          png: undefined,
        } as const;
        const native = await vipsDecode(input, scratch);
        expect(await judgePictures(conversion, native, scratch)).toEqual({ problem: "", isExcused: false });
      });
    });
  });
});
