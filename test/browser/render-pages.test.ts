import { describe, expect, onTestFinished, test } from "vitest";
import { createClient, type Progress, type RenderedPage, type RenderParams } from "../../src/index.ts";
import { drawnPdf, FIRST_OWN, fill, QUARTERS } from "../support/fixtures/drawn-pdf.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { pdfOf } from "../support/fixtures/pdf-objects.ts";
import { BLUE, LIME, quartersOf, RED, YELLOW } from "./drawn-pages.ts";
import { blobOf, bytesOf, newClient, pixel, shared, shown } from "./pictures.ts";

/** A page that takes more than ten seconds to draw at a width of 2,000 pixels. */
const SLOW = { content: fill("1 0 0", 0, 0, 100, 60).repeat(20_000) };

async function collected(params: RenderParams, client = shared): Promise<RenderedPage[]> {
  const pages: RenderedPage[] = [];
  for await (const page of client.renderPages(params)) pages.push(page);
  return pages;
}

/** Pages of 500 × 300 pixels of noise, which does not compress. */
function noisePdf(pages: number): Uint8Array<ArrayBuffer> {
  const bytes = crypto.getRandomValues(new Uint8Array(50_000));
  const samples = String.fromCharCode(...bytes).repeat(9);
  const entries = "/Width 500/Height 300/BitsPerComponent 8/ColorSpace/DeviceRGB";
  const noise = { num: FIRST_OWN, body: `<</Type/XObject/Subtype/Image${entries}>>`, stream: samples };
  const page = { content: "100 0 0 60 0 0 cm /Noise Do", resources: `/XObject<</Noise ${FIRST_OWN} 0 R>>` };
  return drawnPdf(new Array(pages).fill(page), { objects: [noise] });
}

