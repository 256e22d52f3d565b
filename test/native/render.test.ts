import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { comparePage } from "../corpus/render/compare-pages.ts";
import { drawnPages } from "../corpus/render/drawn-pages.ts";
import { type GrayPicture, ssim } from "../corpus/render/ssim.ts";
import { type RenderJob, type RenderSubject, startRendering } from "../corpus/render/subject.ts";
import { announceBrowser, madeFile } from "../support/browsers/browser-session.ts";
import { FEATURES } from "../support/fixtures/drawn-features.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";

const missing = announceMissing("rendering", ["pdftoppm", "mutool", "vips", "unzip"]);
const absent = missing.length > 0 || !announceBrowser("chromium", "rendering");
/** On small pages, most windows of SSIM contain an edge. Native programs are not more similar to each other. */
const LIKE_A_NATIVE = 0.93;
const LIKE_ANOTHER_BROWSER = 0.99;

const scratch = new Scratch();
afterAll(() => scratch.remove());

async function draw(
  subject: RenderSubject,
  input: string,
  dpi: number,
  { mostPages = 3, format = "png" }: Partial<Pick<RenderJob, "mostPages" | "format">> = {},
): Promise<readonly GrayPicture[]> {
  const output = scratch.path("drawn");
  const { fileName } = madeFile(await subject.run({ dpi, mostPages, format }, input, output));
  return drawnPages(output, fileName, scratch);
}

describe.skipIf(absent)("pages are drawn as poppler and MuPDF draw them", () => {
  let subject: RenderSubject;
  beforeAll(async () => {
    subject = await startRendering("chromium", HANG_LIMIT_MS);
  });
  afterAll(() => subject.close());

  test.each([...FEATURES])("%s", async (name, bytes) => {
    const input = onDisk(scratch, bytes, `${name}.pdf`);
    const [page] = await draw(subject, input, 72);
    if (page === undefined) throw new Error("there is no page");
    const { likeness, drawnBy, detail } = await comparePage(page, input, 1, undefined, 72, scratch);
    expect(drawnBy).toHaveLength(2);
    expect(likeness, detail).toBeGreaterThan(LIKE_A_NATIVE);
  });

  test("one page after the other", async () => {
    const input = onDisk(scratch, makePdf({ pages: 5 }));
    const pages = await draw(subject, input, 100);
    expect(pages).toHaveLength(3);
    for (const [index, page] of pages.entries()) {
      const { likeness, detail } = await comparePage(page, input, index + 1, undefined, 100, scratch);
      expect(likeness, detail).toBeGreaterThan(LIKE_A_NATIVE);
    }
  });

  describe.each(["firefox", "webkit"] as const)("and %s draws the same", (browser) => {
    describe.skipIf(!announceBrowser(browser, "rendering"))("pictures", () => {
      let other: RenderSubject;
      beforeAll(async () => {
        other = await startRendering(browser, HANG_LIMIT_MS);
      });
      afterAll(() => other.close());

      test.each(["plain", "form fields", "a transparency group"])("%s", async (name) => {
        const input = onDisk(scratch, FEATURES.get(name) ?? new Uint8Array(), `${name}.pdf`);
        for (const format of ["png", "jpg"] as const) {
          const [one] = await draw(subject, input, 150, { format });
          const [two] = await draw(other, input, 150, { format });
          if (one === undefined || two === undefined) throw new Error("there is no page");
          expect(ssim(one, two), format).toBeGreaterThan(LIKE_ANOTHER_BROWSER);
        }
      });

      test("of many pages, with a helper", async () => {
        const input = onDisk(scratch, makePdf({ pages: 12 }));
        const [one, two] = [
          await draw(subject, input, 72, { mostPages: 12 }),
          await draw(other, input, 72, { mostPages: 12 }),
        ];
        expect(two).toHaveLength(12);
        for (const [index, page] of one.entries()) {
          expect(ssim(page, two[index] ?? page)).toBeGreaterThan(LIKE_ANOTHER_BROWSER);
        }
      });
    });
  });
});