describe("the pages of a PDF are yielded", () => {
  test("in the order of the selection, each with number and size", async () => {
    const colors = ["1 0 0", "0 1 0", "0 0 1", "1 1 0", "0 1 1", "1 0 1", "0 0 0", "1 1 1", "1 0 0"];
    const file = new File([drawnPdf(colors.map((rgb) => ({ content: fill(rgb, 0, 0, 100, 60) })))], "a.pdf");
    const told: Progress[] = [];
    const drawn: string[] = [];
    const numbers: number[] = [];
    const onProgress = (progress: Progress) => told.push(progress);
    for await (const made of newClient().renderPages({ file, width: 50, pages: "9,1-8" }, { onProgress })) {
      expect(made).toMatchObject({ width: 50, height: 30 });
      expect(made.blob.type).toBe("image/png");
      const picture = await shown(made.blob);
      expect([picture.width, picture.height]).toEqual([50, 30]);
      numbers.push(made.page);
      drawn.push(
        pixel(picture, 25, 15)
          .slice(0, 3)
          .map((value) => value / 255)
          .join(" "),
      );
    }
    expect(numbers).toEqual([9, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(drawn).toEqual(numbers.map((number) => colors[number - 1]));
    expect(told.some(({ phase, total }) => phase === "working" && total === 9)).toBe(true);
  });

  test.each(["png", "jpg", "webp", "avif"] as const)("as the %s that convert makes", async (format) => {
    const client = newClient();
    const file = new File([drawnPdf([{ content: QUARTERS }])], "a.pdf");
    const [page] = await collected({ file, format }, client);
    const converted = await blobOf(await client.convert({ file, output_format: format }));
    expect(page).toMatchObject({ page: 1, width: 208, height: 125 });
    expect(page?.blob.type).toBe(converted.type);
    expect(await bytesOf(page?.blob ?? new Blob())).toEqual(await bytesOf(converted));
  });

  test("with a resolution or a width", async () => {
    const file = new File(
      [drawnPdf([{ content: "" }, { content: "", entries: "/MediaBox[0 0 200 60]/Rotate 90" }])],
      "a.pdf",
    );
    const sizes = (pages: readonly RenderedPage[]) => pages.map(({ width, height }) => [width, height]);
    expect(sizes(await collected({ file, dpi: 36 }))).toEqual([
      [50, 30],
      [30, 100],
    ]);
    expect(sizes(await collected({ file, width: 90.4 }))).toEqual([
      [90, 54],
      [90, 301],
    ]);
  });

  test("of a protected file by its password", async () => {
    const client = newClient();
    const plain = new File([drawnPdf([{ content: QUARTERS }])], "a.pdf");
    const file = await blobOf(await client.protectPdf({ file: plain, password: "key" }));
    await expect(collected({ file }, client)).rejects.toMatchObject({ code: "password_required" });
    const [page] = await collected({ file, password: "key" }, client);
    expect(quartersOf(await shown(page?.blob ?? new Blob()))).toEqual([BLUE, YELLOW, RED, LIME]);
  });

  test("one by one, the first long before the last", async () => {
    const client = newClient();
    const file = new File([makePdf({ pages: 350 })], "a.pdf");
    await collected({ file, pages: "1-8" }, client);
    const start = performance.now();
    let first = Number.POSITIVE_INFINITY;
    for await (const { page } of client.renderPages({ file, width: 400 })) {
      if (page === 1) first = performance.now() - start;
    }
    expect(first).toBeLessThan((performance.now() - start) / 4);
  });

  test("with few pages drawn ahead", async () => {
    const client = newClient();
    let furthest = 0;
    const pages = client.renderPages(
      { file: new File([makePdf({ pages: 120 })], "a.pdf"), dpi: 20 },
      {
        onProgress: ({ phase, done }) => {
          if (phase === "working") furthest = done;
        },
      },
    );
    expect((await pages.next()).value?.page).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(furthest).toBeLessThan(60);
    let count = 1;
    for await (const _ of pages) count++;
    expect(count).toBe(120);
  });
});

describe("leaving the loop", () => {
  test("ends the work within a second, also on a page that takes long", async () => {
    const client = createClient({ maxWorkers: 1 });
    onTestFinished(() => client.close());
    const file = new File([drawnPdf([{ content: QUARTERS }, SLOW])], "a.pdf");
    let left = 0;
    for await (const { page } of client.renderPages({ file, width: 2000 })) {
      expect(page).toBe(1);
      // The worker is on the slow page.
      await new Promise((resolve) => setTimeout(resolve, 300));
      left = performance.now();
      break;
    }
    expect(performance.now() - left).toBeLessThan(1000);
    // The only worker is free.
    const result = await client.convert({ file, output_format: "png", pages: "1", dpi: 20 });
    expect(result.file_name).toBe("a.png");
    expect(performance.now() - left).toBeLessThan(8000);
  });

  test("keeps the pages that the loop has taken", async () => {
    const controller = new AbortController();
    const file = new File([noisePdf(8)], "a.pdf");
    const taken: RenderedPage[] = [];
    const loop = (async () => {
      for await (const page of newClient().renderPages({ file, width: 500 }, { signal: controller.signal })) {
        taken.push(page);
        if (taken.length === 3) controller.abort(new Error("enough"));
      }
    })();
    await expect(loop).rejects.toThrow("enough");
    expect(taken).toHaveLength(3);
    for (const { blob } of taken) {
      expect(blob.size).toBeGreaterThan(300_000);
      expect((await shown(blob)).width).toBe(500);
    }
  });
});

describe("a loop throws", () => {
  test("the error of a page with its number", async () => {
    // Its tree lists one node twice, which has no pages, but counts as one with PDFium all the same.
    const twice = pdfOf([
      { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
      { num: 2, body: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R 4 0 R]/MediaBox[0 0 100 60]>>" },
      { num: 3, body: "<</Type/Page/Parent 2 0 R>>" },
      { num: 4, body: "<</Type/Pages/Count 1/Parent 2 0 R/Kids[]>>" },
    ]);
    await expect(collected({ file: new Blob([twice]) })).rejects.toMatchObject({
      code: "damaged_file",
      details: { page: 2 },
    });
  });

  test("the largest size that fits when a page is too large", async () => {
    const file = new Blob([drawnPdf([{ content: "", entries: "/MediaBox[0 0 100 400]" }])]);
    await expect(collected({ file, width: 8000 })).rejects.toMatchObject({
      code: "input_too_large",
      message: expect.stringMatching(
        /^Page 1 would be 8000 × 32000 pixels with a width of 8000, .* With a width of 4095 it/,
      ),
      details: { page: 1, largest_width: 4095 },
    });
  });
});
